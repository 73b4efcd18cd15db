// A lesson that goes on for long after its first report, in the way its parameter selects: for Ctrl-C. It prints
// "begun" when it starts to.

#include <unistd.h>

#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"

namespace {

GS_FN void say_begun() { [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, "begun\n", 6); }

}  // namespace

GS_FN void write_in_turn(gs::thread t, gs::view<float> x) { x[0] = static_cast<float>(t.grid()); }  // a race

GS_FN void go_on_for_long(gs::thread t, gs::view<float> x) {
  if (t.grid() == 0) say_begun();
  for (long k = 0; k < 1'000'000'000'000; ++k) x[t.grid()] = x[t.grid()] * 0.5f + 1;
}

GS_FN void compute_for_long(gs::thread t, gs::view<float> x) {
  if (t.grid() == 0) say_begun();
  volatile float sum = 0;
  for (long k = 0; k < 1'000'000'000'000; ++k) sum = sum * 0.5f + 1;
  x[t.grid()] = sum;
}

namespace {

void run(const workbook::parameters& values, workbook::report& report) {
  report.paragraph("What was found before.");
  report.check("a check before", false);
  auto x = gs::to_device(std::vector<float>(64));
  gs::launch<write_in_turn>({.grid = 2, .block = 32}, x);
  gs::synchronize();
  if (values.choice("how") == "kernel") gs::launch<go_on_for_long>({.grid = 2, .block = 32}, x);
  if (values.choice("how") == "no_access") gs::launch<compute_for_long>({.grid = 2, .block = 32}, x);
  if (values.choice("how") == "host") {
    say_begun();
    for (;;) pause();
  }
  gs::synchronize();
  report.paragraph("What was found after.");
}

}  // namespace

workbook::lesson workbook::this_lesson() {
  return {.number = 97,
          .name = "long",
          .title = "How to wait",
          .summary = "Lasts.",
          .parameters = {workbook::choice{
              .name = "how", .text = "what lasts", .choices = {"no", "kernel", "no_access", "host"}}},
          .run = run};
}
