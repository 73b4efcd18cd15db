// The text of a lesson.

#include "viewer/text/markdown.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { viewer::read_markdown(text); });
}
