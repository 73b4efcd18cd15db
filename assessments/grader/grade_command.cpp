#include "assessments/grader/grade_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/class/grade_class.h"
#include "assessments/grader/running/gpu.h"
#include "assessments/grader/tasks/case_seeds.h"
#include "assessments/grader/tasks/tasks_json.h"
#include "assessments/grader/verdict/grade.h"
#include "assessments/grader/verdict/junit.h"
#include "assessments/grader/verdict/record.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "assessments/grader/verdict/verdict_text.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "runtime/host/machine.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/terminal/progress_bar.h"
#include "workshop/file_text.h"
#include "workshop/interrupt.h"
#include "workshop/machine.h"

namespace grader {

using gs::detail::printable;
using workshop::isolation, workshop::strongest_isolation, workshop::tidy_interrupts, workshop::works,
    workshop::write_text;
namespace {

namespace fs = std::filesystem;

constexpr const char* program = "gridstride-grade";
constexpr int exit_passed = workbook::exit_fine, exit_not_passed = workbook::exit_failed;
using workbook::exit_machine_lacks, workbook::exit_wrong_usage;

struct grade_command {
  std::string task, file, junit, isolation, output, target;
  std::optional<std::uint64_t> seed;
  unsigned jobs = 0;
  std::uint64_t memory = 0;  // 0: what is free
  bool json = false, unsafe = false, again = false, no_speed = false, until_first_failure = false;
  bool grade_bandwidth = false;
  bool on_gpu() const { return target == "cuda"; }
};

void declare(CLI::App& app, grade_command& given) {
  app.add_option("TASK", given.task, "A1, A2 or A3; without it the tasks are listed");
  app.add_option("FILE", given.file, "a submission, or a folder of them");
  app.add_flag("--json", given.json, "print the verdict, or the tasks, as one JSON document");
  app.add_option("--junit", given.junit, "write JUnit XML to this file as well")->type_name("FILE");
  app.add_option("--seed", given.seed, "of the hidden cases' inputs, to repeat a run [random]")->type_name("S");
  app.add_option("--isolation", given.isolation,
                 "bubblewrap, namespaces, landlock or limits [the strongest that works here]")
      ->check(CLI::IsMember({"bubblewrap", "namespaces", "landlock", "limits"}))
      ->type_name("LEVEL");
  app.add_option("--target", given.target,
                 "engine, or cuda: compile with nvcc and run on the GPU; what is counted is counted on the engine")
      ->check(CLI::IsMember({"engine", "cuda"}))
      ->type_name("T");
  app.add_flag("--grade-bandwidth", given.grade_bandwidth, "with --target cuda: A3's bandwidth earns points");
  app.add_flag("--unsafe", given.unsafe, "allow limits alone: the submission has all of your rights");
  app.add_option("--memory", given.memory, "leave out cases that need more than this, such as 500MB [what is free]")
      ->transform(CLI::AsSizeValue(true))
      ->type_name("BYTES");
  app.add_flag("--until-first-failure", given.until_first_failure, "end at the first call or criterion that fails");
  app.add_flag("--no-speed", given.no_speed, "measure no speed: what asks for it is not run");
  const char* group = "A class";
  app.add_option("--jobs", given.jobs, "submissions at a time [as many as there are cores]")
      ->check(CLI::Range(1, 256))
      ->type_name("N")
      ->group(group);
  app.add_option("--output", given.output, "folder for the reports and the verdicts [FOLDER-graded]")
      ->type_name("DIR")
      ->group(group);
  app.add_flag("--again", given.again, "grade also what has a verdict from before")->group(group);
}

const task& task_named(const std::vector<task>& tasks, const std::string& word) {
  std::vector<std::string> known;
  for (const task& t : tasks) {
    if (CLI::detail::to_lower(word) == CLI::detail::to_lower(t.id) || word == t.name) return t;
    known.push_back(t.id);
  }
  throw gs::error("grade " + word, "there is no such task", fmt::format("choose one of {}", fmt::join(known, ", ")));
}

isolation choose_isolation(const grade_command& given) {
  isolation level = isolation::limits;
  if (given.isolation.empty()) {
    level = strongest_isolation();
    if (level == isolation::limits && !given.unsafe)
      throw gs::machine_error("isolating the submission", "neither bubblewrap nor namespaces nor Landlock work here",
                              "install bubblewrap, or say --unsafe: the submission then has all of your rights");
    return level;
  }
  for (const auto& [name, named] : {std::pair{"bubblewrap", isolation::bubblewrap},
                                    {"namespaces", isolation::namespaces},
                                    {"landlock", isolation::landlock}})
    if (given.isolation == name) level = named;
  if (level == isolation::limits) {
    if (!given.unsafe)
      throw gs::error("--isolation limits", "limits alone isolate nothing", "add --unsafe if you trust the submission");
  } else if (!works(level)) {
    throw gs::machine_error("--isolation " + given.isolation, "it does not work on this machine",
                            "leave the option out: the strongest level that works is taken");
  }
  return level;
}

std::uint64_t memory_for(const grade_command& given) {
  const std::uint64_t free = gs::detail::free_memory();
  return given.memory > 0 ? std::min(given.memory, free) : free;
}

void write_junit(const std::string& file, std::span<const verdict> verdicts) {
  if (!file.empty()) write_text(file, to_junit(verdicts), "writing the JUnit file " + file);
}

std::unique_ptr<submission_workshop> workshop_for(const task& t, const grade_command& given) {
  const isolation level = choose_isolation(given);
  return sandboxed_workshop(t, level, given.on_gpu() ? gpu_name(level) : "");
}

// The task as it is graded here. Throws gs::error for options that don't go together.
task asked_for(const task& t, const grade_command& given) {
  if (!given.on_gpu()) {
    if (given.grade_bandwidth)
      throw gs::error("--grade-bandwidth", "it is a GPU's bandwidth that can be graded", "add --target cuda");
    return t;
  }
  if (given.grade_bandwidth && std::ranges::none_of(t.criteria, [](const criterion& c) { return c.gpu.has_value(); }))
    throw gs::error("grade " + t.id + " with --grade-bandwidth", "the task has no bandwidth to grade", "leave it out");
  return on_gpu(t, given.grade_bandwidth);
}

// What `work` throws: kept until what it doesn't concern is done.
template <class F>
std::exception_ptr caught(F work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

int grade_one(const task& t, const fs::path& file, const grade_command& given, const workbook::terminal& errors) {
  const auto where = workshop_for(t, given);
  workbook::progress_bar bar(fmt::format("{} {}", t.id, printable(file.filename().string())), errors);
  grade_options options{.seed = given.seed.value_or(random_run_seed()),
                        .memory_bytes = memory_for(given),
                        .measure_speed = !given.no_speed,
                        .until_first_failure = given.until_first_failure};
  options.on_stage = [&](std::string_view stage) { bar.set(-1, stage); };
  const verdict v = grade(t, file, *where, options);
  const bool whole = given.memory == 0 && !given.no_speed && !given.grade_bandwidth;
  const std::exception_ptr not_kept = caught([&] {
    if (v.passed && whole) keep_grade(v);
  });
  const std::exception_ptr not_written = caught([&] { write_junit(given.junit, {&v, 1}); });
  workbook::print_whole(given.json ? to_json(v) : to_text(v, workbook::detect_terminal(STDOUT_FILENO)));
  for (const std::exception_ptr& failure : {not_kept, not_written})
    if (failure) std::rethrow_exception(failure);
  return v.passed ? exit_passed : exit_not_passed;
}

class in_workshop : public class_grading {
 public:
  in_workshop(const task& t, const fs::path& file, submission_workshop& where, const grade_options& options)
      : grading_(t, file, where, options) {}
  void before_timing() override { grading_.before_timing(); }
  bool has_timing() const override { return grading_.has_timing(); }
  void timing() override { grading_.timing(); }
  verdict finish() override { return grading_.finish(); }

 private:
  submission_grading grading_;
};

// "submissions-graded" beside "submissions".
fs::path output_folder(const grade_command& given) {
  if (!given.output.empty()) return given.output;
  fs::path folder = fs::absolute(given.file).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  return folder += "-graded";
}

int grade_folder(const task& t, const grade_command& given, const workbook::terminal& errors) {
  // Their verdicts would stand in for whole ones when the class is graded again.
  for (const auto& [name, is_given] : {std::pair{"--until-first-failure", given.until_first_failure},
                                       {"--no-speed", given.no_speed},
                                       {"--memory", given.memory > 0}})
    if (is_given)
      throw gs::error(fmt::format("grade {} {} with {}", t.id, given.file, name),
                      "it is a folder, and a class is graded by all criteria and cases",
                      "leave the option out, or give one submission");
  const std::vector<found_submission> found = find_submissions(given.file);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const unsigned jobs = given.jobs > 0 ? given.jobs : cores;
  const auto where = workshop_for(t, given);
  const grade_options shared{.seed = given.seed.value_or(random_run_seed()),
                             .memory_bytes = gs::detail::free_memory() / jobs,
                             .compile_at_once = false,
                             .measure_what_earns_nothing = false};
  const char* const threads = std::getenv("GRIDSTRIDE_THREADS");
  const std::string alone = threads != nullptr ? threads : "", share = fmt::format("{}", std::max(1u, cores / jobs));
  workbook::progress_bar bar(t.id + " " + printable(given.file), errors);
  class_options options{.output = output_folder(given),
                        .jobs = jobs,
                        .again = given.again,
                        .version = GRIDSTRIDE_VERSION,
                        .device = where->device_name()};
  options.on_progress = [&](double fraction, std::string_view what) { bar.set(fraction, what); };
  options.say = [&](std::string_view line) { bar.say(line); };
  // Submissions side by side share the cores; one that is timed has them all.
  options.before_phase = [&](bool is_alone) {
    if (is_alone && threads == nullptr)
      unsetenv("GRIDSTRIDE_THREADS");
    else
      setenv("GRIDSTRIDE_THREADS", (is_alone ? alone : share).c_str(), 1);
  };
  tidy_interrupts::last_words([verdicts = options.output / "verdicts"] {
    std::error_code none;
    const auto is_verdict = [](const fs::directory_entry& entry) { return entry.path().extension() == ".json"; };
    if (std::ranges::none_of(fs::directory_iterator(verdicts, none), is_verdict))
      return std::string("Interrupted. Nothing is finished yet.");
    return fmt::format("Interrupted. What is finished is kept in {}; the same command goes on from there.",
                       printable(verdicts.string()));
  });
  const class_result result = grade_class(
      t, found,
      [&](const found_submission& one, unsigned slot) {
        grade_options its = shared;
        its.slot = slot;
        return std::make_unique<in_workshop>(t, one.file, *where, its);
      },
      options);
  std::vector<verdict> verdicts;
  for (const graded_submission& one : result.submissions) verdicts.push_back(one.result);
  write_junit(given.junit, verdicts);
  if (given.json) {
    workbook::print_whole(class_json(t, result.submissions));
    return exit_passed;
  }
  std::string text = class_text(t, result.submissions, workbook::detect_terminal(STDOUT_FILENO));
  if (result.kept > 0) text += fmt::format("{} had a verdict already; --again grades them anew.\n", result.kept);
  text += fmt::format("seed {} · {}\n{}\n", shared.seed, where->isolation_name(),
                      printable((options.output / "report.html").string()));
  workbook::print_whole(text);
  return exit_passed;
}

int run(int argc, const char* const* argv) {
  CLI::App app("Grades a submission, or a folder of them, for an assessment", program);
  grade_command given;
  declare(app, given);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "{}: {}; see {} --help\n", program, printable(e.what()), program);
    return exit_wrong_usage;
  }
  const std::vector<task> tasks = all_tasks();
  if (given.task.empty()) {
    workbook::print_whole(given.json ? tasks_json(tasks) : tasks_text(tasks, workbook::detect_terminal(STDOUT_FILENO)));
    return exit_passed;
  }
  const task t = asked_for(task_named(tasks, given.task), given);
  if (given.file.empty())
    throw gs::error("grade " + t.id, "no file is given",
                    fmt::format("write ./gridstride grade {} my/{}.cpp", t.id, t.name));
  const workbook::terminal errors = workbook::detect_terminal(STDERR_FILENO);
  if (fs::is_directory(given.file)) return grade_folder(t, given, errors);
  if (!fs::exists(given.file)) throw gs::error("grading " + given.file, "there is no such file", "check its name");
  if (!fs::is_regular_file(given.file))
    throw gs::error("grading " + given.file, "it is not a regular file", "give a file of C++, or a folder of them");
  return grade_one(t, given.file, given, errors);
}

}  // namespace

int run_grade_command(int argc, const char* const* argv) {
  try {
    return run(argc, argv);
  } catch (...) {
    return workbook::said_exception(program);
  }
}

}  // namespace grader
