#pragma once
// The result of grading one submission: what the terminal, JSON, JUnit, CSV, HTML and the certificate show.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assessments/grader/running/mishap.h"

namespace grader {

enum class criterion_state { passed, partly, failed, not_run };
std::string to_string(criterion_state s);

struct criterion_result {
  std::string id, title;
  criterion_state state = criterion_state::not_run;
  double points = 0, possible = 0;
  bool required = false;
  std::string summary;  ///< one sentence: what was found, or why it did not run: "14 of 14 calls right"
};

/// The paired comparison with the baseline.
struct speed_measurement {
  double ratio = 0;                          ///< baseline's time / submission's; the median over pairs
  double low = 0, high = 0;                  ///< its 95 % confidence interval
  double seconds = 0, baseline_seconds = 0;  ///< medians
  std::uint64_t pairs = 0;
  bool graded = true;  ///< false: too noisy here
  std::string call;
};

struct stage_time {
  std::string stage;  ///< "compile", "correctness", "instruments", "speed", "correctness again"
  double seconds = 0;
};

struct verdict {
  std::string task_id, task_name, task_title;
  unsigned task_version = 1;
  std::string file;        ///< as it was given
  std::string sha256;      ///< of the file's bytes
  std::string graded;      ///< when: "2026-11-21T18:48:03Z"
  std::uint64_t seed = 0;  ///< that the hidden cases' inputs were made of: the same seed, the same inputs
  std::vector<criterion_result> criteria;
  std::vector<mishap> mishaps;
  std::vector<speed_measurement> speed;
  std::vector<stage_time> times;
  double points = 0, possible = 0;
  bool passed = false;
  std::string isolation;                 ///< to_string(isolation); "not isolated" shows everywhere
  std::string device, machine, version;  ///< the device's name; the processor and its cores; the project's version
  std::string output;                    ///< what the submission printed, cut
  std::vector<std::string> notes;  ///< what did not run and why: "values 100,000,000 needs 2.4 GB, 1.1 GB are free"
};

}  // namespace grader
