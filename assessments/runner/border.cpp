#include "assessments/runner/border.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/observe/observe.h"

namespace runner {
namespace {

// Shorter copies that aren't a whole input are taken for something else that happens to have the same bytes.
constexpr std::size_t shortest_piece = 256;
// What is kept of the copies back; the oldest ones go first.
constexpr std::size_t most_kept = std::size_t{256} << 20;

std::uint64_t differences(std::span<const std::byte> a, std::span<const std::byte> b) {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += a[i] != b[i];
  return n;
}

#if GRIDSTRIDE_CHECKED
gs::instruments::used_bytes use_of(const void* device, std::size_t bytes) {
  return gs::instruments::use_of(device, bytes);
}
#else
struct used {
  std::uint64_t read = 0, written = 0;
};
used use_of(const void*, std::size_t) { return {}; }
#endif

}  // namespace

void border::begin(std::span<const argument> arrays) {
  const std::lock_guard lock(mutex_);
  arrays_.clear();
  returns_.clear();
  kept_bytes_ = 0;
  watches_returns_ = false;
  for (const argument& a : arrays) arrays_.push_back({.host = a, .bytes = a.size() * a.element_bytes, .pieces = {}});
#if GRIDSTRIDE_CHECKED
  gs::instruments::keep_use();
#endif
}

void border::exchange_by(std::vector<const std::byte*> exchanged) {
  const std::lock_guard lock(mutex_);
  for (std::size_t k = 0; k < arrays_.size() && k < exchanged.size(); ++k) arrays_[k].exchanged = exchanged[k];
}

void border::watch_returns() {
  const std::lock_guard lock(mutex_);
  watches_returns_ = true;
}

// The first byte that no piece covers, of those that have come in order.
std::size_t border::missing_from(const crossing_array& a) {
  std::size_t end = 0;
  for (const piece& p : a.pieces)
    if (p.begin <= end) end = std::max(end, p.begin + p.bytes);
  return end;
}

const void* border::goes_to_device(const void* device, const void* from, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto* const source = static_cast<const std::byte*>(from);
  const auto* const place = static_cast<const std::byte*>(device);
  for (crossing_array& a : arrays_) {
    if (!a.is_input()) {  // an output on the device comes with its guard bands
      const std::size_t guard = a.host.guard * a.host.element_bytes;
      if (source == a.host.out - guard && bytes == a.bytes + 2 * guard) a.pieces = {{place + guard, 0, a.bytes}};
      continue;
    }
    std::size_t begin = a.bytes;
    if (source >= a.host.in && source < a.host.in + a.bytes)
      begin = static_cast<std::size_t>(source - a.host.in);
    else if (bytes == a.bytes)
      begin = 0;
    else if (bytes >= shortest_piece)
      begin = missing_from(a);
    if (begin + bytes > a.bytes || std::memcmp(source, a.host.in + begin, bytes) != 0) continue;
    a.pieces.push_back({place, begin, bytes});
    return a.exchanged ? a.exchanged + begin : from;
  }
  return from;
}

void border::came_to_host(const void* to, const void* device, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!watches_returns_) return;
  const auto* const first = static_cast<const std::byte*>(to);
  returns_.push_back({.content = {first, first + bytes}, .written = use_of(device, bytes).written});
  for (kept_bytes_ += bytes; kept_bytes_ > most_kept && returns_.size() > 1; returns_.erase(returns_.begin()))
    kept_bytes_ -= returns_.front().content.size();
}

// The copy back that the answer is, or all of them together where it was brought back in pieces.
border::origin border::origin_of(const crossing_array& a) const {
  const std::span<const std::byte> answer(a.host.out, a.bytes);
  origin best{.different = a.bytes};
  const auto consider = [&](const return_copy& copy) {
    if (copy.content.size() != a.bytes) return;
    if (const std::uint64_t n = differences(copy.content, answer); n <= best.different) best = {n, copy.written};
  };
  if (kept_bytes_ == a.bytes && returns_.size() > 1) {
    return_copy together;
    for (const return_copy& copy : returns_) {
      together.content.insert(together.content.end(), copy.content.begin(), copy.content.end());
      together.written += copy.written;
    }
    consider(together);
  }
  for (const return_copy& copy : returns_) consider(copy);
  return best;
}

std::uint64_t border::lacking_bytes(std::size_t k) const {
  const std::lock_guard lock(mutex_);
  const crossing_array& a = arrays_[k];
  if (a.is_input()) {
    std::vector<std::pair<std::size_t, std::size_t>> covered;
    for (const piece& p : a.pieces) covered.emplace_back(p.begin, p.begin + p.bytes);
    std::ranges::sort(covered);
    std::size_t end = 0, brought = 0;
    for (const auto& [first, last] : covered) {
      if (last > end) brought += last - std::max(first, end);
      end = std::max(end, last);
    }
    return a.bytes - brought;
  }
  if (!a.pieces.empty() || a.bytes == 0) return 0;  // it lies on the device
  return origin_of(a).different;
}

std::uint64_t border::used_bytes(std::size_t k) const {
  const std::lock_guard lock(mutex_);
  const crossing_array& a = arrays_[k];
  std::uint64_t sum = 0;
  for (const piece& p : a.pieces) {
    const auto used = use_of(p.device, p.bytes);
    sum += a.is_input() ? used.read : used.written;
  }
  if (!a.is_input() && a.pieces.empty()) {
    const origin from = origin_of(a);
    sum = from.written - std::min(from.written, from.different);
  }
  return std::min<std::uint64_t>(sum, a.bytes);
}

}  // namespace runner
