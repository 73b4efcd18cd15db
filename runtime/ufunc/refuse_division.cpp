#include "runtime/ufunc/refuse_division.h"

#include <fmt/format.h>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

std::string number_text(double value) { return fmt::format("{:g}", value); }
std::string number_text(long long value) { return fmt::format("{}", value); }
std::string number_text(unsigned long long value) { return fmt::format("{}", value); }

void refuse_division(std::string_view function, const std::string& operands, std::optional<std::size_t> element) {
  const std::string call =
      operands.empty() ? fmt::format("a call of {}", function) : fmt::format("{}({})", function, operands);
  const std::string place = element ? fmt::format(" for element {} of the result", *element) : "";
  throw error(fmt::format("ufunc {}", function),
              fmt::format("{}{} divides an integer by zero, or the most negative one by -1", call, place),
              "test the divisor in the function and return what the result is to be, as NumPy gives 0: on a GPU it "
              "would be some number");
}

}  // namespace gs::inline GS_FLAVOUR::detail
