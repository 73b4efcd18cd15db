// The range of an axis, from numbers that a file holds.

#include <bit>
#include <cstdlib>
#include <cstring>

#include "workbook/plot/scale.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) {
    double ends[4] = {};
    std::memcpy(ends, text.data(), std::min(text.size(), sizeof ends));
    for (const bool log : {false, true}) {
      workbook::interval data_range;
      data_range.add(ends[0]);
      data_range.add(ends[1]);
      workbook::axis a{.log = log};
      if (text.size() > 16) a.min = ends[2];
      if (text.size() > 24) a.max = ends[3];
      const workbook::scale s = workbook::scale_for(a, data_range, 0.05);
      if (!(s.low() < s.high()) || workbook::ticks_for(s, 5).ticks.size() > 1000) std::abort();
    }
  });
}
