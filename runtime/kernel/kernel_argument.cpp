#include "runtime/kernel/kernel_argument.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

namespace {
std::string text_of(const argument_name& name) {
  return fmt::format("argument {} of a launch of {}", name.number, name.kernel);
}
}  // namespace

void check_argument(const argument_name& name, function_ref<void()> check) {
  try {
    check();
  } catch (const error& e) {
    throw error(fmt::format("{}, {}", text_of(name), e.asked()), e.found(), e.advice());
  }
}

void refuse_integer(const argument_name& name, const std::string& dtype) {
  throw error(fmt::format("{} as {}", text_of(name), dtype), "its value doesn't fit", "widen the kernel's parameter");
}

}  // namespace gs::inline GS_FLAVOUR::detail
