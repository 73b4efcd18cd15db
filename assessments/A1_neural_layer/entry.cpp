// How the runner calls a solution of A1: host arrays in, a host array out.

#include <cstring>
#include <string>

#include "assessments/A1_neural_layer/task.h"
#include "assessments/runner/entry.h"

namespace {

std::span<const float> floats(const runner::argument& a) { return {reinterpret_cast<const float*>(a.in), a.size()}; }

class neural_layer final : public runner::submission {
 public:
  void prepare(const runner::call& c) override {
    greyscales_ = floats(c.arrays[0]);
    weights_ = floats(c.arrays[1]);
    out_ = c.arrays[2];
  }
  void run() override {
    const std::size_t n = out_.size();
    const std::vector<float> layer = create_hidden_layer(n, greyscales_, weights_);
    gs::synchronize();
    if (layer.size() != n)
      throw runner::wrong_shape(std::to_string(n) + " values were asked for, " + std::to_string(layer.size()) +
                                " were returned");
    // On all cores: the answer's way to the grader is timed, too, and should take as little of the time as it can.
    gs::for_pieces(n, std::size_t{1} << 16, [&](std::size_t begin, std::size_t end) {
      std::memcpy(out_.out + begin * sizeof(float), layer.data() + begin, (end - begin) * sizeof(float));
    });
  }
  void deliver() override {}

 private:
  std::span<const float> greyscales_, weights_;
  runner::argument out_;
};

}  // namespace

runner::submission* gridstride_submission() {
  static auto* const submission = new neural_layer;
  return submission;
}
