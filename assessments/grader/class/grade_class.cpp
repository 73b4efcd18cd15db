#include "assessments/grader/class/grade_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "assessments/grader/verdict/file_hash.h"
#include "assessments/grader/verdict/verdict_json.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/file_text.h"
#include "workshop/machine.h"

namespace grader {

using gs::detail::printable;
using workshop::lack_of_machine, workshop::read_text, workshop::write_text;
namespace {

namespace fs = std::filesystem;

// In a wave, jobs that are done early wait for the last one: more submissions for each job waste less, and an
// interrupted run loses more.
constexpr std::size_t wave_per_job = 4;

class whole_class {
 public:
  whole_class(const task& t, const std::vector<found_submission>& found, const begin_grading& begin,
              const class_options& options)
      : task_(t), found_(found), begin_(begin), options_(options), verdicts_(found.size()) {}

  class_result run() {
    std::vector<std::size_t> to_grade;
    for (std::size_t k = 0; k < found_.size(); ++k)
      if (!has_current_verdict(k)) to_grade.push_back(k);
    const std::size_t reused = found_.size() - to_grade.size();
    done_ = 2 * reused;
    const std::size_t wave = wave_per_job * options_.jobs;
    for (std::size_t first = 0; first < to_grade.size(); first += wave)
      grade_wave({to_grade.begin() + static_cast<std::ptrdiff_t>(first),
                  to_grade.begin() + static_cast<std::ptrdiff_t>(std::min(first + wave, to_grade.size()))});
    class_result result{.reused = reused};
    for (std::size_t k = 0; k < found_.size(); ++k)
      if (verdicts_[k]) result.submissions.push_back({found_[k].name, std::move(*verdicts_[k])});
    keep(options_.output / "report.csv", class_csv(task_, result.submissions), "writing the class's table");
    keep(options_.output / "report.html", class_html(task_, result.submissions), "writing the class's page");
    if (lack_) throw_lack();
    return result;
  }

 private:
  // A file name has 255 bytes at most, and a submission's name may use them all.
  fs::path verdict_file(std::size_t k) const {
    constexpr std::size_t longest = 200;
    std::string name = found_[k].name;
    if (name.size() > longest) name = name.substr(0, longest) + "-" + sha256_of(name).substr(0, 16);
    return options_.output / "verdicts" / (name + ".json");
  }

  // Takes over the verdict of an earlier run, if it is about the same file, task and project.
  bool has_current_verdict(std::size_t k) {
    if (options_.again || !found_[k].problem.empty() || !exists(verdict_file(k))) return false;
    try {
      verdict v =
          read_verdict(read_text(verdict_file(k), "reading a verdict", std::uint64_t{64} << 20), verdict_file(k));
      if (v.task_id != task_.id || v.task_version != task_.version || v.version != options_.version ||
          v.device != options_.device || !has_same_criteria(v) || v.sha256 != sha256_of_file(found_[k].file))
        return false;
      v.file = printable(found_[k].file.string());
      verdicts_[k] = std::move(v);
      return true;
    } catch (const gs::error&) {
      return false;  // cut off or of another version: it is graded again
    }
  }

  // On a GPU, an option (--grade-bandwidth) decides whether a criterion earns points.
  bool has_same_criteria(const verdict& v) const {
    for (std::size_t c = 0; c < task_.criteria.size(); ++c)
      if (task_.criteria[c].gpu &&
          (c >= v.criteria.size() || (task_.criteria[c].points > 0) != (v.criteria[c].possible > 0)))
        return false;
    return true;
  }

  void grade_wave(const std::vector<std::size_t>& wave) {
    std::map<std::size_t, std::unique_ptr<class_grading>> timed;
    std::mutex timed_mutex;
    std::atomic<std::size_t> next = 0;
    std::exception_ptr failure;
    if (options_.before_phase) options_.before_phase(false);
    const auto work = [&](unsigned slot) {
      for (std::size_t i; (i = next++) < wave.size();) try {
          if (auto left = begun(wave[i], slot)) {
            const std::lock_guard lock(timed_mutex);
            timed[wave[i]] = std::move(left);
          }
        } catch (...) {  // the verdict can't be written, and no other one could be
          const std::lock_guard lock(timed_mutex);
          if (!failure) failure = std::current_exception();
          next = wave.size();
        }
    };
    {
      std::vector<std::jthread> workers;
      try {
        for (unsigned slot = 1; slot < std::min<std::size_t>(options_.jobs, wave.size()); ++slot)
          workers.emplace_back(work, slot);
      } catch (const std::system_error&) {  // a machine without threads grades fewer at a time
      }
      work(0);
    }
    if (failure) std::rethrow_exception(failure);
    if (options_.before_phase) options_.before_phase(true);
    for (auto& [k, submission] : timed) {
      progress(found_[k].name + ": speed");
      finish(k, [&] {
        submission->timing();
        return submission->finish();
      });
      submission.reset();  // ends its processes and removes its files before the next one is timed
      advance(1);
    }
  }

  // Grades up to the timing. Returns the submissions that must still be timed.
  std::unique_ptr<class_grading> begun(std::size_t k, unsigned slot) {
    const found_submission& submission = found_[k];
    progress(submission.name);
    std::unique_ptr<class_grading> grading;
    bool to_time = false;
    if (!submission.problem.empty()) {
      refuse(k, submission.problem);
    } else {
      finish(k, [&]() -> std::optional<verdict> {
        grading = begin_(submission, slot);
        grading->before_timing();
        to_time = grading->has_timing();
        if (to_time) return std::nullopt;
        grading->timing();
        return grading->finish();
      });
    }
    advance(to_time ? 1 : 2);
    return to_time ? std::move(grading) : nullptr;
  }

  // Keeps the verdict that `work` returns, if it returns one. What it throws becomes a verdict, too.
  template <class F>
  void finish(std::size_t k, F work) {
    try {
      if (std::optional<verdict> graded = work()) verdicts_[k] = std::move(graded);
    } catch (const std::exception& e) {
      if (const auto lack = lack_of_machine(e, "grade " + printable(found_[k].name))) return leave_out(k, *lack);
      return refuse(k, std::string("It can't be graded: ") + e.what());
    }
    if (verdicts_[k]) write(k);
  }

  void write(std::size_t k) { keep(verdict_file(k), to_json(*verdicts_[k]), "writing a verdict"); }

  static void keep(const fs::path& file, const std::string& text, const std::string& asked) try {
    write_text(file, text, asked);
  } catch (const gs::error& e) {
    throw gs::machine_error(e.asked(), e.found(), e.advice());
  }

  // Its verdict says why. A later run doesn't reuse it, since it belongs to no file's bytes.
  void refuse(std::size_t k, const std::string& why) {
    mishap m;
    m.kind = mishap_kind::refused;
    m.text = printable(why);
    verdicts_[k] = not_graded(task_, found_[k].file, std::move(m));
    say(k, verdicts_[k]->mishaps[0].text);
    write(k);
  }

  // It has no verdict, not even an earlier one.
  void leave_out(std::size_t k, const gs::machine_error& lack) {
    std::error_code none;
    fs::remove(verdict_file(k), none);
    say(k, printable(lack.what()));
    const std::lock_guard lock(lack_mutex_);
    if (!lack_) lack_ = lack;
    left_out_.push_back(k);
  }

  [[noreturn]] void throw_lack() const {
    throw gs::machine_error(fmt::format("grade a class: {} of {} submissions could not be graded here; {}",
                                        left_out_.size(), found_.size(), lack_->asked()),
                            lack_->found(), lack_->advice() + "; the same command goes on from here");
  }

  void say(std::size_t k, const std::string& message) {
    if (options_.say) options_.say(printable(found_[k].name) + ": " + message);
  }

  void advance(std::size_t steps) {
    done_ += steps;
    progress("");
  }
  void progress(const std::string& activity) {
    if (options_.on_progress)
      options_.on_progress(static_cast<double>(done_) / static_cast<double>(2 * found_.size()), printable(activity));
  }

  const task& task_;
  const std::vector<found_submission>& found_;
  const begin_grading& begin_;
  const class_options& options_;
  std::vector<std::optional<verdict>> verdicts_;  // each is written by one thread
  std::atomic<std::size_t> done_ = 0;             // two steps a submission
  std::mutex lack_mutex_;
  std::optional<gs::machine_error> lack_;  // the first one
  std::vector<std::size_t> left_out_;
};

}  // namespace

class_result grade_class(const task& t, const std::vector<found_submission>& found, const begin_grading& begin,
                         const class_options& options) {
  return whole_class(t, found, begin, options).run();
}

}  // namespace grader
