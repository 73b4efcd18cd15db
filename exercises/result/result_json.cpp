#include "exercises/result/result_json.h"

#include <nlohmann/json.hpp>

#include "workbook/json/inspection_json.h"

namespace exercises {
namespace {

using json = nlohmann::ordered_json;

json place_json(const gs::source_place& p) {
  if (p.line == 0) return nullptr;
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}};
}

json check_json(const check_result& c) {
  return {{"name", c.name},
          {"passed", c.passed},
          {"expected", c.expected},
          {"got", c.got},
          {"place", place_json({shown_path(c.place.file), c.place.line, c.place.column})}};
}

}  // namespace

std::string to_json(const exercise_result& r) {
  json document = {{"schema", "gridstride-exercise"},
                   {"version", 1},
                   {"lesson", r.exercise.number},
                   {"warm_up", r.exercise.warm_up},
                   {"name", r.exercise.name},
                   {"file", r.file},
                   {"passed", r.passed()},
                   {"outcome", to_string(r.outcome)},
                   {"text", r.text},
                   {"place", place_json(r.place)},
                   {"messages", r.messages},
                   {"advice", r.advice},
                   {"checks", json::array()}};
  for (const check_result& c : r.checks) document["checks"].push_back(check_json(c));
  document["asked"] = place_json(r.asked_place);
  gs::inspection inspection;
  inspection.findings.assign(r.findings.begin(), r.findings.end());
  document["findings"] = workbook::inspection_json(inspection).at("findings");
  document["seed"] = r.seed ? json(*r.seed) : json(nullptr);
  document["device"] = r.device.empty() ? json(nullptr) : json(r.device);
  document["left_out"] = r.left_out.empty() ? json(nullptr) : json(r.left_out);
  document["output"] = r.output;
  document["compile_seconds"] = r.compile_seconds;
  document["run_seconds"] = r.run_seconds;
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace exercises
