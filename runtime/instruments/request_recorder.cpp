#include "runtime/instruments/request_recorder.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <bit>

#include "runtime/instruments/memory_model.h"

namespace gs::inline GS_FLAVOUR::instruments {

void request_recorder::begin_launch(const launch_description& launch) {
  finish_requests();
  const std::array<unsigned, 6> sizes{launch.grid.x,  launch.grid.y,  launch.grid.z,
                                      launch.block.x, launch.block.y, launch.block.z};
  const auto [known, is_new] = kernel_numbers_.try_emplace(
      {std::string(launch.kernel), sizes, launch.static_shared_bytes, launch.dynamic_shared_bytes}, kernels_.size());
  if (is_new) {
    kernel_counters& made = kernels_.emplace_back();
    made.kernel = launch.kernel;
    made.where = place_of(launch.where);
    made.grid = launch.grid;
    made.block = launch.block;
    made.static_shared_bytes = launch.static_shared_bytes;
    made.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  }
  kernel_ = known->second;
  name_ = names_.try_emplace(std::string(launch.kernel), names_.size()).first->second;
  ++kernels_[kernel_].launches;
  kernels_[kernel_].threads += launch.grid.size() * launch.block.size();
}

void request_recorder::enter_block(std::size_t number) {
  finish_requests();
  block_ = position_in(kernels_[kernel_].grid, number);
  warp_ = lane_ = 0;
}

void request_recorder::begin_line(std::size_t number, memory_space space, const target& array) {
  active_.push_back(number);
  const auto [known, is_new] = counted_numbers_.try_emplace({name_, number, space}, counted_.size());
  lines_[number].counters = known->second;
  if (!is_new) return;
  counted_line line;
  line.where = static_cast<site>(number / 3);
  line.made = array.made;
  line.total.kernel = kernels_[kernel_].kernel;
  line.total.space = space;
  line.total.kind = static_cast<access_kind>(number % 3);
  line.picture.element_bytes = static_cast<std::uint32_t>(array.element_bytes);
  line.picture.extents.assign(array.extents, array.extents + array.rank);
  counted_.push_back(std::move(line));
}

bool request_recorder::one_more(line_requests& line) {
  if (waiting_requests_ == most_requests) {
    ++line.uncounted;
    return false;
  }
  ++waiting_requests_;
  if (line.used == line.requests.size()) line.requests.emplace_back();
  line.requests[line.used++].lanes = 0;
  return true;
}

void request_recorder::finish_requests() {
  for (const std::size_t number : active_) {
    line_requests& line = lines_[number];
    counted_line& counted = counted_[line.counters];
    for (std::size_t k = 0; k < line.used; ++k) count(counted, line.requests[k]);
    counted.total.uncounted += line.uncounted;
    line.next = {};
    line.used = line.uncounted = 0;
  }
  active_.clear();
  waiting_requests_ = 0;
}

void request_recorder::count(counted_line& line, const request& r) {
  std::array<std::uint64_t, 32> addresses;
  std::size_t lanes = 0;
  for (std::uint32_t left = r.lanes; left != 0; left &= left - 1)
    addresses[lanes++] = r.address[static_cast<unsigned>(std::countr_zero(left))];
  line_counters& total = line.total;
  const request_cost cost = cost_of_request({addresses.data(), lanes}, r.bytes, total.space, r.lanes);
  ++total.requests;
  total.accesses += lanes;
  total.bytes_used += cost.bytes_used;
  total.sectors += cost.sectors;
  total.ideal_sectors += cost.ideal_sectors;
  total.wavefronts += cost.wavefronts;
  total.ideal_wavefronts += cost.ideal_wavefronts;
  if (total.kind == access_kind::atomic) {
    total.serialized += cost.most_per_address;
    for (std::size_t i = 0; i < lanes; ++i) ++line.atomics[addresses[i]];
  }

  // The picture shows the first few requests of the first warp, or of a later one with more lanes.
  constexpr std::size_t most_in_picture = 4;
  if (lanes > line.lanes_in_picture) {
    line.lanes_in_picture = static_cast<std::uint32_t>(lanes);
    line.picture.block = block_;
    line.picture.warp = warp_;
    line.picture.requests.clear();
  }
  if (line.picture.requests.size() < most_in_picture && line.picture.block == block_ && line.picture.warp == warp_) {
    warp_request& shown = line.picture.requests.emplace_back();
    shown.space = total.space;
    shown.kind = total.kind;
    shown.bytes = r.bytes;
    for (std::uint32_t left = r.lanes; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(left));
      shown.lanes.push_back({static_cast<std::uint8_t>(lane), r.address[lane]});
    }
  }
}

std::uint64_t request_recorder::accesses() const {
  std::uint64_t sum = 0;
  for (const kernel_counters& k : kernels_) sum += k.accesses;
  return sum;
}

void request_recorder::report(inspection& result, const site_table& sites) {
  finish_requests();
  for (const kernel_counters& k : kernels_)
    if (k.launches > 0) result.kernels.push_back(k);
  for (counted_line& line : counted_) {
    line.total.where = line.picture.where = sites.place(line.where);
    line.total.made = line.picture.made = sites.place(line.made);
    line.total.addresses = line.atomics.size();
    for (const auto& [address, operations] : line.atomics)
      line.total.most_per_address = std::max(line.total.most_per_address, operations);
    line.picture.kernel = line.total.kernel;
    if (!line.picture.requests.empty()) result.pictures.push_back(std::move(line.picture));
    // Accesses that carry no line of their own are known by their code, of which a line may have several pieces.
    const auto same = std::ranges::find_if(result.lines, [&](const line_counters& other) {
      return other.kernel == line.total.kernel && other.where == line.total.where && other.kind == line.total.kind &&
             other.space == line.total.space;
    });
    if (same == result.lines.end())
      result.lines.push_back(line.total);
    else
      same->add(line.total);
  }
  *this = {};
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
