// What ./gridstride check --json says.

#include "viewer/course/exercise_panel.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { viewer::read_checked_exercise(std::string(text)); });
}
