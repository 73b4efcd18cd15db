// An access picture as data: what it asks of its parts, JSON and CSV.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/memory_model.h"
#include "workbook/access_picture.h"
#include "workbook/picture/readings.h"
#include "workbook/plot/csv_file.h"

namespace workbook {
namespace {

using json = nlohmann::ordered_json;

}  // namespace

void access_picture::validate() const {
  const std::string asked = fmt::format("the access picture \"{}\"", title);
  if (request >= warp.requests.size())
    throw gs::error(asked, fmt::format("there is no request {} among {}", request, warp.requests.size()),
                    "count requests from 0");
  if (warp.requests[request].space == gs::memory_space::local)
    throw gs::error(asked, "its request is to local memory, which has neither sectors nor banks",
                    "choose an access to global or shared memory");
  gs::cost_of(warp.requests[request]);
}

value_count access_picture::count_values() const { return {}; }

std::vector<std::string> access_picture::names() const { return {}; }

nlohmann::ordered_json access_picture::to_json() const {
  const gs::warp_picture& w = warp;
  json object = {{"kind", "access picture"},
                 {"title", title},
                 {"kernel", w.kernel},
                 {"where", {{"file", w.where.file}, {"line", w.where.line}, {"column", w.where.column}}},
                 {"array", w.array},
                 {"extents", w.extents},
                 {"element_bytes", w.element_bytes},
                 {"block", {w.block.x, w.block.y, w.block.z}},
                 {"warp", w.warp}};
  if (request >= w.requests.size()) return object;
  const gs::warp_request& drawn = w.requests[request];
  const gs::request_cost cost = gs::cost_of(drawn);
  object["space"] = gs::to_string(drawn.space);
  object["access"] = gs::to_string(drawn.kind);
  object["bytes"] = drawn.bytes;
  object["lanes"] = object["addresses"] = json::array();
  for (const gs::lane_access& a : drawn.lanes) {
    object["lanes"].push_back(a.lane);
    object["addresses"].push_back(a.address);
  }
  object["cost"] = {{"bytes_used", cost.bytes_used},
                    {"sectors", cost.sectors},
                    {"ideal_sectors", cost.ideal_sectors},
                    {"wavefronts", cost.wavefronts},
                    {"ideal_wavefronts", cost.ideal_wavefronts},
                    {"addresses", cost.addresses},
                    {"most_per_address", cost.most_per_address}};
  return object;
}

void access_picture::write_csv(csv_file& file, const plot_view& /*view*/) const {
  for (const char* name : {"lane", "address", "bytes"}) file.put(name);
  file.end_line();
  if (request >= warp.requests.size()) return;
  const gs::warp_request& drawn = warp.requests[request];
  for (const gs::lane_access& lane : drawn.lanes) {
    file.put(fmt::format("{}", lane.lane));
    file.put(fmt::format("{}", lane.address));
    file.put(fmt::format("{}", drawn.bytes));
    file.end_line();
  }
}

std::vector<plot_reading> access_picture::readings(const crosshair& /*c*/) const { return {}; }

}  // namespace workbook
