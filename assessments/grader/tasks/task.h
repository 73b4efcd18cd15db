#pragma once
// A task as its task.json describes it: signature, cases, limits, points. Data; what the grader does with it is in the
// files named after the criteria.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workbook/course_file.h"

namespace grader {

/// One set of sizes and the kind of data to call the function with.
struct test_case {
  std::map<std::string, std::uint64_t> sizes;  ///< by the names the task's problem gives them: {"values", 1000}
  std::string data;                            ///< one of the kinds the problem knows: "normal", "edges"
  std::uint64_t bytes_needed = 0;              ///< of memory; larger than the machine has free: the case is not run
};
/// "values 1,000, bins 10, skewed".
std::string to_string(const test_case& c);

struct run_limits {
  double compile_seconds = 60;
  double call_seconds = 20;    ///< of each step of a call, before the submission is ended
  double total_seconds = 300;  ///< of processor time, the whole process
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t compile_memory_bytes = std::uint64_t{3} << 30;
  std::uint64_t scratch_bytes = 64 << 20;  ///< of /tmp, and of any file
  std::uint64_t output_bytes = 1 << 20;    ///< of standard output and error together; more is cut and said
  /// Of what the instruments saw in one call, as JSON; the same for every task.
  std::uint64_t inspection_bytes = 16'000'000;
};

enum class criterion_kind {
  correctness,  ///< every public and hidden case, right to the task's tolerance; inputs unchanged; guard bands whole
  /// On `cases`: the answer follows from what lies on the device, by kernels, whatever the host sees. Without it no
  /// other criterion earns points.
  device,
  copies,       ///< the ledger, on `cases`: exactly `copies_to_device` and `copies_to_host`
  instruments,  ///< no finding of the `instruments` named, on `cases`
  counter,      ///< `counter` at most `at_most`, on `cases`
  speed,        ///< time of the baseline / time of the submission: some points from `at_least`, all from `full`
};

/// A speed criterion's values on a GPU, where other sizes count as large.
struct gpu_speed {
  double points = 0;  ///< where they are asked for
  double at_least = 1, full = 1;
  std::vector<test_case> cases;
};

struct criterion {
  std::string id, title;
  criterion_kind kind = criterion_kind::correctness;
  double points = 0;
  bool required = false;         ///< without it the task isn't passed, whatever the points
  std::vector<test_case> cases;  ///< all but correctness
  std::uint64_t copies_to_device = 0, copies_to_host = 0;
  std::vector<std::string> instruments;
  std::string counter;  ///< as counter_criterion.h names them
  double at_most = 0;
  double at_least = 1, full = 1;
  std::string share_of;  ///< speed: what the baseline is, if the ratio is a share of its bandwidth; perhaps empty
  std::optional<gpu_speed> gpu = {};
};

struct task {
  std::string id, name, title;             ///< "A2", "histogram"
  std::string function;                    ///< the function the learner writes
  std::string signature;                   ///< as task.h declares it
  unsigned version = 1;                    ///< grows when a grade means something else
  std::optional<std::uint64_t> part = {};  ///< number of the course's part that it belongs to
  std::filesystem::path folder;
  std::vector<test_case> public_cases, hidden_cases;
  std::vector<criterion> criteria;
  double pass_points = 60;  ///< of the sum of all points
  run_limits limits;
};

/// Throws gs::error that names the file and the member that is missing or isn't what it should be.
task read_task(const std::filesystem::path& folder);

/// The task as it is graded on a GPU. With `graded`, speed earns the points it has there; without, it is shown as it is
/// on the engine. Of all points the same share is asked for.
task on_gpu(task t, bool graded);

/// The part that the task belongs to, among those of the course; none if its task.json names none. Throws gs::error if
/// the course has no such part.
std::optional<workbook::part_of_course> part_of(const task& t, const std::vector<workbook::part_of_course>& course);

/// The tasks of the course: every folder of assessments/ with a task.json, by id.
std::vector<task> all_tasks();

}  // namespace grader
