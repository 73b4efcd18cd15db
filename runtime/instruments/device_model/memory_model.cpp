#include "runtime/instruments/device_model/memory_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr std::size_t lanes = 32;
using warp_addresses = std::array<std::uint64_t, lanes>;

constexpr std::uint32_t first_lanes(std::size_t count) {
  return count >= lanes ? ~std::uint32_t{0} : (std::uint32_t{1} << count) - 1;
}

// Distinct bytes, sectors and addresses, from the lowest address to the highest.
void count_extent(std::span<const std::uint64_t> ascending, unsigned bytes, request_cost& cost) {
  std::uint64_t before = ascending.front(), next_sector = before / sector_bytes;  // the first one not yet counted
  std::uint64_t used = bytes, sectors = 0;
  std::uint32_t addresses = 1, on_one = 0, most = 0;
  for (const std::uint64_t address : ascending) {
    used += std::min<std::uint64_t>(bytes, address - before);
    const std::uint64_t end = (address + bytes - 1) / sector_bytes + 1;
    sectors += end - std::max(next_sector, address / sector_bytes);
    next_sector = end;
    addresses += address != before;
    on_one = address == before ? on_one + 1 : 1;
    most = std::max(most, on_one);
    before = address;
  }
  cost.bytes_used = static_cast<std::uint32_t>(used);
  cost.sectors = static_cast<std::uint32_t>(sectors);
  cost.addresses = addresses;
  cost.most_per_address = most;
}

// The distance from each address to the next, if it is always the same; modulo 2^64, so it may stand for a negative
// one.
std::optional<std::uint64_t> common_step(std::span<const std::uint64_t> addresses) {
  if (addresses.size() < 2) return 0;
  const std::uint64_t step = addresses[1] - addresses[0];
  std::uint64_t differences = 0;
  for (std::size_t i = 1; i < addresses.size(); ++i) differences |= (addresses[i] - addresses[i - 1]) ^ step;
  if (differences != 0) return {};
  return step;
}

// The same for addresses that are `step` apart, up or down.
void count_extent(std::span<const std::uint64_t> addresses, unsigned bytes, std::uint64_t step, request_cost& cost) {
  const auto count = static_cast<std::uint32_t>(addresses.size());
  const std::uint64_t distance = std::min(step, 0 - step);
  const std::uint64_t low = std::min(addresses.front(), addresses.back());
  const std::uint64_t high = std::max(addresses.front(), addresses.back());
  cost.addresses = distance == 0 ? 1 : count;
  cost.most_per_address = distance == 0 ? count : 1;
  cost.bytes_used = bytes + static_cast<std::uint32_t>((cost.addresses - 1) * std::min<std::uint64_t>(distance, bytes));
  if (distance < bytes + sector_bytes) {  // no gap has room for a sector
    cost.sectors = static_cast<std::uint32_t>((high + bytes - 1) / sector_bytes - low / sector_bytes + 1);
  } else {
    cost.sectors = count;
    for (const std::uint64_t address : addresses) cost.sectors += address % sector_bytes + bytes > sector_bytes;
  }
}

// Distinct words in the busiest bank: the lanes of one phase wait for it.
std::uint32_t words_in_busiest_bank(std::span<const std::uint64_t> addresses, unsigned bytes) {
  std::array<std::uint8_t, shared_banks> count{};
  std::array<std::array<std::uint64_t, lanes>, shared_banks> words;  // the first `count` of each bank
  std::uint8_t most = 0;
  for (const std::uint64_t address : addresses)
    for (std::uint64_t word = address / bank_bytes; word <= (address + bytes - 1) / bank_bytes; ++word) {
      auto& in_bank = words[word % shared_banks];
      std::uint8_t& known = count[word % shared_banks];
      if (std::find(in_bank.begin(), in_bank.begin() + known, word) != in_bank.begin() + known) continue;
      in_bank[known++] = word;
      most = std::max(most, known);
    }
  return most;
}

// The same for aligned accesses, a step apart that is a multiple of their size: seen in groups of banks as wide as an
// access, lane k touches group k * step, and comes back to the first after a power of two of lanes.
std::uint32_t words_in_busiest_bank(std::size_t count, unsigned bytes, std::uint64_t step) {
  if (step == 0) return 1;
  const unsigned width = std::max(bytes, bank_bytes);
  const std::uint64_t groups = shared_banks * bank_bytes / width, stride = step / width;
  const std::uint64_t period = groups / std::gcd(groups, stride);
  return static_cast<std::uint32_t>((count + period - 1) / period);
}

void count_wavefronts(std::span<const std::uint64_t> addresses, unsigned bytes, std::uint32_t active,
                      std::optional<std::uint64_t> step, request_cost& cost) {
  const bool regular =
      step && std::has_single_bit(bytes) && addresses.front() % bytes == 0 && *step % std::max(bytes, bank_bytes) == 0;
  const unsigned together = lanes_per_phase(bytes);
  for (unsigned lane = 0; lane < lanes; lane += together) {
    const auto count = static_cast<std::size_t>(std::popcount(active >> lane & first_lanes(together)));
    if (count == 0) continue;
    cost.wavefronts +=
        regular ? words_in_busiest_bank(count, bytes, *step) : words_in_busiest_bank(addresses.first(count), bytes);
    cost.ideal_wavefronts += 1;
    addresses = addresses.subspan(count);
  }
}

[[noreturn]] void refuse(std::size_t count, unsigned bytes, const std::string& found, const char* advice) {
  throw error(fmt::format("the cost of a request of {} lanes, {} bytes each", count, bytes), found, advice);
}

}  // namespace

request_cost cost_of_request(std::span<const std::uint64_t> addresses, unsigned bytes, memory_space space,
                             std::uint32_t active) {
  if (bytes == 0 || bytes > 16)
    refuse(addresses.size(), bytes, "a lane accesses 1 to 16 bytes at once", "split larger accesses");
  if (addresses.size() != static_cast<std::size_t>(std::popcount(active)))
    refuse(addresses.size(), bytes, fmt::format("the mask has {} active lanes", std::popcount(active)),
           "give one address per active lane");
  request_cost cost;
  if (addresses.empty()) return cost;
  const auto step = common_step(addresses);
  if (step) {
    count_extent(addresses, bytes, *step, cost);
  } else if (std::ranges::is_sorted(addresses)) {
    count_extent(addresses, bytes, cost);
  } else {
    warp_addresses sorted;
    const auto end = std::ranges::copy(addresses, sorted.begin()).out;
    std::sort(sorted.begin(), end);
    count_extent(std::span(sorted.begin(), end), bytes, cost);
  }
  if (space == memory_space::global)
    cost.ideal_sectors = (cost.bytes_used + sector_bytes - 1) / sector_bytes;
  else
    cost.sectors = 0;
  if (space == memory_space::shared) count_wavefronts(addresses, bytes, active, step, cost);
  return cost;
}

request_cost cost_of_request(std::span<const std::uint64_t> addresses, unsigned bytes, memory_space space) {
  return cost_of_request(addresses, bytes, space, first_lanes(addresses.size()));
}

request_cost cost_of(const warp_request& request) {
  warp_addresses by_lane;
  std::uint32_t active = 0;
  for (const lane_access& one : request.lanes) {
    if (one.lane >= lanes)
      refuse(request.lanes.size(), request.bytes, fmt::format("lane {}", one.lane), "a warp has lanes 0 to 31");
    const std::uint32_t bit = std::uint32_t{1} << one.lane;
    if (active & bit)
      refuse(request.lanes.size(), request.bytes, fmt::format("lane {} comes twice", one.lane),
             "give one access per lane");
    active |= bit;
    by_lane[one.lane] = one.address;
  }
  std::size_t count = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane)
    if (active >> lane & 1) by_lane[count++] = by_lane[lane];
  return cost_of_request(std::span(by_lane).first(count), request.bytes, request.space, active);
}

warp_request strided_request(memory_space space, access_kind kind, std::uint64_t stride, std::uint64_t first,
                             unsigned bytes) {
  warp_request request{.space = space, .kind = kind, .bytes = bytes};
  for (std::uint8_t lane = 0; lane < lanes; ++lane) request.lanes.push_back({lane, first + lane * stride});
  return request;
}

}  // namespace gs::inline GS_FLAVOUR
