#pragma once
// A workshop whose modules are functions of the test: nothing is compiled and no process starts.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assessments/grader/running/submission_workshop.h"

struct fake_workshop : grader::submission_workshop {
  using call_type =
      std::function<grader::call_result(const grader::test_case& c, std::uint64_t seed, bool inspect, bool baseline)>;

  call_type call = [](const grader::test_case&, std::uint64_t, bool, bool) { return grader::call_result{}; };
  std::optional<grader::mishap> compile_mishap;
  std::function<void(const workshop::source_file&)> on_compile = [](const workshop::source_file&) {};
  std::vector<workshop::flavour> compiled;
  std::uint64_t bytes_of_inputs = 0;
  std::string printed;

  struct called : grader::called_module {
    called(fake_workshop& w, bool b) : owner(w), is_baseline(b) {}
    grader::call_result call(const grader::test_case& c, std::uint64_t seed, bool inspect) override {
      return owner.call(c, seed, inspect, is_baseline);
    }
    std::string output() const override { return owner.printed; }
    fake_workshop& owner;
    bool is_baseline;
  };

  std::variant<grader::compiled_module, grader::mishap> compile(const workshop::source_file& source,
                                                                workshop::flavour f, unsigned) override {
    {
      const std::lock_guard lock(mutex_);  // flavours may be compiled side by side
      compiled.push_back(f);
      on_compile(source);
    }
    if (compile_mishap) return *compile_mishap;
    return grader::compiled_module{
        .module = "submission.so", .flavour = f, .seconds = 0, .on_gpu = false, .folder = nullptr};
  }
  std::unique_ptr<grader::called_module> start(const grader::compiled_module& module, unsigned) override {
    return std::make_unique<called>(*this, module.module == baseline_.module);
  }
  const grader::compiled_module& baseline() override { return baseline_; }
  std::uint64_t input_bytes(const grader::test_case&) const override { return bytes_of_inputs; }
  std::string isolation_name() const override { return "bubblewrap"; }

 private:
  std::mutex mutex_;
  grader::compiled_module baseline_{
      .module = "baseline.so", .flavour = workshop::flavour::plain, .seconds = 0, .on_gpu = false, .folder = nullptr};
};
