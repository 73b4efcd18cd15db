// The hints of an exercise.

#include "workbook/exercise/hints.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { workbook::read_hints(text); });
}
