#include "courses/solution_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "courses/file_findings.h"
#include "courses/program_run.h"
#include "runtime/core/error.h"
#include "workbook/catalogue.h"
#include "workshop/build_parts.h"
#include "workshop/private_folder.h"

namespace courses {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class graded_solution {
 public:
  // `task` is its folder: A1_neural_layer.
  graded_solution(const std::string& task, const fs::path& file, const std::vector<std::string>& options)
      : place_("assessments/" + task), name_(file.filename().string()) {
    const workshop::private_folder my;  // a pass here must not become anybody's grade
    std::vector<std::string> command = {grade_program().string(), task.substr(0, task.find('_')), file.string(),
                                        "--json"};
    command.insert(command.end(), options.begin(), options.end());
    const program_outcome out = run_program(command, {{"GRIDSTRIDE_MY", my.path().string()}});
    status_ = out.status;
    if (status_ == 3) throw gs::machine_error("grade " + name_, out.error, "see to that");
    verdict_ = json::parse(out.output, nullptr, false);
    if (verdict_.is_discarded() || !verdict_.is_object())
      add(fmt::format("its {} isn't graded: {}", name_, out.error.substr(0, out.error.find('\n'))));
    else
      has_verdict_ = true;
  }

  bool has_verdict() const { return has_verdict_; }
  int status() const { return status_; }
  bool passed() const { return verdict_.at("passed"); }

  bool has_mishap(const std::string& kind) const {
    return std::ranges::any_of(verdict_.at("mishaps"), [&](const json& m) { return m.at("kind") == kind; });
  }
  /// "" for a criterion that the verdict doesn't have.
  std::string state_of(const std::string& criterion) const {
    for (const json& c : verdict_.at("criteria"))
      if (c.at("id") == criterion) return c.at("state");
    return "";
  }
  const json& criteria() const { return verdict_.at("criteria"); }
  const json& mishaps() const { return verdict_.at("mishaps"); }

  /// What happened, in one line: "mishaps wrong_answer; correctness failed, findings not_run".
  std::string description() const {
    std::vector<std::string> kinds, states;
    for (const json& m : mishaps()) kinds.push_back(m.at("kind"));
    for (const json& c : criteria())
      states.push_back(fmt::format("{} {}", c.at("id").get<std::string>(), c.at("state").get<std::string>()));
    return fmt::format("{}{}{}", fmt::join(kinds, ", "), kinds.empty() ? "" : "; ", fmt::join(states, ", "));
  }

  void add(std::string text) { found_.push_back({place_, std::move(text)}); }
  std::vector<finding> take() { return std::move(found_); }
  const std::string& name() const { return name_; }

 private:
  std::string place_, name_;
  int status_ = -1;
  json verdict_;
  bool has_verdict_ = false;
  std::vector<finding> found_;
};

// The criteria that right solutions are graded without.
bool is_timed(const json& criterion) { return criterion.at("id") == "speed" || criterion.at("id") == "bandwidth"; }

struct expectation {
  std::vector<std::string> any_of;
  bool whole = false;
};

// Reads "a or b, graded whole".
expectation read_expectation(std::string line) {
  expectation expected;
  if (const std::size_t end = line.find(", graded whole"); end != line.npos) {
    expected.whole = true;
    line.erase(end);
  }
  for (std::size_t end; (end = line.find(" or ")) != std::string::npos; line.erase(0, end + 4))
    expected.any_of.push_back(line.substr(0, end));
  expected.any_of.push_back(line);
  return expected;
}

const std::string of_criterion = "criterion:";

bool happened(const graded_solution& solution, const std::string& expected) {
  if (!expected.starts_with(of_criterion)) return solution.has_mishap(expected);
  const std::string state = solution.state_of(expected.substr(of_criterion.size()));
  return state == "failed" || state == "partly";
}

}  // namespace

fs::path grade_program() {
  return workbook::course_build(workshop::build_folder(workshop::flavour::plain)) /
         "assessments/grader/gridstride-grade";
}

std::vector<finding> right_solution_findings(const std::string& task, const fs::path& file, bool every_size) {
  std::vector<std::string> options = {"--no-speed"};
  if (!every_size) options.insert(options.end(), {"--memory", "500MB"});
  graded_solution s(task, file, options);
  if (!s.has_verdict()) return s.take();
  const bool as_it_should = std::ranges::all_of(
      s.criteria(), [](const json& c) { return c.at("state") == (is_timed(c) ? "not_run" : "passed"); });
  if (s.status() != 0 || !s.passed() || !as_it_should || !s.mishaps().empty())
    s.add(fmt::format("its right solution {} doesn't pass: {}", s.name(), s.description()));
  return s.take();
}

std::vector<finding> wrong_solution_findings(const std::string& task, const fs::path& file) {
  const std::string line = expected_reason(file);
  const expectation expected = read_expectation(line);
  std::vector<std::string> options = {"--memory", "500MB"};
  if (!expected.whole) options.push_back("--until-first-failure");
  if (expected.any_of.front() != "criterion:speed") options.push_back("--no-speed");
  graded_solution s(task, file, options);
  if (!s.has_verdict()) return s.take();
  // A solution that must fail one criterion must be right in everything else.
  const bool is_of_criterion = expected.any_of.front().starts_with(of_criterion);
  if (is_of_criterion ? s.state_of("correctness") != "passed" : s.passed())
    s.add(fmt::format("its wrong solution {} {}: {}", s.name(),
                      is_of_criterion ? "gives wrong answers, but should fail one criterion only" : "passes",
                      s.description()));
  else if (std::ranges::none_of(expected.any_of, [&](const std::string& one) { return happened(s, one); }))
    s.add(fmt::format("its wrong solution {} isn't rejected for '{}', but: {}", s.name(), line, s.description()));
  return s.take();
}

std::vector<finding> starter_findings(const std::string& task, const fs::path& file) {
  graded_solution s(task, file, {"--until-first-failure"});
  if (!s.has_verdict()) return s.take();
  if (s.status() != 1 || s.passed() || s.state_of("correctness") == "passed")
    s.add(fmt::format("its {} passes before anybody has done anything: {}", s.name(), s.description()));
  else if (s.has_mishap("compile_error") || !s.has_mishap("wrong_answer"))
    s.add(fmt::format("its {} doesn't compile and give wrong answers: {}", s.name(), s.description()));
  return s.take();
}

}  // namespace courses
