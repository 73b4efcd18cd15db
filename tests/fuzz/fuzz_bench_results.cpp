// What the page of timings shows.

#include "viewer/timings/bench_results.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { viewer::read_bench_run(std::string(text), "run.json"); });
}
