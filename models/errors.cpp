#include "models/errors.hpp"

#include <utility>

namespace fleetcast::models {
namespace {

std::string place(const Fault& fault) {
  std::string text = fault.file;
  if (fault.line > 0) {
    text += ':' + std::to_string(fault.line);
    if (fault.column > 0) text += ':' + std::to_string(fault.column);
  }
  if (!text.empty()) text += ": ";
  if (!fault.pointer.empty()) text += fault.pointer + ": ";
  return text;
}

std::string joined(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    if (!text.empty()) text += '\n';
    text += describe(fault);
  }
  return text;
}

}  // namespace

std::string describe(const Fault& fault) {
  std::string hint;
  if (!fault.allowed.empty()) hint = "allowed: " + fault.allowed;
  if (!fault.nearest.empty()) {
    if (!hint.empty()) hint += "; ";
    hint += "did you mean \"" + fault.nearest + "\"?";
  }
  std::string text = place(fault) + fault.problem;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

InputError::InputError(std::vector<Fault> faults) : std::runtime_error{joined(faults)}, faults_{std::move(faults)} {}

void require(bool holds, std::string_view what, std::source_location where) {
  if (holds) return;
  throw ContractError{std::string{where.file_name()} + ':' + std::to_string(where.line()) + ": " + std::string{what}};
}

}  // namespace fleetcast::models
