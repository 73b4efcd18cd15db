#include <functional>
#include <numeric>
#include <optional>

#include "assessments/grader/running/submission_workshop.h"
#include "assessments/grader/tasks/problem.h"
#include "runtime/core/error.h"

namespace grader {

using workshop::flavour, workshop::isolation, workshop::source_file;
namespace {

class module_in_sandbox : public called_module {
 public:
  module_in_sandbox(const task& t, const problem& p, const compiled_module& module, isolation level, unsigned slot,
                    bool closed)
      : process_(t, p, module, level, slot, closed) {}
  call_result call(const test_case& c, std::uint64_t seed, bool inspect) override {
    return process_.call(c, seed, inspect);
  }
  std::string output() const override { return process_.output(); }

 private:
  submission_process process_;
};

class sandboxes : public submission_workshop {
 public:
  sandboxes(const task& t, isolation level, const std::string& gpu)
      : task_(t),
        problem_(problem_of(t.id)),
        level_(level),
        gpu_(gpu),
        baseline_(built_baseline(t, at_work(flavour::plain))) {}

  std::variant<compiled_module, mishap> compile(const source_file& source, flavour f, unsigned slot) override {
    return grader::compile(task_, source, at_work(f), level_, slot);
  }
  std::unique_ptr<called_module> start(const compiled_module& module, unsigned slot) override {
    return std::make_unique<module_in_sandbox>(task_, *problem_, module, level_, slot, false);
  }
  std::unique_ptr<called_module> start_closed(const compiled_module& module, unsigned slot) override {
    return std::make_unique<module_in_sandbox>(task_, *problem_, module, level_, slot, true);
  }
  const compiled_module& baseline() override {
    if (!baseline_)
      throw gs::machine_error("timing the baseline of " + task_.id, "the task has none, or it isn't built",
                              "write " + (task_.folder / "baseline.cpp").string() + " and build submission_parts");
    return *baseline_;
  }
  std::uint64_t input_bytes(const test_case& c) const override {
    std::uint64_t bytes = 0;
    for (const array_plan& a : problem_->plan(c).arrays)
      if (a.role == array_role::device_input)
        bytes += a.element_bytes * std::accumulate(a.extents.begin(), a.extents.end(), std::uint64_t{1},
                                                   std::multiplies<std::uint64_t>());
    return bytes;
  }
  std::string isolation_name() const override { return to_string(level_); }
  std::string device_name() const override { return gpu_.empty() ? submission_workshop::device_name() : gpu_; }

 private:
  flavour at_work(flavour f) const { return f == flavour::plain && !gpu_.empty() ? flavour::cuda : f; }

  const task& task_;
  std::unique_ptr<problem> problem_;
  isolation level_;
  std::string gpu_;
  std::optional<compiled_module> baseline_;
};

}  // namespace

std::unique_ptr<submission_workshop> sandboxed_workshop(const task& t, isolation level, const std::string& gpu) {
  return std::make_unique<sandboxes>(t, level, gpu);
}

}  // namespace grader
