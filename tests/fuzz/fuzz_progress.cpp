// A learner's progress.txt.

#include "workbook/exercise/progress.h"

#include <cstdlib>

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) {
    const std::string once = workbook::progress::read(text).to_text();
    if (workbook::progress::read(once).to_text() != once) std::abort();  // what is written is read as it is
  });
}
