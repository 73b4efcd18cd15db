#include "bench/bounds/cases.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench/bounds/kernels.h"
#include "runtime/instruments/device_model/memory_model.h"

namespace bench::bounds {
namespace {

using floats = std::vector<float>;
using indices = std::vector<std::uint32_t>;

constexpr double lanes = gs::warp_size, sector = gs::sector_bytes, floats_of_sector = sector / sizeof(float);
constexpr double sectors_of_row = lanes / floats_of_sector;  // of a warp's neighbouring floats
constexpr unsigned block_of_strided = 128;                   // of which there are whole ones
constexpr std::size_t most_elements = std::size_t{1} << 31, most_rows = 32'768;

float number(std::size_t i) { return static_cast<float>(i % 61) / 64; }

floats numbers_of(std::size_t size) {
  floats x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = number(i);
  return x;
}

// Each index once, and those of a warp in sectors of their own: steps of about the golden section of the whole.
indices scattered(std::size_t size) {
  auto step = static_cast<std::size_t>(0.618034 * static_cast<double>(size));
  while (std::gcd(step, size) != 1) ++step;
  indices index(size);
  for (std::size_t i = 0; i < size; ++i) index[i] = static_cast<std::uint32_t>(i * step % size);
  return index;
}

// Pseudo-random bins (the last step of MurmurHash3, A. Appleby, 2011).
indices random_bins(std::size_t size) {
  indices bin(size);
  for (std::size_t i = 0; i < size; ++i) {
    auto h = static_cast<std::uint32_t>(i);
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    bin[i] = (h ^ (h >> 16)) % bins;
  }
  return bin;
}

// What is queued and what is looked at afterwards share an array.
template <class T>
using shared_array = std::shared_ptr<const gs::device_array<T>>;
template <class T>
shared_array<T> on_device(const std::vector<T>& elements) {
  return std::make_shared<const gs::device_array<T>>(gs::to_device(elements));
}

// Of all counters, a bit for each sector.
constexpr auto counters_of_sector = static_cast<std::uint32_t>(floats_of_sector);
static_assert(bins / counters_of_sector == 32);
double sectors_touched(const indices& bin) {
  double sum = 0;
  for (std::size_t warp = 0; warp < bin.size(); warp += gs::warp_size) {
    std::uint32_t touched = 0;
    for (std::size_t lane = 0; lane < gs::warp_size; ++lane)
      touched |= std::uint32_t{1} << (bin[warp + lane] / counters_of_sector);
    sum += std::popcount(touched);
  }
  return sum;
}

// --- arrays ----------------------------------------------------------------------------------------------------------

bounded_launch copied(std::size_t n) {
  const auto size = static_cast<double>(n);
  return {.name = "copy",
          .work = {.blocks = n / block_size,
                   .memory_bytes = 2 * sizeof(float) * size,
                   .requests = 2 * size / lanes,
                   .sectors = 2 * size / floats_of_sector},
          .prepare = [n]() -> prepared_launch {
            const auto x = on_device(numbers_of(n)), y = on_device(floats(n, -1));
            return {[=] { gs::launch<copy>({.grid = n / block_size, .block = block_size}, *x, *y); },
                    [=] { return y->copy_to_host() == numbers_of(n); }};
          }};
}

bounded_launch copied_strided(std::size_t n) {
  const std::size_t results = n / stride;
  const auto size = static_cast<double>(results);
  // A sector is read for each number.
  const double sectors = size + size / floats_of_sector;
  return {.name = "copy, every 8th",
          .work = {.blocks = results / block_of_strided,
                   .memory_bytes = sector * sectors,
                   .requests = 2 * size / lanes,
                   .sectors = sectors},
          .prepare = [=]() -> prepared_launch {
            const auto x = on_device(numbers_of(n)), y = on_device(floats(results, -1));
            return {[=] {
                      gs::launch<copy_strided>({.grid = results / block_of_strided, .block = block_of_strided}, *x, *y);
                    },
                    [=] {
                      floats expected(results);
                      for (std::size_t i = 0; i < results; ++i) expected[i] = number(stride * i);
                      return y->copy_to_host() == expected;
                    }};
          }};
}

bounded_launch gathered(std::size_t n) {
  const auto size = static_cast<double>(n);
  return {.name = "gather",
          .work = {.blocks = n / block_size,
                   .memory_bytes = 3 * sizeof(float) * size,
                   .requests = 3 * size / lanes,
                   .sectors = 2 * size / floats_of_sector + size},
          .prepare = [n]() -> prepared_launch {
            const auto index = on_device(scattered(n));
            const auto x = on_device(numbers_of(n)), y = on_device(floats(n, -1));
            return {[=] { gs::launch<gather>({.grid = n / block_size, .block = block_size}, *index, *x, *y); },
                    [=] {
                      const indices from = scattered(n);
                      floats expected(n);
                      for (std::size_t i = 0; i < n; ++i) expected[i] = number(from[i]);
                      return y->copy_to_host() == expected;
                    }};
          }};
}

bounded_launch counted(std::size_t n) {
  const auto size = static_cast<double>(n);
  constexpr double sectors_of_counts = bins / floats_of_sector;
  return {.name = "histogram, atomics",
          .work = {.blocks = n / block_size,
                   .memory_bytes = sizeof(float) * size + 2 * sector * sectors_of_counts,
                   .requests = 2 * size / lanes,
                   .sectors = size / floats_of_sector + sectors_touched(random_bins(n))},
          .prepare = [n]() -> prepared_launch {
            const auto bin = on_device(random_bins(n)), counts = on_device(indices(bins, 0));
            return {[=] { gs::launch<count>({.grid = n / block_size, .block = block_size}, *bin, *counts); },
                    [=] {
                      indices expected(bins, 0);
                      for (const std::uint32_t b : random_bins(n)) ++expected[b];
                      return counts->copy_to_host() == expected;
                    }};
          }};
}

bounded_launch reduced(std::size_t n) {
  const auto size = static_cast<double>(n);
  const std::size_t grid = std::min<std::size_t>(n / block_size, 1024);
  const auto blocks = static_cast<double>(grid);
  // Each block adds to the total, and its warps leave their sums in shared memory, from where one of them reads them.
  return {.name = "reduce",
          .work = {.blocks = grid,
                   .memory_bytes = sizeof(float) * size + 2 * sector,
                   .requests = size / lanes + blocks,
                   .sectors = size / floats_of_sector + blocks,
                   .wavefronts = blocks * (block_size / lanes + 1),
                   .float32_operations = size},
          .prepare = [=]() -> prepared_launch {
            const auto x = on_device(numbers_of(n)), total = on_device(floats(1, 0));
            return {[=] { gs::launch<reduce>({.grid = grid, .block = block_size}, *x, *total); },
                    [=] {
                      double expected = 0;
                      for (std::size_t i = 0; i < n; ++i) expected += static_cast<double>(number(i));
                      return std::abs(static_cast<double>(total->copy_to_host()[0]) - expected) < 1e-4 * expected;
                    }};
          }};
}

// --- matrices --------------------------------------------------------------------------------------------------------

shared_array<float> square(const floats& elements, std::size_t side) {
  const auto extent = static_cast<std::ptrdiff_t>(side);
  return std::make_shared<const gs::device_array<float>>(gs::to_device(elements).reshape({extent, extent}));
}

bounded_launch transposed(std::string name, std::size_t side, double sectors_of_write, double wavefronts_of_warp,
                          std::function<void(const gs::device_array<float>&, const gs::device_array<float>&)> launch) {
  const double size = static_cast<double>(side) * static_cast<double>(side), warps = size / lanes;
  return {.name = std::move(name),
          .work = {.blocks = side / edge * (side / edge),
                   .memory_bytes = 2 * sizeof(float) * size,
                   .requests = 2 * warps,
                   .sectors = warps * (sectors_of_row + sectors_of_write),
                   .wavefronts = warps * wavefronts_of_warp},
          .prepare = [=]() -> prepared_launch {
            const auto in = square(numbers_of(side * side), side), out = square(floats(side * side, -1), side);
            return {[=] { launch(*in, *out); },
                    [=] {
                      floats expected(side * side);
                      for (std::size_t row = 0; row < side; ++row)
                        for (std::size_t column = 0; column < side; ++column)
                          expected[column * side + row] = number(row * side + column);
                      return out->copy_to_host() == expected;
                    }};
          }};
}

template <unsigned width>
void launch_tiles(const gs::device_array<float>& in, const gs::device_array<float>& out) {
  const std::size_t blocks = in.extent(0) / edge;
  gs::launch<transpose_by_tiles<width>>({.grid = {blocks, blocks}, .block = {edge, edge}}, in, out);
}

bounded_launch multiplied(
    std::string name, std::size_t side, gs::launch_work of_warp, unsigned rows,
    std::function<void(const gs::device_array<float>&, const gs::device_array<float>&, const gs::device_array<float>&)>
        launch) {
  const double size = static_cast<double>(side) * static_cast<double>(side), warps = size / lanes;
  return {.name = std::move(name),
          .work = {.blocks = side / edge * (side / rows),
                   .memory_bytes = 3 * sizeof(float) * size,
                   .requests = warps * of_warp.requests,
                   .sectors = warps * of_warp.sectors,
                   .wavefronts = warps * of_warp.wavefronts,
                   .float32_operations = 2 * size * static_cast<double>(side)},
          .prepare = [=]() -> prepared_launch {
            const floats elements = numbers_of(side * side);
            const auto a = square(elements, side), b = square(elements, side), c = square(elements, side);
            return {[=] { launch(*a, *b, *c); },
                    [=] {
                      const floats product = c->copy_to_host();
                      const auto is_right_at = [&](std::size_t row, std::size_t column) {
                        double expected = 0;
                        for (std::size_t k = 0; k < side; ++k)
                          expected += static_cast<double>(number(row * side + k)) *
                                      static_cast<double>(number(k * side + column));
                        return std::abs(static_cast<double>(product[row * side + column]) - expected) < 1e-4 * expected;
                      };
                      return is_right_at(0, 0) && is_right_at(side / 2, 1) && is_right_at(side - 1, side - 1);
                    }};
          }};
}

}  // namespace

std::vector<bounded_launch> bounded_launches(std::size_t elements, std::size_t side) {
  if (elements == 0 || elements % 1024 != 0 || elements > most_elements)
    throw gs::error("bounds of kernels on arrays", std::to_string(elements) + " elements",
                    "use a multiple of 1024, at most " + std::to_string(most_elements));
  if (side == 0 || side % edge != 0 || side > most_rows)
    throw gs::error("bounds of kernels on matrices", std::to_string(side) + " rows",
                    "use a multiple of 32, at most " + std::to_string(most_rows));
  const auto blocks = [](const gs::device_array<float>& m, unsigned rows) {
    return gs::extent3(m.extent(1) / edge, m.extent(0) / rows);
  };
  const auto naive_transpose = [=](const auto& in, const auto& out) {
    gs::launch<transpose_naively>({.grid = blocks(in, edge), .block = {edge, edge}}, in, out);
  };
  const auto naive_product = [=](const auto& a, const auto& b, const auto& c) {
    gs::launch<multiply_naively>({.grid = blocks(a, rows_of_block), .block = {edge, rows_of_block}}, a, b, c);
  };
  const auto tiled_product = [=](const auto& a, const auto& b, const auto& c) {
    gs::launch<multiply_by_tiles>({.grid = blocks(a, edge), .block = {edge, edge}}, a, b, c);
  };
  // For each step along a row: a number of a for all lanes, and a row of b; at the end a row of c. Of tiles, a warp
  // fetches a row of both for 32 steps.
  const auto steps = static_cast<double>(side);
  const gs::launch_work naive{.requests = 2 * steps + 1, .sectors = (1 + sectors_of_row) * steps + sectors_of_row};
  const gs::launch_work tiled{.requests = 2 * steps / edge + 1,
                              .sectors = sectors_of_row * (2 * steps / edge + 1),
                              .wavefronts = steps / edge * (2 + 2 * edge)};
  return {copied(elements),
          copied_strided(elements),
          gathered(elements),
          reduced(elements),
          counted(elements),
          transposed("transpose", 2 * side, lanes, 0, naive_transpose),
          transposed("transpose, tiles", 2 * side, sectors_of_row, 1 + lanes, launch_tiles<edge>),
          transposed("transpose, padded", 2 * side, sectors_of_row, 2, launch_tiles<edge + 1>),
          multiplied("matmul", side, naive, rows_of_block, naive_product),
          multiplied("matmul, tiles", side, tiled, edge, tiled_product)};
}

}  // namespace bench::bounds
