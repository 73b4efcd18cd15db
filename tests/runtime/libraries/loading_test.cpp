// A program that calls neither gemm nor an FFT nor sort loads none of their libraries.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "runtime/gs.h"

TEST(libraries, are_not_loaded_by_programs_that_do_not_call_them) {
  EXPECT_EQ(gs::device_array<float>(3).size(), 3u);
  std::ifstream maps("/proc/self/maps");
  ASSERT_TRUE(maps);
  for (std::string line; std::getline(maps, line);)
    for (const char* name : {"libopenblas", "libfftw3", "libgridstride_libraries", "libcublas", "libcufft"})
      EXPECT_EQ(line.find(name), line.npos) << line;
}
