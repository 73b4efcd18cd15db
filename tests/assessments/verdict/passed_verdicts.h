#pragma once
// Three passed tasks, made up, for what shows or signs verdicts.

#include <map>
#include <string>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/verdict.h"

namespace assessments_test {

inline grader::verdict passed_verdict(const std::string& id, const std::string& name, const std::string& title,
                                      double points) {
  using enum grader::criterion_state;
  grader::verdict v;
  v.task_id = id;
  v.task_name = name;
  v.task_title = title;
  v.task_version = 1;
  v.file = "/home/ada/my/" + name + ".cpp";
  v.sha256 = std::string(62, 'a') + id.substr(0, 1) + "0";
  v.sha256[62] = id[1];
  v.graded = "2026-11-21T18:48:03Z";
  v.criteria = {{"correct", "Right for every size and kind of data", passed, 60, 60, true, "14 of 14 calls right"},
                {"clean", "Nothing found by the instruments", passed, 20, 20, true, "clean"},
                {"fast", "Twice as fast as the baseline", partly, points - 80, 20, false, "1.62 times as fast"}};
  v.speed = {{1.6237, 1.581, 1.666, 0.01234567891, 0.0200449, 25, true, "values 1,000,000"}};
  v.points = points;
  v.possible = 100;
  v.passed = true;
  v.isolation = "bubblewrap";
  v.device = "engine (AMD EPYC 9554 64-Core Processor, 4 cores)";
  v.machine = "AMD EPYC 9554 64-Core Processor, 4 cores";
  v.version = "0.1";
  return v;
}

inline std::map<std::string, grader::verdict> passed_verdicts() {
  return {{"A1", passed_verdict("A1", "neural_layer", "A neural layer", 93.75)},
          {"A2", passed_verdict("A2", "histogram", "A histogram", 100)},
          {"A3", passed_verdict("A3", "transpose", "A transpose", 81.5)}};
}

inline std::vector<grader::task> sample_course() {
  std::vector<grader::task> course;
  for (const auto& [id, v] : passed_verdicts()) {
    grader::task& t = course.emplace_back();
    t.id = id;
    t.name = v.task_name;
    t.title = v.task_title;
    t.part = id == "A1" ? 1 : 2;
    for (const grader::criterion_result& r : v.criteria) {
      grader::criterion& c = t.criteria.emplace_back();
      c.id = r.id;
      c.title = r.title;
      c.points = r.possible;
      c.required = r.required;
    }
  }
  return course;
}

inline std::vector<workbook::part_of_course> sample_parts() {
  return {{.number = 1, .title = "Universal functions"}, {.number = 2, .title = "Kernels"}};
}

}  // namespace assessments_test
