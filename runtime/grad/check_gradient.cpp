#include "runtime/grad/check_gradient.h"

#include <fmt/format.h>

namespace gs::inline GS_FLAVOUR {

std::string to_string(const gradient_check& check) {
  std::string place = fmt::format("argument {}", check.argument);
  if (check.extents.rank() > 0) {
    gs::shape position = check.extents;
    std::size_t rest = check.element;
    for (std::size_t d = position.rank(); d-- > 0;) {
      position[d] = rest % check.extents[d];
      rest /= check.extents[d];
    }
    place += fmt::format(", element {} of {}", to_string(position), to_string(check.extents));
  }
  return fmt::format("{}: the derivative is {:.12g}, and the central difference {:.12g}", place, check.derivative,
                     check.difference);
}

}  // namespace gs::inline GS_FLAVOUR
