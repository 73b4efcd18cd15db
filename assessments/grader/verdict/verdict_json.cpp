#include "assessments/grader/verdict/verdict_json.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "assessments/grader/tasks/json_object.h"

namespace grader {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 17> kind_names{
    "compile_error",   "missing_function", "timed_out",      "crashed",       "ended",  "exception",
    "out_of_memory",   "wrong_answer",     "outside_output", "changed_input", "race",   "finding",
    "too_many_copies", "counter",          "too_slow",       "host_work",     "refused"};
static_assert(static_cast<std::size_t>(mishap_kind::refused) + 1 == kind_names.size());

constexpr std::array states{criterion_state::passed, criterion_state::partly, criterion_state::failed,
                            criterion_state::not_run};

// --- writing ---------------------------------------------------------------------------------------------------------

ordered_json write(const gs::source_place& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

ordered_json write(const criterion_result& r) {
  return {{"id", r.id},         {"title", r.title},       {"state", to_string(r.state)},
          {"points", r.points}, {"possible", r.possible}, {"required", r.required},
          {"said", r.summary}};
}

ordered_json write(const mishap& m) {
  ordered_json object = {{"kind", name_of(m.kind)}, {"text", m.text}, {"criterion", m.criterion}, {"call", m.call}};
  if (m.place.line > 0) object["where"] = write(m.place);
  if (m.other_place.line > 0) object["other"] = write(m.other_place);
  object["details"] = m.details;
  object["array"] = m.array;
  object["index"] = m.index;
  object["extents"] = m.extents;
  if (m.expected) object["expected"] = number_json(*m.expected);
  if (m.got) object["got"] = number_json(*m.got);
  object["wrong"] = m.wrong;
  return object;
}

ordered_json write(const speed_measurement& m) {
  return {{"call", m.call},
          {"ratio", number_json(m.ratio)},
          {"low", number_json(m.low)},
          {"high", number_json(m.high)},
          {"seconds", number_json(m.seconds)},
          {"baseline_seconds", number_json(m.baseline_seconds)},
          {"pairs", m.pairs},
          {"graded", m.graded}};
}

ordered_json write(const stage_time& t) { return {{"stage", t.stage}, {"seconds", t.seconds}}; }

template <class T>
ordered_json write(const std::vector<T>& values) {
  ordered_json list = ordered_json::array();
  for (const T& object : values) list.push_back(write(object));
  return list;
}

// --- reading ---------------------------------------------------------------------------------------------------------

gs::source_place read_place(json_object from) {
  return {from.any_text("file"), static_cast<unsigned>(from.count("line")),
          static_cast<unsigned>(from.count("column"))};
}

criterion_result read_criterion_result(json_object& from) {
  criterion_result r;
  r.id = from.text("id");
  r.title = from.any_text("title");
  const std::string state = from.text("state");
  const auto* known = std::ranges::find(states, state, [](criterion_state s) { return to_string(s); });
  if (known == states.end())
    from.refuse("state", fmt::format("is \"{}\"", state), "give passed, partly, failed or not_run");
  r.state = *known;
  r.points = from.number("points");
  r.possible = from.number("possible");
  r.required = from.truth("required");
  r.summary = from.any_text("said");
  return r;
}

mishap read_mishap(json_object& from) {
  mishap m;
  const std::string kind = from.text("kind");
  const auto* known = std::ranges::find(kind_names, kind);
  if (known == kind_names.end())
    from.refuse("kind", fmt::format("is \"{}\"", kind), "read it with the version of Gridstride that wrote it");
  m.kind = static_cast<mishap_kind>(known - kind_names.begin());
  m.text = from.any_text("text");
  m.criterion = from.any_text("criterion");
  m.call = from.any_text("call");
  if (from.has("where")) m.place = read_place(from.object("where"));
  if (from.has("other")) m.other_place = read_place(from.object("other"));
  m.details = from.any_text("details");
  m.array = from.any_text("array");
  for (const std::uint64_t i : from.counts("index")) m.index.push_back(i);
  for (const std::uint64_t n : from.counts("extents")) m.extents.push_back(n);
  if (from.has("expected")) m.expected = from.any_number("expected");
  if (from.has("got")) m.got = from.any_number("got");
  m.wrong = from.count("wrong");
  return m;
}

speed_measurement read_speed(json_object& from) {
  return {.ratio = from.any_number("ratio"),
          .low = from.any_number("low"),
          .high = from.any_number("high"),
          .seconds = from.any_number("seconds"),
          .baseline_seconds = from.any_number("baseline_seconds"),
          .pairs = from.count("pairs"),
          .graded = from.truth("graded"),
          .call = from.any_text("call")};
}

stage_time read_time(json_object& from) { return {from.any_text("stage"), from.number("seconds")}; }

}  // namespace

std::string_view name_of(mishap_kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

ordered_json verdict_json(const verdict& v) {
  return {{"schema", "gridstride-verdict"},
          {"version", verdict_schema_version},
          {"task", {{"id", v.task_id}, {"name", v.task_name}, {"title", v.task_title}, {"version", v.task_version}}},
          {"file", v.file},
          {"sha256", v.sha256},
          {"graded", v.graded},
          {"seed", fmt::format("{}", v.seed)},
          {"passed", v.passed},
          {"points", v.points},
          {"possible", v.possible},
          {"criteria", write(v.criteria)},
          {"mishaps", write(v.mishaps)},
          {"speed", write(v.speed)},
          {"times", write(v.times)},
          {"isolation", v.isolation},
          {"device", v.device},
          {"machine", v.machine},
          {"gridstride", v.version},
          {"output", v.output},
          {"notes", v.notes}};
}

std::string to_json(const verdict& v) {
  return verdict_json(v).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

verdict read_verdict(std::string_view document, const std::string& name) {
  json_object from(document, name);
  if (from.text("schema") != "gridstride-verdict")
    from.refuse("schema", "is that of another document", "give a verdict");
  if (const std::uint64_t version = from.count("version"); version != verdict_schema_version)
    from.refuse("version", fmt::format("is {}", version),
                fmt::format("write it with a Gridstride whose version is {}", verdict_schema_version));
  verdict v;
  json_object task = from.object("task");
  v.task_id = task.text("id");
  v.task_name = task.any_text("name");
  v.task_title = task.any_text("title");
  v.task_version = static_cast<unsigned>(task.count("version"));
  v.file = from.any_text("file");
  v.sha256 = from.any_text("sha256");
  v.graded = from.any_text("graded");
  v.seed = from.digits("seed");
  v.passed = from.truth("passed");
  v.points = from.number("points");
  v.possible = from.number("possible");
  for (json_object& object : from.objects("criteria")) v.criteria.push_back(read_criterion_result(object));
  for (json_object& object : from.objects("mishaps")) v.mishaps.push_back(read_mishap(object));
  for (json_object& object : from.objects("speed")) v.speed.push_back(read_speed(object));
  for (json_object& object : from.objects("times")) v.times.push_back(read_time(object));
  v.isolation = from.any_text("isolation");
  v.device = from.any_text("device");
  v.machine = from.any_text("machine");
  v.version = from.any_text("gridstride");
  v.output = from.any_text("output");
  v.notes = from.texts("notes");
  return v;
}

}  // namespace grader
