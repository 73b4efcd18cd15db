#include "assessments/grader/verdict/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>
#include <numeric>
#include <optional>
#include <system_error>

#include "assessments/grader/verdict/correctness.h"
#include "assessments/grader/verdict/file_hash.h"
#include "assessments/grader/verdict/grading.h"
#include "assessments/grader/verdict/speed.h"
#include "runtime/core/printable.h"
#include "runtime/device/device.h"
#include "workshop/machine.h"

namespace grader {

using gs::detail::printable;
using workshop::flavour, workshop::largest_source, workshop::machine_name, workshop::read_source, workshop::source_file;
namespace {

using module_or_mishap = std::variant<compiled_module, mishap>;

std::string time_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec);
}

// A speed that is only shown is worth less time.
speed_rules rules_for(const criterion& c) {
  speed_rules rules;
  if (c.points == 0) rules.seconds = 3;
  return rules;
}

bool is_inspected(const criterion& c) {
  return c.kind == criterion_kind::instruments || c.kind == criterion_kind::counter;
}

verdict begun_verdict(const task& t, const std::filesystem::path& file) {
  verdict v;
  v.task_id = t.id;
  v.task_name = t.name;
  v.task_title = t.title;
  v.task_version = t.version;
  v.file = file.string();
  v.graded = time_text();
  v.device = gs::device().name;
  v.machine = machine_name();
  v.version = GRIDSTRIDE_VERSION;
  for (const criterion& c : t.criteria) v.criteria.push_back(unknown_result(c));
  return v;
}

void add_up(const task& t, verdict& v) {
  v.points = v.possible = 0;
  bool required = true;
  for (const criterion_result& r : v.criteria) {
    v.points += r.points;
    v.possible += r.possible;
    required &= !r.required || r.state == criterion_state::passed;
  }
  const double all_points = std::accumulate(t.criteria.begin(), t.criteria.end(), 0.0,
                                            [](double sum, const criterion& c) { return sum + c.points; });
  // What can't be graded here doesn't count: the same share of the remaining points is required.
  v.passed = required && v.points > 0 && v.points * all_points >= t.pass_points * v.possible - 1e-9;
}

// Exceptions, compiler messages, output and file names may contain whatever the submission chose.
void make_printable(verdict& v) {
  for (mishap& m : v.mishaps)
    for (std::string* text : {&m.text, &m.details, &m.array, &m.place.file, &m.other_place.file})
      *text = printable(*text);
  for (std::string* text : {&v.file, &v.output}) *text = printable(*text);
}

}  // namespace

struct submission_grading::state {
  const grader::task& task;
  std::filesystem::path file;
  submission_workshop& workshop;
  grade_options options;
  grading g;
  correctness answers;
  source_file source;
  std::optional<compiled_module> plain, checked;
  std::unique_ptr<called_module> plain_process, closed_process, checked_process, baseline_process;
  bool stopped = false;  // nothing can run
  std::string ended_by;  // until_first_failure: the criterion that failed

  state(const grader::task& t, const std::filesystem::path& f, submission_workshop& w, const grade_options& o)
      : task(t),
        file(f),
        workshop(w),
        options(o),
        g{.task = t,
          .file = f,
          .call = [this](const test_case& c, std::uint64_t seed) { return process().call(c, seed, false); },
          .inspect = [this](const test_case& c, std::uint64_t seed) { return inspected_call(c, seed); },
          .closed_call = [this](const test_case& c, std::uint64_t seed) { return closed_call(c, seed); },
          .baseline = [this](const test_case& c, std::uint64_t seed) { return baseline_call(c, seed); },
          .input_bytes = [this](const test_case& c) { return workshop.input_bytes(c); },
          .memory_bytes = o.memory_bytes,
          .until_first_failure = o.until_first_failure,
          .seeds = case_seeds(o.seed),
          .result = begun_verdict(t, f)},
        answers(t, o.until_first_failure) {
    g.result.seed = o.seed;
    g.result.isolation = w.isolation_name();
    g.result.device = w.device_name();
  }

  called_module& process() {
    if (!plain_process) plain_process = workshop.start(*plain, options.slot);
    return *plain_process;
  }
  call_result closed_call(const test_case& c, std::uint64_t seed) {
    if (!closed_process) closed_process = workshop.start_closed(*plain, options.slot);
    return closed_process->call(c, seed, false);
  }
  call_result inspected_call(const test_case& c, std::uint64_t seed) {
    if (!checked) {  // nothing is graded under the instruments, but they can explain
      module_or_mishap module_or_failure = workshop.compile(source, flavour::checked, options.slot);
      if (!std::holds_alternative<compiled_module>(module_or_failure)) return {};
      checked = std::get<compiled_module>(std::move(module_or_failure));
    }
    if (!checked_process) checked_process = workshop.start(*checked, options.slot);
    return checked_process->call(c, seed, true);
  }
  call_result baseline_call(const test_case& c, std::uint64_t seed) {
    if (!baseline_process) baseline_process = workshop.start(workshop.baseline(), options.slot + baseline_slots);
    return baseline_process->call(c, seed, false);
  }
  static constexpr unsigned baseline_slots = 1000;

  // Does `work` and adds the time it takes to the stage's.
  template <class F>
  void stage(const char* name, F work) {
    if (options.on_stage) options.on_stage(name);
    const auto start = std::chrono::steady_clock::now();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (stage_time& known : g.result.times)
      if (known.stage == name) {
        known.seconds += seconds;
        return;
      }
    g.result.times.push_back({name, seconds});
  }

  bool has(auto applies) const { return std::ranges::any_of(task.criteria, applies); }

  // Points are for what kernels did: without that, the other criteria have looked at something else.
  void withhold_points() {
    const auto& results = g.result.criteria;
    for (std::size_t k = 0; k < task.criteria.size(); ++k) {
      if (task.criteria[k].kind != criterion_kind::device || results[k].state != criterion_state::failed) continue;
      for (criterion_result& r : g.result.criteria) {
        if (r.points == 0 && r.state != criterion_state::passed) continue;
        r.points = 0;
        r.state = criterion_state::failed;
        r.summary = fmt::format("no points without \"{}\" ({})", task.criteria[k].title, r.summary);
      }
    }
  }
  bool host_worked() const {
    for (std::size_t k = 0; k < task.criteria.size(); ++k)
      if (task.criteria[k].kind == criterion_kind::device && g.result.criteria[k].state == criterion_state::failed)
        return true;
    return false;
  }

  bool measures(const criterion& c) const {
    return c.kind == criterion_kind::speed && options.measure_speed &&
           (c.points > 0 || options.measure_what_earns_nothing);
  }

  void compile() {
    const auto start = [&](flavour f) {
      const auto work = [this, f] { return workshop.compile(source, f, options.slot); };
      if (options.compile_at_once) try {
          return std::async(std::launch::async, work);
        } catch (const std::system_error&) {  // no thread to be had: then one after the other
        }
      return std::async(std::launch::deferred, work);
    };
    auto plain_future = start(flavour::plain);
    std::future<module_or_mishap> checked_future;
    if (has(is_inspected) && !options.until_first_failure) checked_future = start(flavour::checked);
    if (!keep(plain_future.get(), plain)) return;
    if (checked_future.valid() && !keep(checked_future.get(), checked)) return;
  }

  bool keep(module_or_mishap module_or_failure, std::optional<compiled_module>& module) {
    if (auto* m = std::get_if<mishap>(&module_or_failure)) {
      m->place = g.as_given(m->place);
      m->other_place = g.as_given(m->other_place);
      g.result.mishaps.push_back(std::move(*m));
      for (criterion_result& r : g.result.criteria) r.summary = "not run: " + to_string(g.result.mishaps.back().kind);
      stopped = true;
      return false;
    }
    module = std::get<compiled_module>(std::move(module_or_failure));
    return true;
  }

  // Grades the criteria of a kind, each into its place, as long as grading goes on.
  void each(auto applies, auto work) {
    for (std::size_t k = 0; k < task.criteria.size(); ++k) {
      if (!applies(task.criteria[k])) continue;
      criterion_result& r = g.result.criteria[k];
      if (!ended_by.empty()) {
        r.summary = "not run: grading ended with " + ended_by;
        continue;
      }
      r = work(task.criteria[k]);
      if (options.until_first_failure && r.state == criterion_state::failed) ended_by = r.id;
    }
  }

  // After correctness, which gets its result last.
  void end_if_wrong() {
    if (!options.until_first_failure || answers.all_right()) return;
    for (const criterion& c : task.criteria)
      if (c.kind == criterion_kind::correctness) ended_by = c.id;
  }

  void end(std::unique_ptr<called_module>& process) {
    if (!process) return;
    if (const std::string text = process->output();
        &process != &baseline_process && g.result.output.size() < text.size())
      g.result.output = text;
    process.reset();
  }

  void end_processes() {
    for (auto* process : {&plain_process, &closed_process, &checked_process, &baseline_process}) end(*process);
  }
};

submission_grading::submission_grading(const task& t, const std::filesystem::path& file, submission_workshop& workshop,
                                       const grade_options& options)
    : state_(std::make_unique<state>(t, file, workshop, options)) {}
submission_grading::~submission_grading() = default;
submission_grading::submission_grading(submission_grading&&) noexcept = default;

void submission_grading::before_timing() {
  state& s = *state_;
  if (std::filesystem::file_size(s.file) > largest_source) {
    mishap m;
    m.kind = mishap_kind::refused;
    m.text = fmt::format("The file is larger than {} KiB.", largest_source >> 10);
    s.g.result.sha256 = sha256_of_file(s.file);
    s.keep(m, s.plain);
    return;
  }
  s.source = read_source(s.file);
  s.g.result.sha256 = sha256_of(s.source.text);
  s.stage("compile", [&] { s.compile(); });
  if (s.stopped) return;
  s.stage("correctness", [&] { s.answers.first_round(s.g); });
  s.end_if_wrong();
  if (s.answers.gave_up()) {
    s.each([](const criterion& c) { return c.kind != criterion_kind::correctness; },
           [&](const criterion& c) {
             criterion_result r = unknown_result(c);
             r.summary = "not run: no more calls after " + s.answers.given_up_after();
             return r;
           });
    return s.end_processes();
  }
  const auto is_device = [](const criterion& c) { return c.kind == criterion_kind::device; };
  if (s.has(is_device))
    s.stage("device", [&] { s.each(is_device, [&](const criterion& c) { return grade_device(s.g, c); }); });
  if (s.has(is_inspected) && s.ended_by.empty() && !s.checked) {
    s.stage("compile", [&] { s.keep(s.workshop.compile(s.source, flavour::checked, s.options.slot), s.checked); });
    if (s.stopped) return s.end_processes();
  }
  if (s.has(is_inspected))
    s.stage("instruments", [&] {
      s.each([](const criterion& c) { return c.kind == criterion_kind::instruments; },
             [&](const criterion& c) { return grade_instruments(s.g, c); });
      s.each([](const criterion& c) { return c.kind == criterion_kind::counter; },
             [&](const criterion& c) { return grade_counter(s.g, c); });
    });
  if (s.has([](const criterion& c) { return c.kind == criterion_kind::copies; }))
    s.stage("copies", [&] {
      s.each([](const criterion& c) { return c.kind == criterion_kind::copies; },
             [&](const criterion& c) { return grade_copies(s.g, c); });
    });
  s.end_processes();
}

bool submission_grading::has_timing() const {
  const state& s = *state_;
  return !s.stopped && s.ended_by.empty() && s.answers.all_right() && !s.host_worked() &&
         s.has([&](const criterion& c) { return s.measures(c); });
}

void submission_grading::timing() {
  state& s = *state_;
  if (s.stopped || s.answers.gave_up()) return;
  if (!s.ended_by.empty())
    return s.each([](const criterion& c) { return c.kind == criterion_kind::speed; }, unknown_result);
  if (!s.answers.all_right()) {
    s.each([](const criterion& c) { return c.kind == criterion_kind::speed; },
           [&](const criterion& c) {
             criterion_result r = unknown_result(c);
             r.summary = "not run: the answers are wrong";
             return r;
           });
    return;
  }
  if (s.host_worked())
    return s.each([](const criterion& c) { return c.kind == criterion_kind::speed; },
                  [](const criterion& c) {
                    criterion_result r = unknown_result(c);
                    r.summary = "not run: the kernels don't do the work";
                    return r;
                  });
  if (has_timing())
    s.stage("speed", [&] {
      s.each([&](const criterion& c) { return s.measures(c); },
             [&](const criterion& c) { return grade_speed(s.g, c, s.answers, rules_for(c)); });
    });
  s.each([&](const criterion& c) { return c.kind == criterion_kind::speed && !s.measures(c); },
         [&](const criterion& c) {
           criterion_result r = unknown_result(c);
           r.summary = s.options.measure_speed ? "not measured: it earns no points" : "not run: speed was left out";
           return r;
         });
  if (s.ended_by.empty() && s.answers.all_right()) s.stage("correctness again", [&] { s.answers.second_round(s.g); });
  s.end_processes();
}

verdict submission_grading::finish() {
  state& s = *state_;
  s.ended_by.clear();  // how far it got is told by correctness
  if (!s.stopped)
    s.each([](const criterion& c) { return c.kind == criterion_kind::correctness; },
           [&](const criterion& c) { return s.answers.result(c); });
  s.withhold_points();
  add_up(s.task, s.g.result);
  make_printable(s.g.result);
  return std::move(s.g.result);
}

verdict grade(const task& t, const std::filesystem::path& file, submission_workshop& workshop,
              const grade_options& options) {
  submission_grading submission(t, file, workshop, options);
  submission.before_timing();
  submission.timing();
  return submission.finish();
}

verdict not_graded(const task& t, const std::filesystem::path& file, mishap why) {
  verdict v = begun_verdict(t, file);
  for (criterion_result& r : v.criteria) r.summary = "not run: " + to_string(why.kind);
  v.mishaps.push_back(std::move(why));
  add_up(t, v);
  make_printable(v);
  return v;
}

}  // namespace grader
