#include "analysis/cli/refuse.hpp"

#include <utility>

#include "models/errors.hpp"

namespace fleetcast::cli {

void refuse(std::string problem, std::string allowed, std::string nearest) {
  throw models::InputError{{{.file = {},
                             .pointer = {},
                             .problem = std::move(problem),
                             .allowed = std::move(allowed),
                             .nearest = std::move(nearest)}}};
}

}  // namespace fleetcast::cli
