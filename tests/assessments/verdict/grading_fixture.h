#pragma once
// The fixture of what tests grading: a task, a file, and a workshop whose calls are functions of the test.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "assessments/grader/verdict/grade.h"
#include "tests/assessments/verdict/fake_workshop.h"
#include "tests/temporary_folder.h"

namespace grade_test {

namespace fs = std::filesystem;
using grader::call_result, grader::criterion_kind, grader::criterion_state, grader::mishap, grader::mishap_kind,
    grader::test_case, grader::verdict;

inline test_case sized(std::uint64_t n) { return {.sizes = {{"values", n}}, .data = "normal"}; }

inline call_result wrong(mishap_kind kind) {
  call_result r;
  r.went_wrong.emplace();
  r.went_wrong->kind = kind;
  r.went_wrong->text = "It went wrong.";
  return r;
}

class grading : public testing::Test {
 protected:
  grading() {
    file = folder / "mine.cpp";
    std::ofstream(file) << "// mine\n";
    task.id = "A9";
    task.name = "sums";
    task.public_cases = {sized(0), sized(1), sized(33)};
    task.hidden_cases = {sized(31), sized(1009)};
    add(criterion_kind::correctness, "right", 40).required = true;
    task.criteria[0].cases.clear();
    fake.bytes_of_inputs = 4000;
  }

  grader::criterion& add(criterion_kind kind, const std::string& id, double points) {
    grader::criterion c;
    c.kind = kind;
    c.id = c.title = id;
    c.points = points;
    c.cases = {sized(1000)};
    return task.criteria.emplace_back(c);
  }
  verdict grade(grader::grade_options options = {}) { return grader::grade(task, file, fake, options); }
  static const grader::criterion_result& result(const verdict& v, const std::string& id) {
    return *std::ranges::find(v.criteria, id, &grader::criterion_result::id);
  }

  const gridstride_test::temporary_folder own_;
  fs::path folder = own_.path(), file;
  grader::task task;
  fake_workshop fake;
};

}  // namespace grade_test
