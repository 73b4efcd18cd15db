// A lesson that crashes in every way a lesson can, as its parameters ask, after it has reported something.

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

namespace {

struct place {
  volatile int* at;
};

GS_FN void write_to(gs::thread t, place p, gs::view<int> x) {
  x[t.grid()] = 1;
  if (t.grid() == 40) *p.at = 1;  // in a kernel
}
GS_FN void abort_in(gs::thread t, gs::view<int> x) {
  if (t.grid() == 40) std::abort();  // abort in a kernel
  x[t.grid()] = 1;
}
GS_FN void terminate_in(gs::thread t, gs::view<int> x) {
  if (t.grid() == 40) std::terminate();  // terminate in a kernel
  x[t.grid()] = 1;
}

int descend(int depth, volatile int* sum) {
  volatile int frame[256] = {depth};  // the host's recursion
  *sum = *sum + frame[0];
  return depth == 0 ? 0 : descend(depth - 1, sum) + frame[0];
}

void crash(const std::string& kind) {
  volatile int* null_pointer = nullptr;
  volatile int zero = 0;
  auto x = gs::to_device(std::vector<int>(64));
  if (kind == "null") *null_pointer = 1;    // on the host
  if (kind == "division") zero = 7 / zero;  // the host's division
  if (kind == "overflow") descend(1 << 30, &zero);
  if (kind == "abort") std::abort();                                     // the host's abort
  if (kind == "terminate") std::terminate();                             // the host's terminate
  if (kind == "trap") __builtin_trap();                                  // what is no instruction
  if (kind == "thread") std::thread([&] { *null_pointer = 1; }).join();  // on a thread of the host
  if (kind == "heap") {
    volatile std::ptrdiff_t offset_before = -16;
    char* const block = new char[24];
    std::memset(block + offset_before, 0x55, 16);  // what malloc keeps there
    delete[] block;                                // on the heap
  }
  if (kind == "kernel") gs::launch<write_to>({.grid = 2, .block = 32}, place{null_pointer}, x);
  if (kind == "kernel_abort") gs::launch<abort_in>({.grid = 2, .block = 32}, x);
  if (kind == "kernel_terminate") gs::launch<terminate_in>({.grid = 2, .block = 32}, x);
  gs::synchronize();
}

void run(const workbook::parameters& values, workbook::report& report) {
  report.paragraph("What was found before.");
  report.check("a check before", true);
  crash(values.choice("how"));
  report.paragraph("What was found after.");
}

}  // namespace

workbook::lesson workbook::this_lesson() {
  return {
      .number = 98,
      .name = "crash",
      .title = "How to fall",
      .summary = "Crashes.",
      .parameters = {workbook::choice{.name = "how",
                                      .text = "how to crash",
                                      .choices = {"no", "null", "division", "overflow", "abort", "terminate", "trap",
                                                  "thread", "heap", "kernel", "kernel_abort", "kernel_terminate"}}},
      .run = run};
}
