#include "runtime/libraries/refuse_beta.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

void refuse_beta_without_output(std::string_view call, double beta, std::string_view output) {
  throw error(fmt::format("{} with .beta = {}", call, beta), "no output was given whose elements it could scale",
              fmt::format("pass gs::out({}), or leave out .beta", output));
}

}  // namespace gs::inline GS_FLAVOUR::detail
