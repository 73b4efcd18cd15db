#include "assessments/grader/running/call_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/core/error.h"

namespace grader {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr auto nowhere = runner::argument_place::nowhere;

// splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// Room for `bytes` at a multiple of the alignment; with something after them, so that no two arrays touch.
std::uint64_t take(std::uint64_t& end, std::uint64_t bytes) {
  const std::uint64_t begin = (end + alignment - 1) / alignment * alignment;
  end = begin + bytes + alignment;
  return begin;
}

// The bands before and after an output, one after the other.
std::array<std::span<std::byte>, 2> guards(const array_place& a, std::span<std::byte> outputs) {
  const std::size_t band = a.guard * a.plan.element_bytes;
  return {outputs.subspan(a.out - band, band), outputs.subspan(a.out + a.bytes(), band)};
}

template <class Word>
void fill(std::span<std::byte> memory, Word pattern) {
  std::size_t at = 0;
  for (; at + sizeof pattern <= memory.size(); at += sizeof pattern)
    std::memcpy(memory.data() + at, &pattern, sizeof pattern);
  std::memcpy(memory.data() + at, &pattern, memory.size() - at);
}

}  // namespace

std::size_t array_place::size() const {
  std::size_t n = 1;
  for (const std::size_t extent : plan.extents) n *= extent;
  return n;
}

call_memory::call_memory(call_plan plan, bool exchange) : numbers_(std::move(plan.numbers)) {
  const runner::request limits;
  if (plan.arrays.size() > limits.arrays.size() || numbers_.size() > limits.numbers.size())
    throw gs::error("call a submission",
                    fmt::format("it takes {} arrays and {} numbers", plan.arrays.size(), numbers_.size()),
                    fmt::format("plan at most {} and {}", limits.arrays.size(), limits.numbers.size()));
  for (array_plan& array : plan.arrays) {
    array_place place{std::move(array)};
    if (place.plan.extents.empty() || place.plan.extents.size() > limits.arrays[0].extents.size())
      throw gs::error("call a submission",
                      fmt::format("its array {} has {} dimensions", place.plan.name, place.plan.extents.size()),
                      "plan one to three");
    if (!place.is_output()) place.in = take(inputs_bytes_, place.bytes());
    if (exchange && place.plan.role == array_role::host_input) place.exchanged = take(inputs_bytes_, place.bytes());
    if (place.is_output()) {
      const std::uint64_t band = alignment * (1 + entropy_() % 4);
      place.guard = band / place.plan.element_bytes;
      place.out = take(outputs_bytes_, 2 * band + place.bytes()) + band;
    } else if (place.plan.role == array_role::device_input) {
      place.out = take(outputs_bytes_, place.bytes());
    }
    arrays_.push_back(std::move(place));
  }
}

runner::request call_memory::prepare() const {
  runner::request r;
  r.step = runner::step::prepare;
  r.array_count = static_cast<std::uint32_t>(arrays_.size());
  r.number_count = static_cast<std::uint32_t>(numbers_.size());
  r.inputs_bytes = inputs_bytes_;
  r.outputs_bytes = outputs_bytes_;
  std::ranges::copy(numbers_, r.numbers.begin());
  for (std::size_t k = 0; k < arrays_.size(); ++k) {
    const array_place& a = arrays_[k];
    r.arrays[k] = {.in = a.in, .out = a.out, .exchanged = a.exchanged, .extents = {}, .guard = a.guard};
    r.arrays[k].rank = static_cast<std::uint32_t>(a.plan.extents.size());
    r.arrays[k].element_bytes = a.plan.element_bytes;
    std::ranges::copy(a.plan.extents, r.arrays[k].extents.begin());
  }
  return r;
}

std::vector<std::span<std::byte>> call_memory::inputs(std::span<std::byte> memory) const {
  std::vector<std::span<std::byte>> spans;
  for (const array_place& a : arrays_)
    spans.push_back(a.in == nowhere ? std::span<std::byte>{} : memory.subspan(a.in, a.bytes()));
  return spans;
}

void call_memory::keep_exchanged(std::span<std::byte> memory) const {
  for (const array_place& a : arrays_)
    if (a.exchanged != nowhere) std::ranges::copy(memory.subspan(a.in, a.bytes()), memory.begin() + a.exchanged);
}

void call_memory::poison(std::span<std::byte> outputs) {
  guard_seed_ = std::uint64_t{entropy_()} << 32 | entropy_();
  std::uint64_t state = guard_seed_;
  for (const array_place& a : arrays_) {
    if (a.out == nowhere) continue;
    // All bits of the exponent, the first of the fraction clear (a signalling NaN), the last one set.
    const auto varied = static_cast<std::uint32_t>(entropy_());
    if (a.plan.element_bytes == 8)
      fill(outputs.subspan(a.out, a.bytes()), 0x7ff0000000000001 | std::uint64_t{varied} << 1);
    else
      fill(outputs.subspan(a.out, a.bytes()), 0x7f800001 | (varied & 0x1fffff) << 1);
    for (const std::span<std::byte> band : guards(a, outputs))
      for (std::size_t at = 0; at < band.size(); at += sizeof state) {
        const std::uint64_t random = next_random(state);
        std::memcpy(band.data() + at, &random, sizeof random);
      }
  }
}

std::optional<overwritten_guard> call_memory::check_guards(std::span<const std::byte> outputs) const {
  // The bands are only read; this function serves const and mutable memory.
  const std::span<std::byte> memory(const_cast<std::byte*>(outputs.data()), outputs.size());
  std::uint64_t state = guard_seed_;
  std::optional<overwritten_guard> found;
  for (const array_place& a : arrays_) {
    if (a.out == nowhere) continue;
    const auto bands = guards(a, memory);
    for (std::size_t side = 0; side < bands.size(); ++side)
      for (std::size_t at = 0; at < bands[side].size(); at += sizeof state) {
        const std::uint64_t random = next_random(state);
        for (std::size_t k = 0; k < sizeof random && !found; ++k) {
          if (bands[side][at + k] == reinterpret_cast<const std::byte*>(&random)[k]) continue;
          const std::size_t element = (at + k) / a.plan.element_bytes;
          found = {.array = a.plan.name,
                   .offset = side == 0 ? static_cast<std::ptrdiff_t>(element) - static_cast<std::ptrdiff_t>(a.guard)
                                       : static_cast<std::ptrdiff_t>(a.size() + element),
                   .size = a.size()};
        }
      }
  }
  return found;
}

std::optional<changed_element> call_memory::check_inputs(std::span<const std::byte> inputs,
                                                         std::span<const std::byte> outputs) const {
  for (const array_place& a : arrays_) {
    if (a.plan.role != array_role::device_input) continue;
    const std::span<const std::byte> input = inputs.subspan(a.in, a.bytes()),
                                     returned = outputs.subspan(a.out, a.bytes());
    if (std::memcmp(input.data(), returned.data(), input.size()) == 0) continue;
    const auto first = std::ranges::mismatch(input, returned).in1 - input.begin();
    return changed_element{a.plan.name, static_cast<std::size_t>(first) / a.plan.element_bytes};
  }
  return std::nullopt;
}

std::vector<std::span<const std::byte>> call_memory::answer(std::span<const std::byte> inputs,
                                                            std::span<const std::byte> outputs) const {
  std::vector<std::span<const std::byte>> spans;
  for (const array_place& a : arrays_)
    spans.push_back(a.is_output() ? outputs.subspan(a.out, a.bytes()) : inputs.subspan(a.in, a.bytes()));
  return spans;
}

bool call_memory::has_device_input() const {
  return std::ranges::any_of(arrays_, [](const array_place& a) { return a.plan.role == array_role::device_input; });
}
bool call_memory::has_device_output() const {
  return std::ranges::any_of(arrays_, [](const array_place& a) { return a.plan.role == array_role::device_output; });
}

}  // namespace grader
