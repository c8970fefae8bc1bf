#include "analysis/cli/interrupt.hpp"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "models/errors.hpp"

namespace fleetcast::cli {
namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  return set;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC);
  end_ = eventfd(0, EFD_CLOEXEC);
  models::require(signals_ >= 0 && end_ >= 0, "signalfd and eventfd give a descriptor");
  watcher_ = std::thread{[this] { watch(); }};
}

InterruptWatch::~InterruptWatch() {
  eventfd_write(end_, 1);
  watcher_.join();
  close(signals_);
  close(end_);
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void InterruptWatch::watch() {
  pollfd sources[] = {{.fd = signals_, .events = POLLIN, .revents = 0}, {.fd = end_, .events = POLLIN, .revents = 0}};
  while (poll(sources, 2, -1) < 0) {}
  signalfd_siginfo info{};
  if ((sources[0].revents & POLLIN) == 0 || read(signals_, &info, sizeof info) != sizeof info) return;
  requested_ = true;
  // From here on this thread takes the signals as they come: the next one has its default effect.
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  while (poll(&sources[1], 1, -1) < 0) {}
}

}  // namespace fleetcast::cli
