#include "courses/exercise_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "courses/file_findings.h"
#include "exercises/check/check_exercise.h"
#include "exercises/check/compile_exercise.h"
#include "exercises/check/run_checks.h"
#include "workshop/file_text.h"

namespace courses {
namespace {

namespace fs = std::filesystem;
using exercises::exercise_program, exercises::exercise_result;

constexpr std::size_t together = 8;  // so that the compiler needs less than its minute, on a busy machine, too

enum class role { solution, wrong, starter };
struct trial {
  fs::path file;
  role as;
};

// "uninitialized_read" is "uninitialized read".
std::string words(std::string text) {
  std::ranges::replace(text, '_', ' ');
  return text;
}

// Whether a wrong solution was rejected for the reason that its first line names: the first failing check, the kind of
// a finding or its hint, or what ended the program.
bool is_the_reason(const std::string& expected, const exercise_result& r) {
  std::vector<std::string> reasons = {std::string(to_string(r.outcome)), r.text};
  if (const auto* c = r.first_failed_check()) reasons.push_back(c->name);
  for (const gs::finding& f : r.findings) {
    reasons.emplace_back(to_string(f.kind));
    reasons.push_back(f.hint);
  }
  return std::ranges::any_of(reasons,
                             [&](const std::string& one) { return words(one).find(words(expected)) != one.npos; });
}

// The outcome, in one line.
std::string description(const exercise_result& r) {
  std::string text(to_string(r.outcome));
  if (!r.text.empty()) text += ", " + r.text;
  if (const auto* c = r.first_failed_check())
    text +=
        c->expected.empty() ? ", " + c->name : fmt::format(", {}: expected {}, got {}", c->name, c->expected, c->got);
  for (const gs::finding& f : r.findings) text += fmt::format(", {}", to_string(f.kind));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string includes_of_file(const fs::path& source) {
  return includes_of(workshop::read_text(source, "reading " + source.string()));
}

// A learner's file that holds all of them: the first as it is, ahead of any other headers, and each of the others in a
// namespace with checks of its own. The checks that include the file itself are those of the first. The program's name
// is a number, which selects whose checks it runs.
std::string all_in_one_file(const std::vector<trial>& trials, const fs::path& checks) {
  std::string includes = "#include <errno.h>\n#include <cstdlib>\n" + includes_of_file(checks), text, exercises;
  for (std::size_t k = 1; k < trials.size(); ++k) {
    includes += includes_of_file(trials[k].file);
    const std::string name = fmt::format("other_{}", k);
    text += "#undef GRIDSTRIDE_EXERCISE\n#define GRIDSTRIDE_EXERCISE \"" + trials[k].file.string() + "\"\n" +
            "namespace " + name + " {\nnamespace workbook { using namespace ::workbook; exercise this_exercise(); }\n" +
            "#include \"" + checks.string() + "\"\n}\n";
    exercises += ", " + name + "::workbook::this_exercise";
  }
  const std::string first = trials.front().file.string();
  return "#include \"" + first + "\"\n" + includes + text + "namespace workbook { exercise first_exercise(); }\n" +
         "workbook::exercise workbook::this_exercise() {\n" + "  exercise (*const all[])() = {first_exercise" +
         exercises + "};\n" +
         "  return all[std::atoi(program_invocation_short_name)]();\n}\n#define this_exercise first_exercise\n" +
         "#undef GRIDSTRIDE_EXERCISE\n#define GRIDSTRIDE_EXERCISE \"" + first + "\"\n";
}

class tried_exercise {
 public:
  explicit tried_exercise(const workbook::catalogue_exercise& exercise)
      : exercise_(exercise), place_("lessons/" + exercise.folder()) {}

  std::vector<finding> findings() {
    const fs::path course = workbook::course_root(), folder = course / "lessons" / exercise_.folder();
    std::vector<trial> trials = {{folder / "solution.cpp", role::solution}};
    for (const fs::path& file : sources_in(wrong_solutions_of(course, exercise_)))
      trials.push_back({file, role::wrong});
    trials.push_back({folder / "exercise.cpp", role::starter});
    for (std::size_t first = 0; first < trials.size(); first += together) {
      const auto begin = trials.begin() + static_cast<std::ptrdiff_t>(first);
      try_together({begin, begin + static_cast<std::ptrdiff_t>(std::min(together, trials.size() - first))});
    }
    return std::move(found_);
  }

 private:
  void add(std::string text) { found_.push_back({place_, std::move(text)}); }

  void try_together(const std::vector<trial>& trials) {
    const workshop::private_folder place;
    const fs::path joined_file = place.path() / "all.cpp";
    std::ofstream(joined_file) << all_in_one_file(trials, exercises::checks_of(exercise_));
    exercise_result compiled{.exercise = exercise_, .file = "the solution, the wrong ones and the starter"};
    const auto built = exercises::compile(joined_file, workshop::isolation::limits, {}, compiled);
    const auto* program = std::get_if<exercise_program>(&built);
    if (!program) return try_one_by_one(trials, compiled);
    for (std::size_t k = 0; k < trials.size(); ++k) {
      exercise_program trial_program = *program;
      trial_program.program = program->folder->path() / std::to_string(k);
      trial_program.source = trials[k].file;
      fs::create_hard_link(program->program, trial_program.program);
      exercise_result r{.exercise = exercise_, .file = trials[k].file.string()};
      exercises::run_checks(trial_program, {}, r);
      judge(trials[k], r);
    }
  }

  // One of them doesn't compile, or they don't compile together.
  void try_one_by_one(const std::vector<trial>& trials, const exercise_result& together) {
    const std::size_t before = found_.size();
    for (const trial& t : trials) {
      const auto r = exercises::check_exercise(exercise_, t.file);
      if (r) judge(t, *r);
    }
    if (found_.size() == before)
      add("its solutions compile alone, and not beside each other in namespaces: " + description(together));
  }

  void judge(const trial& t, const exercise_result& r) {
    const std::string name = t.file.filename().string();
    switch (t.as) {
      case role::solution:
        if (!r.passed())
          add("its solution doesn't pass: " + description(r));
        else if (r.checks.empty())
          add("its checks.cpp checks nothing");
        break;
      case role::starter:
        if (r.passed()) add("its exercise.cpp passes before anybody has done anything");
        if (r.outcome == exercises::outcome::compile_error) add("its exercise.cpp doesn't compile: " + description(r));
        break;
      case role::wrong:
        if (r.passed())
          add(fmt::format("its wrong solution {} passes", name));
        else if (const std::string reason = expected_reason(t.file); !is_the_reason(reason, r))
          add(fmt::format("its wrong solution {} isn't rejected for '{}', but: {}", name, reason, description(r)));
        break;
    }
  }

  const workbook::catalogue_exercise& exercise_;
  const std::string place_;
  std::vector<finding> found_;
};

}  // namespace

std::vector<finding> exercise_findings(const workbook::catalogue_exercise& exercise) {
  return tried_exercise(exercise).findings();
}

}  // namespace courses
