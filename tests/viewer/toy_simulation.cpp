// A simulation whose fields are known in advance, and that fails in the way its parameters select. Edition 2 is the
// same lesson, built again.

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "runtime/core/error.h"
#include "workbook/lesson.h"

namespace {

struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
  const char* what() const noexcept override { return "an exception that only the module knows"; }
};

// Every cell of the second field grows by `rate`, or doubles; the first stays what it was; the third has both signs.
// Columns are 3 more than rows.
class toy final : public workbook::simulation {
 public:
  explicit toy(const workbook::parameters& values) : rows_(values.size()), field_(rows_ * (rows_ + 3), 1.0f) {
    change(values);
    if (fail_ == "beginning") throw failure("at the beginning");
  }
  void change(const workbook::parameters& values) override {
    rate_ = static_cast<float>(values.real("rate"));
    doubles_ = values.choice("kernel") == "double";
    fail_ = values.choice("fail");
  }
  void step(std::size_t n) override {
    if (fail_ == "step") throw gs::error("the toy's step", "it was told to fail", "choose another value for fail");
    while (fail_ == "never ends") std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (std::size_t k = 0; k < n; ++k)
      for (float& v : field_) v = doubles_ ? 2 * v : v + rate_;
    steps_ += n;
  }
  std::size_t steps() const override { return steps_; }
  std::vector<workbook::heat_map> originals() const override {
    return {picture("Before", std::vector<float>(field_.size(), 1.0f))};
  }
  std::vector<workbook::heat_map> fields() const override {
    std::vector<float> from_mean(field_);  // of both signs, once the field isn't all alike
    for (std::size_t i = 0; i < from_mean.size(); ++i) from_mean[i] -= i % 2 == 0 ? 0.5f : 2.5f;
    return {picture("Now", field_), picture("Around two", std::move(from_mean))};
  }

 private:
  workbook::heat_map picture(std::string title, std::vector<float> values) const {
    return {.title = std::move(title), .rows = rows_, .columns = rows_ + 3, .values = std::move(values)};
  }

  std::size_t rows_, steps_ = 0;
  std::vector<float> field_;
  float rate_ = 0;
  bool doubles_ = false;
  std::string fail_;
};

void run(const workbook::parameters&, workbook::report&) {}

}  // namespace

workbook::lesson workbook::this_lesson() {
  return {
      .number = 97,
      .name = TOY_EDITION == 3 ? "toy_with_a_name_longer_than_most" : "toy",
      .title = TOY_EDITION == 1 ? "A toy that grows" : "A toy that was built again",
      .summary = "Grows.",
      .parameters = {workbook::integer{.name = "size", .text = "rows", .min = 1, .max = 500, .default_value = 5},
                     workbook::real{.name = "rate", .text = "growth", .min = 0, .max = 4, .default_value = 1},
                     workbook::choice{.name = "kernel", .text = "how it grows", .choices = {"add", "double"}},
                     workbook::choice{
                         .name = "fail", .text = "how it fails", .choices = {"no", "beginning", "step", "never ends"}}},
      .run = run,
      .simulate = [](const workbook::parameters& values) -> std::unique_ptr<workbook::simulation> {
        return std::make_unique<toy>(values);
      }};
}
