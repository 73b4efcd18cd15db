#pragma once
// A call of a task's function as the grader holds it: inputs made by the problem, outputs written by the test.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assessments/grader/tasks/elements.h"
#include "assessments/grader/tasks/problem.h"
#include "runtime/core/error.h"

class problem_call {
 public:
  problem_call(const grader::problem& p, grader::test_case c, std::uint64_t seed)
      : problem_(p), case_(std::move(c)), plan_(p.plan(case_)) {
    std::vector<std::span<std::byte>> inputs;
    for (const grader::array_plan& a : plan_.arrays) {
      std::size_t bytes = a.element_bytes;
      for (const std::size_t extent : a.extents) bytes *= extent;
      arrays_.emplace_back(bytes, std::byte{0xa5});
      inputs.push_back(is_output(a) ? std::span<std::byte>() : std::span(arrays_.back()));
    }
    problem_.make_inputs(case_, seed, inputs);
  }

  const grader::call_plan& plan() const { return plan_; }
  std::size_t size(std::size_t k) const { return arrays_[k].size() / plan_.arrays[k].element_bytes; }
  template <class T>
  std::span<T> array(std::size_t k) {
    return grader::elements<T>(std::span(arrays_[k]));
  }
  const std::vector<std::byte>& bytes(std::size_t k) const { return arrays_[k]; }
  std::optional<grader::wrong_answer> check() const {
    const std::vector<std::span<const std::byte>> spans(arrays_.begin(), arrays_.end());
    return problem_.check(case_, spans);
  }

 private:
  static bool is_output(const grader::array_plan& a) {
    return a.role == grader::array_role::host_output || a.role == grader::array_role::device_output;
  }

  const grader::problem& problem_;
  grader::test_case case_;
  grader::call_plan plan_;
  std::vector<std::vector<std::byte>> arrays_;  // from operator new: aligned for any element
};

/// The message of the gs::error that `body` throws.
template <class Body>
std::string refusal(const Body& body) {
  try {
    body();
  } catch (const gs::error& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

/// First, middle and last index of n elements.
inline std::vector<std::size_t> some_of(std::size_t n) {
  if (n == 0) return {};
  return {0, n / 2, n - 1};
}
