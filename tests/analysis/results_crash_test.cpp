// Killed writers, full disks, second writers, missing locks.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <thread>

#include "analysis/hdf5_handle.hpp"
#include "analysis/output_lock.hpp"
#include "analysis/parts_folder.hpp"
#include "analysis/results_file.hpp"
#include "analysis/version.hpp"
#include "made_up.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::models::OutputError;

namespace {

bool locks_fail = false;

}  // namespace

/// Stands in front of the C library's for the whole test program: a file system without locks, when wanted.
extern "C" int flock(int, int) {
  if (!locks_fail) return 0;
  errno = ENOLCK;
  return -1;
}

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Runs the action in a child process; its answer is the exit status.
template <class Action>
pid_t in_child(Action&& action) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  int status = 99;
  try {
    status = action();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
  }
  std::exit(status);  // with the clean-up that a program has: that is where HDF5 is known to crash
}

int wait_for(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const OutputError& error) {
    return error.what();
  }
  return "";
}

int write_slowly(const std::string& path, const ResultsHeader& header) {
  ResultsFile file{path, header, ExistingResults::resume};
  made_up::complete(file, header);
  return 0;
}

/// Every part that has its final name is whole and holds what it should.
bool parts_are_whole(const std::string& path, const ResultsHeader& header) {
  const PartsFolder parts{path + ".parts"};
  for (const std::uint64_t index : parts.indices())
    if (unpack(parts.read(index).block).outcomes != made_up::block(header, index).outcomes) return false;
  return true;
}

}  // namespace

TEST_CASE("Twenty writers killed at random moments lose nothing complete, and the last completes to the same bytes") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header(600, 20);
  {
    ResultsFile whole{folder / "whole.h5", header, ExistingResults::refuse};
    made_up::complete(whole, header);
  }
  const std::string path = folder / "results.h5";
  fleetcast::models::Stream moments{{17, 0, fleetcast::models::Purpose::test, 0, 0}};
  int killed = 0;
  std::size_t before = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = in_child([&] { return write_slowly(path, header); });
    std::this_thread::sleep_for(std::chrono::microseconds{2000 + moments() % 30000});
    ::kill(child, SIGKILL);
    killed += wait_for(child) == -SIGKILL;
    CHECK(parts_are_whole(path, header));
    const std::size_t now = PartsFolder{path + ".parts"}.indices().size();
    if (!std::filesystem::exists(path)) CHECK(now >= before);
    before = now;
  }
  CHECK(killed > 0);
  ResultsFile file{path, header, ExistingResults::resume};
  made_up::complete(file, header);
  CHECK(made_up::bytes_of(path) == made_up::bytes_of(folder / "whole.h5"));
}

TEST_CASE("A writer killed while it joins the parts leaves them, and no half file") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header(20000, 500);
  const std::string path = folder / "results.h5";
  {
    ResultsFile file{path, header, ExistingResults::refuse};
    for (std::uint64_t i = 0; i < made_up::blocks_of(header); ++i) file.write_block(made_up::block(header, i));
  }
  for (int i = 0; i < 6; ++i) {
    const pid_t child = in_child([&] { return write_slowly(path, header); });
    std::this_thread::sleep_for(std::chrono::milliseconds{15 + 25 * i});
    ::kill(child, SIGKILL);
    wait_for(child);
    if (std::filesystem::exists(path))
      CHECK(read_results(path).outcomes[2].size() == 20000);
    else
      CHECK(PartsFolder{path + ".parts"}.indices().size() == 40);
  }
  CHECK(write_slowly(path, header) == 0);
  CHECK(read_results(path).outcomes[1][19999] == made_up::outcome(header.seed, 19999, 1, 3));
  CHECK_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST_CASE("A limit on the size of files stops the writer with a reason, keeps the parts and does not crash") {
  for (const unsigned long limit : {3000UL, 12000UL, 20000UL, 60000UL, 150000UL, 400000UL}) {
    CAPTURE(limit);
    const made_up::Folder folder;
    const ResultsHeader header = made_up::header(2000, 100);
    const std::string path = folder / "results.h5";
    const int status = wait_for(in_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit sizes{limit, limit};
      ::setrlimit(RLIMIT_FSIZE, &sizes);
      const std::string error = error_of([&] { write_slowly(path, header); });
      return contains(error, "File too large") && contains(error, path) ? 5 : 1;
    }));
    CHECK(status == 5);
    CHECK_FALSE(std::filesystem::exists(path));
    CHECK_FALSE(std::filesystem::exists(path + ".lock"));
    CHECK(parts_are_whole(path, header));
    if (limit > 100000) CHECK(PartsFolder{path + ".parts"}.indices().size() == 20);  // it failed while joining
  }
}

TEST_CASE("A full disk stops the writer with a reason, keeps the parts, and a resume after making room completes") {
  const made_up::Folder folder;
  std::filesystem::create_directory(folder / "small");
  const std::string small = folder / "small";
  if (::mount("tmpfs", small.c_str(), "tmpfs", 0, "size=8m") != 0) {
    MESSAGE("skipped: no right to mount a small file system");
    return;
  }
  struct Unmount {
    std::string path;
    ~Unmount() { ::umount2(path.c_str(), MNT_DETACH); }
  };
  const Unmount unmount{small};
  const ResultsHeader header = made_up::header(3000, 50);
  const std::string path = small + "/results.h5";
  SUBCASE("while the parts are written") {
    const int status = wait_for(in_child([&] {
      ResultsFile file{path, header, ExistingResults::refuse};
      made_up::write_bytes(small + "/other", std::string(std::size_t{7} << 20, 'x'));
      return contains(error_of([&] { made_up::complete(file, header); }), "No space left on device") ? 5 : 1;
    }));
    CHECK(status == 5);
    CHECK(PartsFolder{path + ".parts"}.indices().size() > 0);
  }
  SUBCASE("while they are joined") {
    const int status = wait_for(in_child([&] {
      ResultsFile file{path, header, ExistingResults::refuse};
      for (std::uint64_t i = 0; i < made_up::blocks_of(header); ++i) file.write_block(made_up::block(header, i));
      std::error_code ignored;
      const auto free = std::filesystem::space(small, ignored).available;
      made_up::write_bytes(small + "/other", std::string(free - 300'000, 'x'));
      const std::string error = error_of([&] { file.assemble(); });
      return contains(error, "No space left on device") ? 5 : 1;
    }));
    CHECK(status == 5);
    CHECK(PartsFolder{path + ".parts"}.indices().size() == 60);
  }
  CHECK(parts_are_whole(path, header));
  CHECK_FALSE(std::filesystem::exists(path));
  std::filesystem::remove(small + "/other");
  CHECK(write_slowly(path, header) == 0);
  CHECK(read_results(path).outcomes[0][2999] == made_up::outcome(header.seed, 2999, 0, 3));
}

TEST_CASE("A second writer is refused with the process and the time of the first") {
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  const ResultsFile first{path, header, ExistingResults::refuse};
  for (const auto existing : {ExistingResults::refuse, ExistingResults::overwrite, ExistingResults::resume}) {
    const std::string error = error_of([&] { ResultsFile{path, header, existing}; });
    CHECK(contains(error, "in use by process " + std::to_string(::getpid())));
    CHECK(contains(error, ", started 20"));
  }
  const int status = wait_for(in_child([&] {
    return contains(error_of([&] { ResultsFile{path, header, ExistingResults::resume}; }), "in use by process") ? 0 : 1;
  }));
  CHECK(status == 0);
  CHECK(std::filesystem::exists(path + ".lock"));  // neither refused writer removed it
}

TEST_CASE("The lock of a process that is gone is taken over, that of another machine is not") {
  const made_up::Folder folder;
  const std::string path = folder / "x.lock";
  const pid_t child = in_child([&] {
    new OutputLock{path};  // never released
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  CHECK(wait_for(child) == -SIGKILL);
  CHECK(std::filesystem::exists(path));
  {
    const OutputLock lock{path};
    CHECK(contains(lock.note(), "process " + std::to_string(child)));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  made_up::write_bytes(path, "process 1\nhost another.machine\nstarted 2026-01-01T00:00:00Z\nbirth \n");
  CHECK(contains(error_of([&] { OutputLock{path}; }), "process 1 on another.machine, started 2026-01-01T00:00:00Z"));
  made_up::write_bytes(path, "");
  CHECK(contains(error_of([&] { OutputLock{path}; }), "in use by another process"));
}

TEST_CASE("A process number that was given out again does not keep a lock alive") {
  const made_up::Folder folder;
  const std::string path = folder / "x.lock";
  std::string mine;
  {
    const OutputLock lock{path};
    mine = made_up::bytes_of(path);
  }
  mine.insert(mine.rfind('\n'), "9");  // the same process number, born at another time
  made_up::write_bytes(path, mine);
  const OutputLock lock{path};
  CHECK(contains(lock.note(), "gone"));
}

TEST_CASE("File locks that do not work are named together with the variable that switches them off") {
  const std::string message = "unable to lock file, errno = 37, error message = 'No locks available'";
  CHECK(contains(readable_reason(message), "No locks available (the file system does not give file locks"));
  CHECK(contains(readable_reason(message), "HDF5_USE_FILE_LOCKING=FALSE"));
  CHECK(readable_reason("file write failed: errno = 28, error message = 'No space left on device', buf = 0x1") ==
        "No space left on device");
  CHECK(readable_reason("bad object header") == "bad object header");
}

// HDF5 reads the variable once, so this needs a program of its own; the test below starts it.
TEST_CASE("a writer on a file system without locks" * doctest::skip()) {
  const char* setting = std::getenv("HDF5_USE_FILE_LOCKING");
  const made_up::Folder folder;
  const ResultsHeader header = made_up::header();
  const std::string path = folder / "results.h5";
  locks_fail = true;
  const std::string error = error_of([&] { write_slowly(path, header); });
  locks_fail = false;
  if (setting != nullptr && std::string{setting} == "TRUE") {
    CHECK(contains(error, "HDF5_USE_FILE_LOCKING=FALSE"));
    CHECK(contains(error, "No locks available"));
    CHECK(PartsFolder{path + ".parts"}.indices().size() == 7);  // nothing complete is lost
  } else {
    CHECK(error.empty());
    CHECK(read_results(path).outcomes[0].size() == 50);
  }
}

TEST_CASE("Without file locks everything works; told to need them, the message says how to switch them off") {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const std::string setting :
       {"-u HDF5_USE_FILE_LOCKING", "HDF5_USE_FILE_LOCKING=FALSE", "HDF5_USE_FILE_LOCKING=TRUE"}) {
    CAPTURE(setting);
    const std::string command = "env " + setting + " '" + self + "' -ns -tc='a writer on a file system without locks'";
    CHECK(std::system((command + " > /dev/null").c_str()) == 0);
  }
}

TEST_CASE("An HDF5 library that does not match its headers is told in a sentence") {
  CHECK(hdf5_mismatch({1, 10, 8}, {1, 10, 8}).empty());
  CHECK(contains(hdf5_mismatch({1, 10, 8}, {1, 12, 0}), "built for HDF5 1.10.8 but loads HDF5 1.12.0"));
  CHECK_NOTHROW(require_matching_hdf5());
}
