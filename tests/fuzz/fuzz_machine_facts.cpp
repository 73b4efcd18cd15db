// What ./gridstride doctor --json says.

#include "viewer/pages/machine_facts.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { viewer::read_machine_facts(text); });
}
