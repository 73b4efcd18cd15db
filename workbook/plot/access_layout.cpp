#include "workbook/plot/access_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>

#include "workbook/number_text.h"

namespace workbook {
namespace {

using access_list = std::vector<gs::lane_access>;

std::vector<access_row> sectors_of(const access_list& lanes, unsigned bytes, unsigned cell_bytes) {
  std::map<std::uint64_t, access_row> by_number;
  for (const gs::lane_access& lane : lanes)
    for (std::uint64_t at = lane.address; at < lane.address + bytes; at += cell_bytes) {
      access_row& sector = by_number[at / gs::sector_bytes];
      sector.cells.resize(gs::sector_bytes / cell_bytes);
      sector.cells[at % gs::sector_bytes / cell_bytes].push_back(lane.lane);
    }
  std::vector<access_row> rows;
  for (auto& [number, sector] : by_number) {
    sector.address = number * gs::sector_bytes;
    sector.after_gap = !rows.empty() && rows.back().address + gs::sector_bytes != sector.address;
    rows.push_back(std::move(sector));
  }
  return rows;
}

// In each phase a bank hands out its words one by one, in the order of the lanes that ask first.
std::vector<access_row> wavefronts_of(const access_list& lanes, unsigned bytes) {
  std::vector<access_row> rows;
  std::size_t phase_start = 0;
  unsigned phase = 0;
  std::array<std::vector<std::uint64_t>, gs::shared_banks> words;
  for (const gs::lane_access& lane : lanes) {
    if (lane.lane / gs::lanes_per_phase(bytes) != phase) {
      phase = lane.lane / gs::lanes_per_phase(bytes);
      phase_start = rows.size();
      words = {};
    }
    for (std::uint64_t word = lane.address / gs::bank_bytes; word <= (lane.address + bytes - 1) / gs::bank_bytes;
         ++word) {
      const std::size_t bank = word % gs::shared_banks;
      auto& of_bank = words[bank];
      const auto turn = static_cast<std::size_t>(std::ranges::find(of_bank, word) - of_bank.begin());
      if (turn == of_bank.size()) of_bank.push_back(word);
      while (rows.size() <= phase_start + turn) {
        rows.push_back({.conflict = rows.size() > phase_start});
        rows.back().cells.resize(gs::shared_banks);
      }
      rows[phase_start + turn].cells[bank].push_back(lane.lane);
    }
  }
  return rows;
}

}  // namespace

access_layout layout_of(const access_picture& p) {
  access_layout layout;
  if (p.request >= p.warp.requests.size()) return layout;
  const gs::warp_request& request = p.warp.requests[p.request];
  layout.space = request.space;
  layout.kind = request.kind;
  layout.cost = gs::cost_of(request);
  access_list lanes = request.lanes;
  std::ranges::sort(lanes, {}, &gs::lane_access::lane);
  for (const gs::lane_access& lane : lanes) layout.lanes.push_back(lane.lane);
  if (request.space == gs::memory_space::global) {
    std::uint64_t divisor = std::gcd(16u, request.bytes);
    for (const gs::lane_access& lane : lanes) divisor = std::gcd(divisor, lane.address);
    layout.cell_bytes = static_cast<unsigned>(divisor);
    layout.rows = sectors_of(lanes, request.bytes, layout.cell_bytes);
  } else if (request.space == gs::memory_space::shared) {
    layout.rows = wavefronts_of(lanes, request.bytes);
  }
  return layout;
}

std::string subject_of(const access_picture& p) {
  if (p.request >= p.warp.requests.size()) return "no request";
  const gs::warp_request& request = p.warp.requests[p.request];
  std::string text = p.warp.array.empty() ? "" : p.warp.array + ": ";
  text += fmt::format("{} {} of {} byte{}", gs::to_string(request.space), gs::to_string(request.kind), request.bytes,
                      request.bytes == 1 ? "" : "s");
  if (const auto& where = p.warp.where; where.line > 0)
    text += fmt::format(" at {}:{}", std::filesystem::path(where.file).filename().string(), where.line);
  const auto [x, y, z] = p.warp.block;
  return text + fmt::format(", block ({}, {}, {}), warp {}", x, y, z, p.warp.warp);
}

std::string caption_of(const access_layout& layout) {
  const gs::request_cost& cost = layout.cost;
  const auto counted = [](std::uint64_t n, const char* noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  std::string text = counted(layout.lanes.size(), "lane");
  if (layout.space == gs::memory_space::global)
    text += fmt::format(", {} of {} ideal, {} of {} bytes used", counted(cost.sectors, "sector"), cost.ideal_sectors,
                        cost.bytes_used, grouped(cost.sectors * gs::sector_bytes));
  if (layout.space == gs::memory_space::shared)
    text += fmt::format(", {} of {} ideal, {}", counted(cost.wavefronts, "wavefront"), cost.ideal_wavefronts,
                        counted(cost.wavefronts - cost.ideal_wavefronts, "bank conflict"));
  if (layout.kind == gs::access_kind::atomic)
    text += fmt::format(", up to {} on one address", counted(cost.most_per_address, "lane"));
  return text;
}

std::string list_of(const touching_lanes& lanes) {
  std::string text;
  for (std::size_t first = 0, next = 0; first < lanes.size(); first = next) {
    for (next = first + 1; next < lanes.size() && lanes[next] == lanes[next - 1] + 1; ++next) {
    }
    text += text.empty() ? "" : ", ";
    text += next - first > 2 ? fmt::format("{} to {}", lanes[first], lanes[next - 1]) : fmt::format("{}", lanes[first]);
    if (next - first == 2) text += fmt::format(", {}", lanes[next - 1]);
  }
  return text;
}

}  // namespace workbook
