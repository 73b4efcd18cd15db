#include "workbook/json/report_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/json/inspection_json.h"
#include "workbook/plot/reduce.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

constexpr int report_version = 1;
constexpr std::size_t most_points = 10'000;
constexpr int pieces = 5'000;

json number(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return v;
}

json numbers(const samples& s) {
  json list = json::array();
  for (std::size_t i = 0; i < s.size(); ++i) list.push_back(number(s[i]));
  return list;
}

json describe(const parameter_value& v) {
  return std::visit([](const auto& one) -> json { return one; }, v);
}

json describe(const cell& c) {
  struct writer {
    json operator()(std::monostate) const { return nullptr; }
    json operator()(bool v) const { return v; }
    json operator()(long long v) const { return v; }
    json operator()(double v) const { return number(v); }
    json operator()(const quantity& q) const { return {{"value", number(q.value)}, {"unit", q.unit}}; }
    json operator()(const std::string& v) const { return v; }
  };
  return std::visit(writer{}, c.value());
}

json describe(const axis& a) {
  json one = {{"label", a.label}, {"unit", a.unit}, {"log", a.log}};
  if (a.min) one["min"] = *a.min;
  if (a.max) one["max"] = *a.max;
  if (a.whole) one["whole"] = true;
  return one;
}

std::string style_name(drawn_as style) {
  switch (style) {
    case drawn_as::line:
      return "line";
    case drawn_as::points:
      return "points";
    case drawn_as::line_and_points:
      return "line and points";
    case drawn_as::bins:
      return "bins";
  }
  return "?";
}

// Least and greatest value of each piece of the index range, in the order they come.
void describe_reduced(const series& s, json& one) {
  json x = json::array(), y = json::array();
  const std::size_t n = s.y.size();
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t begin = k * n / pieces, end = (k + 1) * n / pieces;
    std::size_t low = end, high = end;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::isnan(s.y[i])) continue;
      if (low == end || s.y[i] < s.y[low]) low = i;
      if (high == end || s.y[i] > s.y[high]) high = i;
    }
    if (low == end) low = high = begin;
    for (std::size_t i : {std::min(low, high), std::max(low, high)}) {
      x.push_back(number(x_of(s, i)));
      y.push_back(number(s.y[i]));
    }
  }
  one["x"] = x;
  one["y"] = y;
}

json describe(const series& s) {
  json one = {
      {"name", s.name}, {"style", style_name(s.style)}, {"points", s.y.size()}, {"reduced", s.y.size() > most_points}};
  if (s.y.size() > most_points) {
    describe_reduced(s, one);
    return one;
  }
  one["x"] = s.x.empty() ? numbers(samples::regular(0, 1, s.y.size())) : numbers(s.x);
  one["y"] = numbers(s.y);
  if (!s.spread.empty()) one["spread"] = numbers(s.spread);
  return one;
}

struct plot_writer {
  json operator()(const xy_plot& p) const {
    json one = {{"kind", "xy plot"},  {"title", p.title},        {"x", describe(p.x)},
                {"y", describe(p.y)}, {"series", json::array()}, {"references", json::array()}};
    for (const series& s : p.series) one["series"].push_back(describe(s));
    for (const reference_line& r : p.references)
      one["references"].push_back({{"at", number(r.at)}, {"label", r.label}, {"vertical", r.vertical}});
    return one;
  }
  json operator()(const bar_plot& p) const {
    json one = {{"kind", "bar plot"},         {"title", p.title},           {"category_label", p.category_label},
                {"categories", p.categories}, {"value", describe(p.value)}, {"groups", json::array()}};
    for (const bars& b : p.groups) {
      json group = {{"name", b.name}, {"values", numbers(b.values)}};
      if (!b.spread.empty()) group["spread"] = numbers(b.spread);
      one["groups"].push_back(group);
    }
    return one;
  }
  json operator()(const heat_map& h) const {
    // At most 100 x 100 means: the picture at a glance, not the data.
    const reduced_matrix m = reduced_heat_map(h, 100, 100);
    json rows = json::array();
    for (int r = 0; r < m.rows; ++r) {
      json row = json::array();
      for (int c = 0; c < m.columns; ++c) row.push_back(number(m.values[static_cast<std::size_t>(r * m.columns + c)]));
      rows.push_back(row);
    }
    return {{"kind", "heat map"},
            {"title", h.title},
            {"x", describe(h.x)},
            {"y", describe(h.y)},
            {"value", describe(h.value)},
            {"rows", h.rows},
            {"columns", h.columns},
            {"reduced", m.values.size() < h.values.size()},
            {"values", rows}};
  }
  json operator()(const access_picture& p) const {
    const gs::warp_picture& w = p.warp;
    json one = {{"kind", "access picture"},
                {"title", p.title},
                {"kernel", w.kernel},
                {"where", {{"file", w.where.file}, {"line", w.where.line}, {"column", w.where.column}}},
                {"array", w.array},
                {"extents", w.extents},
                {"element_bytes", w.element_bytes},
                {"block", {w.block.x, w.block.y, w.block.z}},
                {"warp", w.warp}};
    if (p.request >= w.requests.size()) return one;
    const gs::warp_request& request = w.requests[p.request];
    const gs::request_cost cost = gs::cost_of(request);
    one["space"] = gs::to_string(request.space);
    one["access"] = gs::to_string(request.kind);
    one["bytes"] = request.bytes;
    one["lanes"] = one["addresses"] = json::array();
    for (const gs::lane_access& a : request.lanes) {
      one["lanes"].push_back(a.lane);
      one["addresses"].push_back(a.address);
    }
    one["cost"] = {{"bytes_used", cost.bytes_used},
                   {"sectors", cost.sectors},
                   {"ideal_sectors", cost.ideal_sectors},
                   {"wavefronts", cost.wavefronts},
                   {"ideal_wavefronts", cost.ideal_wavefronts},
                   {"addresses", cost.addresses},
                   {"most_per_address", cost.most_per_address}};
    return one;
  }
};

struct item_writer {
  json operator()(const heading& h) const { return {{"kind", "heading"}, {"text", h.text}}; }
  json operator()(const paragraph& p) const { return {{"kind", "paragraph"}, {"text", p.text}}; }
  json operator()(const table& t) const {
    json one = {{"kind", "table"}, {"title", t.title}, {"columns", json::array()}, {"rows", json::array()}};
    for (const column& c : t.columns) one["columns"].push_back({{"name", c.name}, {"unit", c.unit}});
    for (const auto& cells : t.rows) {
      json row = json::array();
      for (const cell& c : cells) row.push_back(describe(c));
      one["rows"].push_back(row);
    }
    return one;
  }
  json operator()(const check& c) const {
    return {{"kind", "check"}, {"name", c.name}, {"passed", c.passed}, {"expected", c.expected}, {"got", c.got}};
  }
  json operator()(const timed_statement& t) const {
    json one = {{"kind", "timing"},
                {"name", t.name},
                {"text", gs::to_string(t.time)},
                {"mean_seconds", number(t.time.mean())},
                {"standard_deviation_seconds", number(t.time.standard_deviation())},
                {"best_seconds", number(t.time.best())},
                {"loops", t.time.loops},
                {"run_seconds", numbers(t.time.run_seconds)}};
    if (t.work.bytes > 0) one["bytes"] = t.work.bytes;
    if (t.work.operations > 0) one["operations"] = t.work.operations;
    return one;
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
            {"synchronizations", a.synchronizations}};
  }
  json operator()(const plot& p) const { return std::visit(plot_writer{}, p); }
  json operator()(const tested_prediction& p) const {
    const auto perhaps = [](const std::optional<double>& v) { return v ? number(*v) : json(nullptr); };
    return {{"kind", "prediction"},         {"name", p.asked.name},      {"question", p.asked.question},
            {"unit", p.asked.unit},         {"guess", perhaps(p.guess)}, {"measured", number(p.measured)},
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
  for (const item& one : r.items()) document["items"].push_back(std::visit(item_writer{}, one));
  // Text that isn't UTF-8 must not cost the whole document: such bytes become the replacement character.
  return document.dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace workbook
