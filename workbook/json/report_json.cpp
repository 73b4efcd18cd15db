#include "workbook/json/report_json.h"

#include <nlohmann/json.hpp>

#include "workbook/json/inspection_json.h"
#include "workbook/json/json_values.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

constexpr int report_version = 1;

json describe(const parameter_value& v) {
  return std::visit([](const auto& value) -> json { return value; }, v);
}

json describe(const cell& c) {
  struct writer {
    json operator()(std::monostate) const { return nullptr; }
    json operator()(bool v) const { return v; }
    json operator()(long long v) const { return v; }
    json operator()(double v) const { return json_number(v); }
    json operator()(const quantity& q) const { return {{"value", json_number(q.value)}, {"unit", q.unit}}; }
    json operator()(const std::string& v) const { return v; }
  };
  return std::visit(writer{}, c.value());
}

struct item_writer {
  json operator()(const heading& h) const { return {{"kind", "heading"}, {"text", h.text}}; }
  json operator()(const paragraph& p) const { return {{"kind", "paragraph"}, {"text", p.text}}; }
  json operator()(const table& t) const {
    json object = {{"kind", "table"}, {"title", t.title}, {"columns", json::array()}, {"rows", json::array()}};
    for (const column& c : t.columns) object["columns"].push_back({{"name", c.name}, {"unit", c.unit}});
    for (const auto& cells : t.rows) {
      json row = json::array();
      for (const cell& c : cells) row.push_back(describe(c));
      object["rows"].push_back(row);
    }
    return object;
  }
  json operator()(const check& c) const {
    return {{"kind", "check"}, {"name", c.name}, {"passed", c.passed}, {"expected", c.expected}, {"got", c.got}};
  }
  json operator()(const timed_statement& t) const {
    json object = {{"kind", "timing"},
                   {"name", t.name},
                   {"text", gs::to_string(t.time)},
                   {"mean_seconds", json_number(t.time.mean())},
                   {"standard_deviation_seconds", json_number(t.time.standard_deviation())},
                   {"best_seconds", json_number(t.time.best())},
                   {"loops", t.time.loops},
                   {"run_seconds", json_numbers(t.time.run_seconds)}};
    if (t.work.bytes > 0) object["bytes"] = t.work.bytes;
    if (t.work.operations > 0) object["operations"] = t.work.operations;
    return object;
  }
  json operator()(const account_entry& entry) const {
    const gs::ledger& a = entry.account;
    return {{"kind", "ledger"},
            {"name", entry.name},
            {"copies_to_device", a.copies_to_device},
            {"bytes_to_device", a.bytes_to_device},
            {"copies_to_host", a.copies_to_host},
            {"bytes_to_host", a.bytes_to_host},
            {"copies_within_device", a.copies_within_device},
            {"bytes_within_device", a.bytes_within_device},
            {"launches", a.launches},
            {"allocations", a.allocations},
            {"allocated_bytes", a.allocated_bytes},
            {"synchronizations", a.synchronizations},
            {"loans", a.loans},
            {"lent_bytes", a.lent_bytes}};
  }
  json operator()(const plot& p) const {
    return std::visit([](const auto& kind) { return kind.to_json(); }, p);
  }
  json operator()(const tested_prediction& p) const {
    const auto perhaps = [](const std::optional<double>& v) { return v ? json_number(*v) : json(nullptr); };
    return {{"kind", "prediction"},         {"name", p.asked.name},      {"question", p.asked.question},
            {"unit", p.asked.unit},         {"guess", perhaps(p.guess)}, {"measured", json_number(p.measured)},
            {"factor", perhaps(p.factor())}};
  }
  json operator()(const inspection_entry& entry) const {
    return {{"kind", "inspection"}, {"inspection", inspection_json(entry.result)}};
  }
};

}  // namespace

std::string to_json(const report& r, const std::optional<run_failure>& failure) {
  json parameters = json::object();
  for (const parameter& p : r.about.parameters.declared())
    parameters[name_of(p)] = describe(r.about.parameters.value(name_of(p)));
  const char* status = failure ? "error" : r.failed_checks() + r.findings() > 0 ? "failed" : "passed";
  json document = {{"schema", "gridstride-report"},
                   {"version", report_version},
                   {"lesson", r.about.lesson >= 0 ? json(r.about.lesson) : json()},
                   {"name", r.about.name},
                   {"title", r.about.title},
                   {"device", r.about.device},
                   {"target", r.about.target},
                   {"seed", r.about.parameters.seed()},
                   {"parameters", parameters},
                   {"status", status},
                   {"checks", {{"all", r.checks()}, {"failed", r.failed_checks()}}},
                   {"items", json::array()}};
  if (failure) document["error"] = {{"exit_status", failure->status}, {"message", failure->message}};
  for (const item& entry : r.items()) document["items"].push_back(std::visit(item_writer{}, entry));
  // Text that isn't UTF-8 must not cost the whole document: such bytes become the replacement character.
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace workbook
