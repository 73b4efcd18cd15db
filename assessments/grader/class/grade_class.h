#pragma once
// Grades a folder of submissions: in parallel, except for timing, and only those without a verdict.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assessments/grader/class/class_report.h"
#include "assessments/grader/tasks/task.h"
#include "assessments/grader/verdict/grade.h"

namespace grader {

/// A submission found in the folder, or an entry that can't be one, and why.
struct found_submission {
  std::string name;
  std::filesystem::path file;
  std::string problem;  ///< empty: it can be graded
};

/// The C++ files of the folder (.cpp, .cc, .cxx, .c++ or .cu in any case, .C), and its folders that hold one each; by
/// name, of which no two are the same. Hidden entries are passed over, and so are files of other kinds; links are
/// refused, because they can lead anywhere. A file that shares its name but for the ending keeps the ending. Throws
/// gs::error if it isn't a folder.
std::vector<found_submission> find_submissions(const std::filesystem::path& folder);

/// A submission's way to its verdict, in the two parts of submission_grading. Tests have their own.
class class_grading {
 public:
  virtual ~class_grading() = default;
  virtual void before_timing() = 0;  ///< beside others
  virtual bool has_timing() const = 0;
  virtual void timing() = 0;  ///< alone on the machine, if has_timing()
  virtual verdict finish() = 0;
};
/// `slot` is unique among those that are graded at the same time.
using begin_grading = std::function<std::unique_ptr<class_grading>(const found_submission& submission, unsigned slot)>;

struct class_options {
  std::filesystem::path output;  ///< folder for verdicts/NAME.json, report.csv and report.html
  unsigned jobs = 1;             ///< submissions at a time
  bool again = false;            ///< grade also what has a verdict
  std::string version;           ///< the project's
  std::string device = {};       ///< where submissions run
  std::function<void(double fraction, std::string_view activity)> on_progress = {};
  /// Called while nothing is graded: before submissions are graded side by side (false), and before they are timed
  /// alone.
  std::function<void(bool alone)> before_phase = {};
  std::function<void(std::string_view line)> say = {};  ///< a sentence about something that went wrong
};

struct class_result {
  std::vector<graded_submission> submissions = {};  ///< by name
  std::size_t reused = 0;                           ///< verdicts from an earlier run
};

/// Grades all of them and writes the reports. Submissions are taken in waves of a few for each job: those of a wave are
/// graded in parallel up to their timing, then timed one by one while nothing else runs. A verdict is written as soon
/// as it is known; a file with the same SHA-256, graded on the same device by the same version of task and project,
/// keeps its earlier one. What goes wrong with a submission becomes its verdict, except for what the machine lacks:
/// that submission has no verdict, the others are graded all the same, and in the end the gs::machine_error is thrown.
/// It is also thrown if the output can't be written.
class_result grade_class(const task& t, const std::vector<found_submission>& found, const begin_grading& begin,
                         const class_options& options);

}  // namespace grader
