#include "analysis/cli/terminal.hpp"

#include <langinfo.h>
#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace fleetcast::cli {
namespace {

constexpr int least_columns = 20, default_columns = 100, most_columns = 1000;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Asks the locale of the environment without making it the program's own.
bool locale_is_utf8() {
  const locale_t environment = newlocale(LC_CTYPE_MASK, "", nullptr);
  if (environment == nullptr) return false;
  const bool utf8 = std::string_view{nl_langinfo_l(CODESET, environment)} == "UTF-8";
  freelocale(environment);
  return utf8;
}

int columns_of_environment() {
  return std::atoi(std::string{variable("COLUMNS")}.c_str());
}

}  // namespace

Terminal inspect_terminal() {
  const std::string_view type = variable("TERM");
  return {.shows_answer = isatty(STDOUT_FILENO) == 1,
          .shows_messages = isatty(STDERR_FILENO) == 1,
          .unicode = locale_is_utf8(),
          .plain = !variable("NO_COLOR").empty() || type.empty() || type == "dumb"};
}

int columns_of(int descriptor) {
  winsize size{};
  int columns = ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (columns <= 0) columns = columns_of_environment();
  if (columns <= 0) columns = default_columns;
  return std::clamp(columns, least_columns, most_columns);
}

analysis::Style answer_style(const Terminal& terminal, ColorChoice color) {
  const bool wanted = terminal.shows_answer && !terminal.plain;
  return {.width = columns_of(STDOUT_FILENO),
          .unicode = terminal.unicode,
          .color = color == ColorChoice::always || (color == ColorChoice::automatic && wanted)};
}

}  // namespace fleetcast::cli
