#include "tests/cli/process.hpp"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fleetcast::tests {
namespace {

namespace fs = std::filesystem;

constexpr unsigned nobody = 65534;

std::string content_of(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Texts and the null-terminated array of pointers that exec wants.
class Texts {
 public:
  explicit Texts(std::vector<std::string> texts) : texts_{std::move(texts)} {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

Texts environment_of(const std::map<std::string, std::string>& variables) {
  const char* path = std::getenv("PATH");
  std::map<std::string, std::string> all{{"PATH", path ? path : "/usr/bin:/bin"}, {"LC_ALL", "C"}};
  for (const auto& [name, value] : variables) all[name] = value;
  std::vector<std::string> texts;
  for (const auto& [name, value] : all) texts.push_back(name + "=" + value);
  return Texts{std::move(texts)};
}

Texts command_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> texts{program};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  return Texts{std::move(texts)};
}

void redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file == -1 || dup2(file, descriptor) == -1) _exit(126);
  close(file);
}

/// Only in the child, between fork and exec.
[[noreturn]] void become(Texts& command, Texts& environment, const Surroundings& surroundings) {
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (!surroundings.folder.empty() && chdir(surroundings.folder.c_str()) != 0) _exit(126);
  if (surroundings.as_nobody && (setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(126);
  execve(command.data()[0], command.data(), environment.data());
  _exit(cannot_be_started);
}

int start(const std::string& program, const std::vector<std::string>& arguments, const Surroundings& surroundings,
          const std::string& out_path, const std::string& err_path) {
  Texts command = command_of(program, arguments);
  Texts environment = environment_of(surroundings.variables);
  const int process = fork();
  if (process != 0) return process;
  redirect(err_path, STDERR_FILENO);
  if (surroundings.out_closed)
    close(STDOUT_FILENO);
  else
    redirect(out_path, STDOUT_FILENO);
  become(command, environment, surroundings);
}

int code_of(int process) {
  int status = 0;
  while (waitpid(process, &status, 0) == -1) {
    if (errno != EINTR) throw std::runtime_error{"waitpid failed"};
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  // A pseudo terminal ends with an input/output error when the last writer has closed it.
  for (ssize_t count = 0; (count = read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace

Finished execute(const std::string& program, const std::vector<std::string>& arguments,
                 const Surroundings& surroundings) {
  const TemporaryFolder scratch;
  const std::string out = surroundings.out_path.empty() ? scratch.path() / "out" : fs::path{surroundings.out_path};
  const std::string err = scratch.path() / "err";
  const int code = code_of(start(program, arguments, surroundings, out, err));
  return {code, surroundings.out_path.empty() ? content_of(out) : "", content_of(err)};
}

Finished run_fleetcast(const std::vector<std::string>& arguments, const Surroundings& surroundings) {
  return execute(FLEETCAST_PROGRAM, arguments, surroundings);
}

Shown run_on_terminal(const std::vector<std::string>& arguments, int columns,
                      const std::map<std::string, std::string>& variables) {
  Texts command = command_of(FLEETCAST_PROGRAM, arguments);
  Texts environment = environment_of(variables);
  winsize size{.ws_row = 40, .ws_col = static_cast<unsigned short>(columns), .ws_xpixel = 0, .ws_ypixel = 0};
  int terminal = -1;
  const int process = forkpty(&terminal, nullptr, nullptr, &size);
  if (process == 0) become(command, environment, {});
  if (process == -1) throw std::runtime_error{"forkpty failed"};
  Shown shown{.code = 0, .text = read_all(terminal)};
  shown.code = code_of(process);
  close(terminal);
  return shown;
}

Running::Running(const std::vector<std::string>& arguments, const Surroundings& surroundings)
    : out_path_{scratch_.path() / "out"},
      err_path_{scratch_.path() / "err"},
      process_{start(FLEETCAST_PROGRAM, arguments, surroundings, out_path_, err_path_)} {}

Running::~Running() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Running::send(int signal) const {
  kill(process_, signal);
}

bool Running::goes_on() const {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

Finished Running::finish() {
  const int code = code_of(process_);
  process_ = -1;
  return {code, content_of(out_path_), content_of(err_path_)};
}

}  // namespace fleetcast::tests
