// A learner's progress.txt.

#include "workbook/exercise/progress.h"

#include <cstdlib>

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) {
    const std::string text_read = workbook::progress::read(text).to_text();
    if (workbook::progress::read(text_read).to_text() != text_read) std::abort();  // what is written is read as it is
  });
}
