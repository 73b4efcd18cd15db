#include <unordered_map>

#include "bench/peers/peers.h"

namespace bench::peers {

void group_by(std::span<const std::int32_t> keys, std::span<const float> values, std::span<double> sums) {
  std::unordered_map<std::int32_t, double> groups;
  groups.reserve(sums.size());
#pragma omp parallel
  {
    std::unordered_map<std::int32_t, double> own;
    own.reserve(sums.size());
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < keys.size(); ++i) own[keys[i]] += static_cast<double>(values[i]);
#pragma omp critical
    for (const auto& [key, sum] : own) groups[key] += sum;
  }
  for (std::size_t key = 0; key < sums.size(); ++key) sums[key] = groups.at(static_cast<std::int32_t>(key));
}

void join(std::span<const std::int32_t> left, std::span<const std::int32_t> right, std::span<const float> values,
          std::span<float> out) {
  std::unordered_map<std::int32_t, float> table;
  table.reserve(right.size());
  for (std::size_t k = 0; k < right.size(); ++k) table.emplace(right[k], values[k]);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < left.size(); ++i) out[i] = table.find(left[i])->second;
}

}  // namespace bench::peers
