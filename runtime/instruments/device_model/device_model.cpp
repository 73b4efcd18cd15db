#include "runtime/instruments/device_model/device_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace {

constexpr std::size_t kib = 1024;

// Multiprocessors, clock and memory are those of NVIDIA's data sheets and architecture white papers: V100 (SXM2), T4,
// A100 (SXM, 80 GB), H100 (SXM), H200 (SXM), HGX B200 and B300, the GA102, AD102 and "RTX Blackwell" white papers, the
// Jetson modules.
constexpr device_model models[] = {
    // capability, card, its SMs, MHz, float32 lanes of an SM, bytes/s of its memory;
    // per SM: blocks, warps, shared memory; per block: shared memory, granularity, reserved
    {"7.0", "Tesla V100", 80, 1530, 64, 900e9, 32, 64, 96 * kib, 96 * kib, 256, 0},
    {"7.2", "Jetson AGX Xavier", 8, 1377, 64, 136.5e9, 32, 64, 96 * kib, 96 * kib, 256, 0},
    {"7.5", "Tesla T4", 40, 1590, 64, 320e9, 16, 32, 64 * kib, 64 * kib, 256, 0},
    {"8.0", "A100", 108, 1410, 64, 2039e9, 32, 64, 164 * kib, 163 * kib, 128, kib},
    {"8.6", "GeForce RTX 3080", 68, 1710, 128, 760e9, 16, 48, 100 * kib, 99 * kib, 128, kib},
    {"8.7", "Jetson AGX Orin", 16, 1300, 128, 204.8e9, 16, 48, 164 * kib, 163 * kib, 128, kib},
    {"8.9", "GeForce RTX 4090", 128, 2520, 128, 1008e9, 24, 48, 100 * kib, 99 * kib, 128, kib},
    {"9.0", "H100 SXM", 132, 1980, 128, 3350e9, 32, 64, 228 * kib, 227 * kib, 128, kib},
    {"9.0", "H200", 132, 1980, 128, 4800e9, 32, 64, 228 * kib, 227 * kib, 128, kib},
    {"10.0", "B200", 148, 1965, 128, 8000e9, 32, 64, 228 * kib, 227 * kib, 128, kib},
    {"10.3", "B300", 148, 1965, 128, 8000e9, 32, 64, 228 * kib, 227 * kib, 128, kib},
    {"11.0", "Jetson AGX Thor", 20, 1575, 128, 273e9, 24, 48, 228 * kib, 227 * kib, 128, kib},
    {"12.0", "GeForce RTX 5090", 170, 2407, 128, 1792e9, 24, 48, 100 * kib, 99 * kib, 128, kib},
};

}  // namespace

std::span<const device_model> device_models() { return models; }

std::vector<std::string> compute_capabilities() {
  std::vector<std::string> capabilities;
  for (const device_model& model : models)
    if (capabilities.empty() || capabilities.back() != model.compute_capability)
      capabilities.emplace_back(model.compute_capability);
  return capabilities;
}

const device_model& model_of(std::string_view capability_or_card) {
  for (const auto name : {&device_model::compute_capability, &device_model::card})
    if (const auto found = std::ranges::find(models, capability_or_card, name); found != std::end(models))
      return *found;
  std::vector<std::string_view> cards;
  for (const device_model& model : models) cards.push_back(model.card);
  throw error(
      "the limits of a GPU", fmt::format("compute capability '{}'", capability_or_card),
      fmt::format("use one of {}, or a card: {}", fmt::join(compute_capabilities(), ", "), fmt::join(cards, ", ")));
}

}  // namespace gs::inline GS_FLAVOUR
