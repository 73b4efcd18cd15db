// expect: wrong_answer
// Turns the runner's own steps around: while the call is being prepared, which isn't timed, all the work is done; when
// it is timed, nothing is left to do.

#include "assessments/A1_neural_layer/task.h"

extern "C" void* gridstride_submission();

namespace {

// The entry's virtual functions: two destructors, prepare, run, deliver.
using step = void (*)(void*, const void*);
enum { prepare = 2, run = 3, steps = 5 };
step known[steps], mine[steps];

void prepare_and_run(void* self, const void* call) {
  known[prepare](self, call);
  known[run](self, nullptr);
}

void do_nothing(void*, const void*) {}

struct early {
  early() {
    auto& table = *static_cast<step**>(gridstride_submission());
    for (int k = 0; k < steps; ++k) mine[k] = known[k] = table[k];
    mine[prepare] = prepare_and_run;
    mine[run] = do_nothing;
    table = mine;
  }
} before_main;

}  // namespace

std::vector<float> create_hidden_layer(std::size_t n, std::span<const float> x, std::span<const float> w) {
  std::vector<float> y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<float>(std::tanh(double{x[i]} / 255 * double{w[i]}));
  return y;
}
