#include "assessments/grader/tasks/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

#include "assessments/grader/tasks/counter_criterion.h"
#include "assessments/grader/tasks/json_object.h"
#include "runtime/core/error.h"
#include "runtime/core/text_file.h"
#include "runtime/instruments/results/finding.h"
#include "workbook/catalogue.h"
#include "workbook/number_text.h"

namespace grader {
namespace {

constexpr std::array<std::pair<std::string_view, criterion_kind>, 6> kinds{{
    {"correctness", criterion_kind::correctness},
    {"device", criterion_kind::device},
    {"copies", criterion_kind::copies},
    {"instruments", criterion_kind::instruments},
    {"counter", criterion_kind::counter},
    {"speed", criterion_kind::speed},
}};

bool is_instrument(const std::string& name) {
  for (std::size_t k = 0; k < gs::detail::instrument_count; ++k)
    if (to_string(static_cast<gs::instrument>(k)) == name) return true;
  return false;
}

test_case read_case(json_object from) {
  test_case c;
  json_object sizes = from.object("sizes");
  for (const std::string& name : sizes.members()) c.sizes[name] = sizes.count(name);
  c.data = from.text("data");
  if (from.has("bytes_needed")) c.bytes_needed = from.count("bytes_needed");
  from.expect_no_more();
  return c;
}

std::vector<test_case> read_cases(json_object& from, const std::string& member) {
  std::vector<test_case> cases;
  for (json_object& object : from.objects(member)) cases.push_back(read_case(std::move(object)));
  if (cases.empty()) from.refuse(member, "is an empty list", "give at least one case");
  return cases;
}

void read_ratios(json_object& from, double& at_least, double& full) {
  at_least = from.number("at_least");
  full = from.number("full");
  if (full < at_least) from.refuse("full", "is less than at_least", "give at least as much");
}

gpu_speed read_gpu_speed(json_object from) {
  gpu_speed s;
  s.points = from.number("points");
  read_ratios(from, s.at_least, s.full);
  s.cases = read_cases(from, "cases");
  from.expect_no_more();
  return s;
}

// Each kind has members of its own; another kind's are refused with the unknown ones.
criterion read_criterion(json_object from) {
  criterion c;
  c.id = from.text("id");
  c.title = from.text("title");
  const std::string kind = from.text("kind");
  const auto* known = std::ranges::find(kinds, kind, [](const auto& entry) { return entry.first; });
  if (known == kinds.end())
    from.refuse("kind", fmt::format("is \"{}\"", kind),
                "give correctness, device, copies, instruments, counter or speed");
  c.kind = known->second;
  c.points = from.number("points");
  if (from.has("required")) c.required = from.truth("required");
  if (c.kind != criterion_kind::correctness) c.cases = read_cases(from, "cases");
  switch (c.kind) {
    case criterion_kind::correctness:
    case criterion_kind::device:
      break;
    case criterion_kind::copies:
      c.copies_to_device = from.count("copies_to_device");
      c.copies_to_host = from.count("copies_to_host");
      break;
    case criterion_kind::instruments:
      c.instruments = from.texts("instruments");
      if (c.instruments.empty()) from.refuse("instruments", "is an empty list", "name at least one, such as memcheck");
      for (const std::string& name : c.instruments)
        if (!is_instrument(name))
          from.refuse("instruments", fmt::format("names \"{}\"", name),
                      "give memcheck, initcheck, racecheck, synccheck, leakcheck or limits");
      break;
    case criterion_kind::counter:
      c.counter = from.text("counter");
      if (const auto names = counter_names(); std::ranges::find(names, c.counter) == names.end())
        from.refuse("counter", fmt::format("is \"{}\"", c.counter), fmt::format("give {}", fmt::join(names, " or ")));
      c.at_most = from.number("at_most");
      break;
    case criterion_kind::speed:
      read_ratios(from, c.at_least, c.full);
      if (from.has("share_of")) c.share_of = from.text("share_of");
      if (from.has("gpu")) c.gpu = read_gpu_speed(from.object("gpu"));
      break;
  }
  from.expect_no_more();
  return c;
}

run_limits read_limits(json_object from) {
  run_limits l;
  for (const auto& [name, limit] : {std::pair{"compile_seconds", &l.compile_seconds},
                                    {"call_seconds", &l.call_seconds},
                                    {"total_seconds", &l.total_seconds}})
    if (from.has(name)) *limit = from.number(name);
  for (const auto& [name, limit] : {std::pair{"memory_bytes", &l.memory_bytes},
                                    {"compile_memory_bytes", &l.compile_memory_bytes},
                                    {"scratch_bytes", &l.scratch_bytes},
                                    {"output_bytes", &l.output_bytes}})
    if (from.has(name)) *limit = from.count(name);
  from.expect_no_more();
  return l;
}

std::string text_of(const std::filesystem::path& file) {
  return gs::detail::read_text_file(file, "reading " + file.string());
}

}  // namespace

std::string to_string(const test_case& c) {
  std::string text;
  for (const auto& [name, size] : c.sizes)
    text += fmt::format("{} {}, ", name, workbook::grouped(static_cast<long long>(size)));
  return text + c.data;
}

task read_task(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "task.json";
  json_object from(text_of(file), file.string());
  task t;
  t.folder = folder;
  t.id = from.text("id");
  t.name = from.text("name");
  t.title = from.text("title");
  t.function = from.text("function");
  t.signature = from.text("signature");
  t.version = static_cast<unsigned>(from.count("version"));
  if (from.has("part")) t.part = from.count("part");
  t.public_cases = read_cases(from, "public_cases");
  t.hidden_cases = read_cases(from, "hidden_cases");
  std::set<std::string> ids;
  double points = 0;
  bool correctness = false;
  for (json_object& object : from.objects("criteria")) {
    const criterion& c = t.criteria.emplace_back(read_criterion(object));
    if (!ids.insert(c.id).second) object.refuse("id", fmt::format("is \"{}\" once more", c.id), "give each its own");
    points += c.points;
    correctness |= c.kind == criterion_kind::correctness;
  }
  if (!correctness) from.refuse("criteria", "has none of the kind correctness", "add one");
  t.pass_points = from.number("pass_points");
  if (t.pass_points > points)
    from.refuse("pass_points", fmt::format("is {}, and all criteria together give {}", t.pass_points, points),
                "ask for no more than there is");
  if (from.has("limits")) t.limits = read_limits(from.object("limits"));
  from.expect_no_more();
  return t;
}

task on_gpu(task t, bool graded) {
  const auto sum = [&] {
    double points = 0;
    for (const criterion& c : t.criteria) points += c.points;
    return points;
  };
  const double before = sum();
  for (criterion& c : t.criteria) {
    if (!c.gpu) continue;
    c.cases = c.gpu->cases;
    c.at_least = c.gpu->at_least;
    c.full = c.gpu->full;
    if (graded) c.points = c.gpu->points;
  }
  if (before > 0) t.pass_points *= sum() / before;
  return t;
}

std::optional<workbook::part_of_course> part_of(const task& t, const std::vector<workbook::part_of_course>& course) {
  if (!t.part) return {};
  std::vector<int> numbers;
  for (const workbook::part_of_course& part : course) {
    if (std::cmp_equal(part.number, *t.part)) return part;
    numbers.push_back(part.number);
  }
  throw gs::error("reading " + (t.folder / "task.json").string(),
                  fmt::format("part is {}, and course.json has no such part", *t.part),
                  numbers.empty() ? "add the course's parts there, or leave part out"
                                  : fmt::format("give {}", fmt::join(numbers, " or ")));
}

std::vector<task> all_tasks() {
  std::vector<task> tasks;
  for (const auto& entry : std::filesystem::directory_iterator(workbook::course_root() / "assessments"))
    if (exists(entry.path() / "task.json")) tasks.push_back(read_task(entry.path()));
  std::ranges::sort(tasks, {}, &task::id);
  return tasks;
}

}  // namespace grader
