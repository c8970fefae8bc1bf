#include "analysis/cli/answer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <system_error>

namespace fleetcast::cli {

void secure_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() takes the lowest free number, which is this one. Read-only: writing to it stays an error.
    if (open("/dev/null", O_RDONLY) == -1) return;
  }
}

void write_answer(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      throw ReaderGone{"the reader of standard output has closed it"};
    } else if (errno != EINTR) {
      throw models::OutputError{"standard output could not be written: " + std::generic_category().message(errno)};
    }
  }
}

}  // namespace fleetcast::cli
