// How the runner calls a solution of A5: arrays that are on the device already.

#include "assessments/runner/entry.h"
#include "assessments/A5_stream_compaction/task.h"
#include "assessments/runner/device_argument.h"

namespace {

class stream_compaction_task final : public runner::submission {
 public:
  void prepare(const runner::call& c) override {
    values_.bring(c.arrays[0]);
    kept_.bring(c.arrays[1]);
    threshold_ = static_cast<float>(c.numbers[0]);
  }
  void run() override {
    compact(values_.array(), threshold_, kept_.array());
    gs::synchronize();
  }
  void deliver() override {
    values_.deliver();
    kept_.deliver();
  }

 private:
  runner::device_argument<float> values_, kept_;
  float threshold_ = 0;
};

}  // namespace

runner::submission* gridstride_submission() {
  static auto* const submission = new stream_compaction_task;
  return submission;
}
