// What bench --against compares with.

#include "bench/report/baseline.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { bench::read_baseline_text(text, "then.json"); });
}
