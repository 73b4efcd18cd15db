#include "workbook/json/inspection_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/time_bound.h"
#include "workbook/inspected_model.h"
#include "workbook/json/read_json.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

constexpr int inspection_version = 1;
constexpr std::size_t kinds_of_access = 3, kinds_of_memory = 3;

// --- writing ---------------------------------------------------------------------------------------------------------

json write(const gs::index3& i) { return {i.x, i.y, i.z}; }

json write(const gs::source_place& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

json write(const gs::finding_access& a) {
  return {{"access", to_string(a.kind)},
          {"place", write(a.where)},
          {"kernel", a.kernel},
          {"block", write(a.block)},
          {"thread", write(a.thread)}};
}

json write(const gs::finding& f) {
  json object = write(f.access);
  object["instrument"] = to_string(instrument_of(f.kind));
  object["finding"] = to_string(f.kind);
  if (f.other) object["other"] = write(*f.other);
  object["memory"] = to_string(f.space);
  object["array"] = f.array;
  object["made"] = write(f.made);
  object["index"] = f.index;
  object["extents"] = f.extents;
  object["same_value"] = f.same_value;
  object["order"] = f.order;
  object["count"] = f.count;
  object["meaning"] = f.meaning;
  object["hint"] = f.hint;
  return object;
}

json write(const gs::line_counters& c) {
  return {{"kernel", c.kernel},
          {"place", write(c.where)},
          {"memory", to_string(c.space)},
          {"access", to_string(c.kind)},
          {"expression", c.expression},
          {"array", c.array},
          {"made", write(c.made)},
          {"requests", c.requests},
          {"accesses", c.accesses},
          {"uncounted", c.uncounted},
          {"active_lanes", c.active_lanes()},
          {"bytes_used", c.bytes_used},
          {"bytes_moved", c.bytes_moved()},
          {"sectors", c.sectors},
          {"ideal_sectors", c.ideal_sectors},
          {"sectors_per_request", c.sectors_per_request()},
          {"wavefronts", c.wavefronts},
          {"ideal_wavefronts", c.ideal_wavefronts},
          {"bank_conflicts", c.bank_conflicts()},
          {"addresses", c.addresses},
          {"most_per_address", c.most_per_address},
          {"serialized", c.serialized}};
}

json write(const gs::kernel_counters& k) {
  return {{"kernel", k.kernel},
          {"place", write(k.where)},
          {"grid", write(k.grid)},
          {"block", write(k.block)},
          {"launches", k.launches},
          {"threads", k.threads},
          {"accesses", k.accesses},
          {"barriers", k.barriers},
          {"requests", k.requests},
          {"sectors", k.sectors},
          {"wavefronts", k.wavefronts},
          {"sectors_read", k.sectors_read},
          {"sectors_written", k.sectors_written},
          {"static_shared_bytes", k.static_shared_bytes},
          {"dynamic_shared_bytes", k.dynamic_shared_bytes},
          {"occupancy", k.occupancy}};
}

json write(const gs::line_copies& c) {
  return {{"place", write(c.where)},
          {"copies_to_device", c.copies_to_device},
          {"bytes_to_device", c.bytes_to_device},
          {"copies_to_host", c.copies_to_host},
          {"bytes_to_host", c.bytes_to_host}};
}

template <class T>
json write(const std::vector<T>& values);

json write(const gs::warp_request& r) {
  json object = {{"memory", to_string(r.space)}, {"access", to_string(r.kind)}, {"bytes", r.bytes}};
  object["lanes"] = object["addresses"] = json::array();
  for (const gs::lane_access& a : r.lanes) {
    object["lanes"].push_back(a.lane);
    object["addresses"].push_back(a.address);
  }
  return object;
}

json write(const gs::warp_picture& p) {
  return {{"kernel", p.kernel},
          {"place", write(p.where)},
          {"expression", p.expression},
          {"array", p.array},
          {"made", write(p.made)},
          {"block", write(p.block)},
          {"warp", p.warp},
          {"extents", p.extents},
          {"element_bytes", p.element_bytes},
          {"requests", write(p.requests)}};
}

template <class T>
json write(const std::vector<T>& values) {
  json list = json::array();
  for (const T& object : values) list.push_back(write(object));
  return list;
}

// Of a launch. Arithmetic isn't counted, and bounds nothing.
json write(const gs::device_model& model, const gs::time_bound& bound) {
  json by = json::object();
  for (const auto limit : {gs::time_limit::memory, gs::time_limit::l1_cache, gs::time_limit::shared_memory})
    by[to_string(limit)] = bound.seconds_of(limit);
  return {{"card", model.card},
          {"seconds", bound.seconds()},
          {"limit", to_string(bound.limited_by())},
          {"seconds_from_l2", bound.seconds_from_l2()},
          {"limit_from_l2", to_string(bound.limited_from_l2_by())},
          {"seconds_by", by}};
}

json write_kernels(const gs::inspection& result) {
  json list = write(result.kernels);
  if (const gs::device_model* const model = inspected_model(result); model != nullptr)
    for (std::size_t i = 0; i < result.kernels.size(); ++i)
      list[i]["bound"] = write(*model, gs::time_bound_of(*model, gs::work_of(result.kernels[i])));
  return list;
}

// --- reading ---------------------------------------------------------------------------------------------------------

// The value that is called `name`, among the `count` first ones of an enumeration.
template <class Enumeration>
Enumeration named(const read_json_value& name, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    if (const auto candidate = static_cast<Enumeration>(k); name == to_string(candidate)) return candidate;
  throw gs::error("reading an inspection", name.dump() + " is not a name that is known here",
                  "read it with the version of Gridstride that wrote it");
}

gs::access_kind access_named(const read_json_value& name) { return named<gs::access_kind>(name, kinds_of_access); }
gs::memory_space memory_named(const read_json_value& name) { return named<gs::memory_space>(name, kinds_of_memory); }

void read(const read_json_value& from, gs::index3& i) { i = {from.at(0), from.at(1), from.at(2)}; }

void read(const read_json_value& from, gs::source_place& place) {
  place = {from.at("file"), from.at("line"), from.at("column")};
}

void read(const read_json_value& from, gs::finding_access& a) {
  a.kind = access_named(from.at("access"));
  read(from.at("place"), a.where);
  a.kernel = from.at("kernel");
  read(from.at("block"), a.block);
  read(from.at("thread"), a.thread);
}

void read(const read_json_value& from, gs::finding& f) {
  f.kind = named<gs::finding_kind>(from.at("finding"), gs::detail::finding_kind_count);
  read(from, f.access);
  if (from.contains("other")) read(from.at("other"), f.other.emplace());
  f.space = memory_named(from.at("memory"));
  f.array = from.at("array");
  read(from.at("made"), f.made);
  from.at("index").get_to(f.index);
  from.at("extents").get_to(f.extents);
  f.same_value = from.at("same_value");
  f.order = from.value("order", 0u);
  f.count = from.at("count");
  f.meaning = from.at("meaning");
  f.hint = from.at("hint");
}

void read(const read_json_value& from, gs::line_counters& c) {
  c.kernel = from.at("kernel");
  read(from.at("place"), c.where);
  c.space = memory_named(from.at("memory"));
  c.kind = access_named(from.at("access"));
  c.expression = from.value("expression", std::string());
  c.array = from.at("array");
  read(from.at("made"), c.made);
  c.requests = from.at("requests");
  c.accesses = from.at("accesses");
  c.uncounted = from.at("uncounted");
  c.bytes_used = from.at("bytes_used");
  c.sectors = from.at("sectors");
  c.ideal_sectors = from.at("ideal_sectors");
  c.wavefronts = from.at("wavefronts");
  c.ideal_wavefronts = from.at("ideal_wavefronts");
  c.addresses = from.at("addresses");
  c.most_per_address = from.at("most_per_address");
  c.serialized = from.at("serialized");
}

void read(const read_json_value& from, gs::kernel_counters& k) {
  k.kernel = from.at("kernel");
  read(from.at("place"), k.where);
  read(from.at("grid"), k.grid);
  read(from.at("block"), k.block);
  k.launches = from.at("launches");
  k.threads = from.at("threads");
  k.accesses = from.at("accesses");
  k.barriers = from.at("barriers");
  k.requests = from.value("requests", std::uint64_t{0});
  k.sectors = from.value("sectors", std::uint64_t{0});
  k.wavefronts = from.value("wavefronts", std::uint64_t{0});
  k.sectors_read = from.value("sectors_read", std::uint64_t{0});
  k.sectors_written = from.value("sectors_written", std::uint64_t{0});
  k.static_shared_bytes = from.at("static_shared_bytes");
  k.dynamic_shared_bytes = from.at("dynamic_shared_bytes");
  k.occupancy = from.at("occupancy");
}

void read(const read_json_value& from, gs::line_copies& c) {
  read(from.at("place"), c.where);
  c.copies_to_device = from.at("copies_to_device");
  c.bytes_to_device = from.at("bytes_to_device");
  c.copies_to_host = from.at("copies_to_host");
  c.bytes_to_host = from.at("bytes_to_host");
}

template <class T>
void read(const read_json_value& from, std::vector<T>& values);

void read(const read_json_value& from, gs::warp_request& r) {
  r.space = memory_named(from.at("memory"));
  r.kind = access_named(from.at("access"));
  r.bytes = from.at("bytes");
  for (std::size_t k = 0; k < from.at("lanes").size(); ++k)
    r.lanes.push_back({from.at("lanes").at(k), from.at("addresses").at(k)});
}

void read(const read_json_value& from, gs::warp_picture& p) {
  p.kernel = from.at("kernel");
  read(from.at("place"), p.where);
  p.expression = from.value("expression", std::string());
  p.array = from.at("array");
  read(from.at("made"), p.made);
  read(from.at("block"), p.block);
  p.warp = from.at("warp");
  from.at("extents").get_to(p.extents);
  p.element_bytes = from.at("element_bytes");
  read(from.at("requests"), p.requests);
}

template <class T>
void read(const read_json_value& from, std::vector<T>& values) {
  for (const read_json_value& object : from) read(object, values.emplace_back());
}

}  // namespace

json inspection_json(const gs::inspection& result) {
  json instruments = json::array();
  for (const gs::instrument i : result.instruments) instruments.push_back(to_string(i));
  return {{"version", inspection_version},
          {"instruments", instruments},
          {"model", result.model},
          {"registers_per_thread", result.registers_per_thread},
          {"ufunc_calls", result.ufunc_calls},
          {"orders", result.orders},
          {"notes", result.notes},
          {"seconds", result.seconds},
          {"findings", write(result.findings)},
          {"kernels", write_kernels(result)},
          {"lines", write(result.lines)},
          {"copies", write(result.copies)},
          {"pictures", write(result.pictures)}};
}

gs::inspection read_inspection(const read_json_value& description) try {
  if (description.at("version") != inspection_version)
    throw gs::error("reading an inspection", fmt::format("its version is {}", description.at("version").dump()),
                    fmt::format("write it with a Gridstride whose version is {}", inspection_version));
  gs::inspection result;
  for (const read_json_value& name : description.at("instruments"))
    result.instruments.push_back(named<gs::instrument>(name, gs::detail::instrument_count));
  result.model = description.at("model");
  result.registers_per_thread = description.at("registers_per_thread");
  result.ufunc_calls = description.value("ufunc_calls", std::uint64_t{0});
  result.orders = description.value("orders", 1u);
  result.notes = description.value("notes", std::vector<std::string>());
  result.seconds = description.at("seconds");
  read(description.at("findings"), result.findings);
  read(description.at("kernels"), result.kernels);
  read(description.at("lines"), result.lines);
  if (description.contains("copies")) read(description.at("copies"), result.copies);
  read(description.at("pictures"), result.pictures);
  return result;
} catch (const nlohmann::detail::exception& e) {
  throw gs::error("reading an inspection", e.what(), "give what an inspected lesson wrote, unchanged");
}

gs::inspection inspection_of_report(std::string_view document) {
  const std::string asked = "reading an inspection", advice = "give what a lesson prints for --inspect --json";
  const read_json_value report = read_json(document, asked, advice);
  const auto is = [](const read_json_value& object, const char* member, const char* value) {
    return object.is_object() && object.contains(member) && object[member] == value;
  };
  if (is(report, "schema", "gridstride-report") && report.contains("items"))
    for (const read_json_value& item : report["items"])
      if (is(item, "kind", "inspection") && item.contains("inspection")) return read_inspection(item["inspection"]);
  throw gs::error(asked, "the document is no report that holds one", advice);
}

}  // namespace workbook
