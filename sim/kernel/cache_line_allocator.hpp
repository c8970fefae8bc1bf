#pragma once
#include <cstddef>
#include <new>

namespace fleetcast::sim::kernel {

/// Storage that starts on a cache line (64 bytes on x86-64).
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheLineAllocator() = default;
  template <class U>
  explicit CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
  void deallocate(T* storage, std::size_t) { ::operator delete(storage, alignment); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

}  // namespace fleetcast::sim::kernel
