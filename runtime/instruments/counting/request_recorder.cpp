#include "runtime/instruments/counting/request_recorder.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <bit>
#include <span>

#include "runtime/instruments/device_model/memory_model.h"

namespace gs::inline GS_FLAVOUR::instruments {

void request_recorder::begin_launch(const launch_description& launch) {
  finish_requests();
  leave_blocks();
  footprint_.begin_launch();
  blocks_alternate_ = launch.cooperative;
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
  if (!blocks_alternate_) leave_blocks();
  const kernel_counters& kernel = kernels_[kernel_];
  block_number_ = number;
  block_ = detail::position_in(kernel.grid, number);
  threads_ = static_cast<unsigned>(kernel.block.size());
  warp_ = lane_ = 0;
  alone_ = threads_ == 1;
}

void request_recorder::begin_line(std::size_t number, memory_space space, const target& array) {
  active_.push_back(number);
  line_requests& line = lines_[number];
  line.begun = true;
  line.array = array;
  line.array.rank = std::min(array.rank, line.extents.size());
  std::copy_n(array.extents, line.array.rank, line.extents.begin());
  if (line.name == name_) return;
  line.name = name_;
  const auto [known, is_new] = counted_numbers_.try_emplace({name_, number}, counted_.size());
  line.counters = known->second;
  if (!is_new) return;
  if (space == memory_space::shared && number / 2 % 3 == static_cast<std::size_t>(access_kind::atomic))
    shared_atomics_.push_back(counted_.size());
  counted_line& counted = counted_.emplace_back();
  counted.where = static_cast<site>(number / 6);
  counted.made = array.made;
  counted.total.kernel = kernels_[kernel_].kernel;
  counted.total.space = space;
  counted.total.kind = static_cast<access_kind>(number / 2 % 3);
}

bool request_recorder::one_more(line_requests& line) {
  if (waiting_requests_ >= most_requests_) {
    ++line.uncounted;
    return false;
  }
  ++waiting_requests_;
  if (line.used == line.requests.size()) line.requests.emplace_back();
  line.requests[line.used++].lanes = 0;
  return true;
}

void request_recorder::count_lane(line_requests& line, std::size_t bytes, std::uint64_t address) {
  request r;
  r.lanes = 1;
  r.bytes = static_cast<std::uint32_t>(bytes);
  r.address[0] = address;
  count(line, r);
}

void request_recorder::finish_requests() {
  for (const std::size_t number : active_) {
    line_requests& line = lines_[number];
    for (std::size_t k = 0; k < line.used; ++k) count(line, line.requests[k]);
    counted_[line.counters].total.uncounted += line.uncounted;
    line.next = {};
    line.used = line.uncounted = 0;
    line.begun = false;
  }
  active_.clear();
  waiting_requests_ = 0;
}

void request_recorder::count(const line_requests& line, const request& r) {
  counted_line& counted = counted_[line.counters];
  line_counters& total = counted.total;
  std::array<std::uint64_t, 32> gathered;
  std::span<const std::uint64_t> addresses(r.address);
  if (r.lanes != ~std::uint32_t{0}) {
    std::size_t lanes = 0;
    for (std::uint32_t left = r.lanes; left != 0; left &= left - 1)
      gathered[lanes++] = r.address[static_cast<unsigned>(std::countr_zero(left))];
    addresses = {gathered.data(), lanes};
  }
  const request_cost cost = cost_of_request(addresses, r.bytes, total.space, r.lanes);
  kernel_counters& kernel = kernels_[kernel_];
  if (total.space == memory_space::global) ++kernel.requests;
  kernel.sectors += cost.sectors;
  kernel.wavefronts += cost.wavefronts;
  ++total.requests;
  total.accesses += addresses.size();
  total.bytes_used += cost.bytes_used;
  total.sectors += cost.sectors;
  total.ideal_sectors += cost.ideal_sectors;
  total.wavefronts += cost.wavefronts;
  total.ideal_wavefronts += cost.ideal_wavefronts;
  if (total.kind == access_kind::atomic) {
    total.serialized += cost.most_per_address;
    const std::uint64_t own = total.space == memory_space::shared ? block_number_ << 32 : 0;
    for (const std::uint64_t address : addresses) ++counted.atomics[own + address];
  }
  add_to_picture(line, counted, r);
}

void request_recorder::leave_blocks() {
  for (const std::size_t number : shared_atomics_) {
    counted_line& line = counted_[number];
    for (const auto& [address, operations] : line.atomics) {
      line.shared_addresses.insert(address & 0xffff'ffff);
      line.total.most_per_address = std::max(line.total.most_per_address, operations);
    }
    line.atomics.clear();
  }
}

// The picture shows the first few requests of the first warp, or of a later one with more lanes.
void request_recorder::add_to_picture(const line_requests& line, counted_line& counted, const request& r) {
  constexpr std::size_t most_in_picture = 4;
  warp_picture& picture = counted.picture;
  const auto lanes = static_cast<std::size_t>(std::popcount(r.lanes));
  if (lanes > counted.lanes_in_picture) {
    counted.lanes_in_picture = lanes;
    picture.block = block_;
    picture.warp = warp_;
    picture.element_bytes = static_cast<std::uint32_t>(line.array.element_bytes);
    picture.extents.assign(line.extents.begin(), line.extents.begin() + static_cast<std::ptrdiff_t>(line.array.rank));
    picture.requests.clear();
  }
  if (picture.requests.size() >= most_in_picture || picture.block != block_ || picture.warp != warp_) return;
  warp_request& shown = picture.requests.emplace_back();
  shown.space = counted.total.space;
  shown.kind = counted.total.kind;
  shown.bytes = r.bytes;
  for (std::uint32_t left = r.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint64_t offset = r.address[lane] - line.array.begin;
    if (offset < line.array.bytes) shown.lanes.push_back({static_cast<std::uint8_t>(lane), offset});
  }
}

std::uint64_t request_recorder::accesses() const {
  std::uint64_t sum = 0;
  for (const kernel_counters& k : kernels_) sum += k.accesses;
  return sum;
}

void request_recorder::report(inspection& result, const site_table& sites) {
  finish_requests();
  leave_blocks();
  for (const kernel_counters& k : kernels_)
    if (k.launches > 0) result.kernels.push_back(k);
  for (counted_line& line : counted_) {
    line.total.where = line.picture.where = sites.place(line.where);
    line.total.made = line.picture.made = sites.place(line.made);
    line.total.addresses = line.atomics.size() + line.shared_addresses.size();
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
  *this = request_recorder(most_requests_);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
