// The counters and the pictures of real kernels, against figures worked out by hand. Device arrays begin at pages, so a
// warp's first element lies at a sector's start wherever its index is a multiple of 8 floats.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/inspect.h"

namespace {

using gs::access_kind;
using gs::inspection;
using gs::line_counters;
using gs::memory_space;

// --- asking ----------------------------------------------------------------------------------------------------------

template <class Body>
inspection inspect(const Body& body) {
  gs::select_device(gs::device_kind::engine);
  inspection result = gs::inspect(body);
  for (const gs::finding& f : result.findings) ADD_FAILURE() << to_string(f.access.where) << ": " << f.meaning;
  EXPECT_FALSE(result.failure);
  return result;
}

// Of all kernels at the line, or of those whose name holds `kernel`.
line_counters at_line(const inspection& result, int line, access_kind kind, const std::string& kernel = "") {
  line_counters sum;
  for (const line_counters& line_counted : result.lines) {
    if (static_cast<int>(line_counted.where.line) != line || line_counted.kind != kind ||
        line_counted.kernel.find(kernel) == kernel.npos)
      continue;
    EXPECT_NE(line_counted.where.file.find("cost_counters_test.cpp"), std::string::npos);
    sum.space = line_counted.space;
    sum.add(line_counted);
  }
  return sum;
}
line_counters reads(const inspection& result, int line, const std::string& kernel = "") {
  return at_line(result, line, access_kind::read, kernel);
}
line_counters writes(const inspection& result, int line, const std::string& kernel = "") {
  return at_line(result, line, access_kind::write, kernel);
}
line_counters atomics(const inspection& result, int line) { return at_line(result, line, access_kind::atomic); }

struct figures {  // what the tests compare at once
  std::uint64_t requests, accesses, bytes_used, sectors, ideal_sectors;
  bool operator==(const figures&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const figures& f) {
    return out << f.requests << " requests, " << f.accesses << " accesses, " << f.bytes_used << " bytes, " << f.sectors
               << " sectors, " << f.ideal_sectors << " ideal";
  }
};
figures global(const line_counters& l) {
  EXPECT_EQ(l.space, memory_space::global);
  EXPECT_EQ(l.wavefronts, 0u);
  EXPECT_EQ(l.uncounted, 0u);
  return {l.requests, l.accesses, l.bytes_used, l.sectors, l.ideal_sectors};
}

struct shared_figures {
  std::uint64_t requests, accesses, bytes_used, wavefronts, ideal_wavefronts;
  bool operator==(const shared_figures&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const shared_figures& f) {
    return out << f.requests << " requests, " << f.accesses << " accesses, " << f.bytes_used << " bytes, "
               << f.wavefronts << " wavefronts, " << f.ideal_wavefronts << " ideal";
  }
};
shared_figures shared(const line_counters& l) {
  EXPECT_EQ(l.space, memory_space::shared);
  EXPECT_EQ(l.sectors, 0u);
  EXPECT_EQ(l.uncounted, 0u);
  return {l.requests, l.accesses, l.bytes_used, l.wavefronts, l.ideal_wavefronts};
}

struct atomic_figures {
  std::uint64_t requests, accesses, addresses, most_per_address, serialized;
  bool operator==(const atomic_figures&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const atomic_figures& f) {
    return out << f.requests << " requests, " << f.accesses << " accesses, " << f.addresses << " addresses, "
               << f.most_per_address << " on one, " << f.serialized << " serialized";
  }
};
atomic_figures atomic(const line_counters& l) {
  return {l.requests, l.accesses, l.addresses, l.most_per_address, l.serialized};
}

template <class T>
gs::device_array<T> filled(std::size_t n, T value = {}) {
  return gs::to_device(std::vector<T>(n, value));
}

// --- strides and offsets ---------------------------------------------------------------------------------------------

template <class T>
void strided_copy(gs::thread t, gs::view<const T> in, gs::view<T> out, int stride, int offset) {
  const int lane = static_cast<int>(t.thread_rank());
  out[lane] = in[lane * stride + offset];
}
constexpr int line_of_strided_copy = __LINE__ - 2;

template <class T>
inspection strided(int stride, int offset = 0) {
  const auto in = filled<T>(static_cast<std::size_t>(31 * std::max(stride, 0) + offset + 1));
  auto out = filled<T>(32);
  return inspect([&] { gs::launch<strided_copy<T>>({.block = 32}, in, out, stride, offset); });
}

TEST(counters, of_strides_1_to_32) {
  for (int stride = 1; stride <= 32; ++stride) {
    // 8 floats, 4 doubles or 32 bytes fill a sector; no lane touches two.
    const auto s = static_cast<std::uint64_t>(stride);
    const auto of_float = strided<float>(stride), of_double = strided<double>(stride);
    const auto of_byte = strided<std::uint8_t>(stride);
    EXPECT_EQ(global(reads(of_float, line_of_strided_copy)),
              (figures{1, 32, 128, std::min<std::uint64_t>(4 * s, 32), 4}))
        << stride;
    EXPECT_EQ(global(reads(of_double, line_of_strided_copy)),
              (figures{1, 32, 256, std::min<std::uint64_t>(8 * s, 32), 8}))
        << stride;
    EXPECT_EQ(global(reads(of_byte, line_of_strided_copy)), (figures{1, 32, 32, s, 1})) << stride;
    EXPECT_EQ(global(writes(of_float, line_of_strided_copy)), (figures{1, 32, 128, 4, 4})) << stride;
  }
}

void scaled_copy(gs::thread t, gs::view<const std::complex<float>> in, gs::view<std::complex<float>> out) {
  out[t.grid()] = 2.0f * in[t.grid()];
}
constexpr int line_of_scaled_copy = __LINE__ - 2;

TEST(counters, of_complex_numbers) {
  // Copied whole they are 8 bytes.
  EXPECT_EQ(global(reads(strided<std::complex<float>>(1), line_of_strided_copy)), (figures{1, 32, 256, 8, 8}));
  EXPECT_EQ(global(reads(strided<std::complex<float>>(4), line_of_strided_copy)), (figures{1, 32, 256, 32, 8}));
  // Computed with, their parts come one after the other, and each request touches all 8 sectors.
  const auto in = filled<std::complex<float>>(32);
  auto out = filled<std::complex<float>>(32);
  const auto result = inspect([&] { gs::launch<scaled_copy>({.block = 32}, in, out); });
  EXPECT_EQ(global(reads(result, line_of_scaled_copy)), (figures{2, 64, 256, 16, 8}));
}

TEST(counters, of_offsets) {
  for (int offset = 0; offset <= 8; ++offset) {
    const std::uint64_t sectors = offset % 8 == 0 ? 4 : 5;
    EXPECT_EQ(global(reads(strided<float>(1, offset), line_of_strided_copy)), (figures{1, 32, 128, sectors, 4}))
        << offset;
  }
  // A stride of 0: one word for all.
  EXPECT_EQ(global(reads(strided<float>(0, 5), line_of_strided_copy)), (figures{1, 32, 4, 1, 1}));
  // Backwards.
  EXPECT_EQ(global(reads(strided<float>(-1, 31), line_of_strided_copy)), (figures{1, 32, 128, 4, 4}));
}

// --- structs ---------------------------------------------------------------------------------------------------------

struct particle {
  float x, y, z, mass;
};
struct alignas(16) float4 {
  float x, y, z, w;
};

void masses_of_structs(gs::thread t, gs::view<const particle> p, gs::view<float> out) {
  out[t.grid()] = p[t.grid()].mass;
}
constexpr int line_of_masses_of_structs = __LINE__ - 2;

void masses_of_arrays(gs::thread t, gs::view<const float> mass, gs::view<float> out) { out[t.grid()] = mass[t.grid()]; }
constexpr int line_of_masses_of_arrays = __LINE__ - 1;

void momentum(gs::thread t, gs::view<const particle> p, gs::view<float> out) {
  const particle& mine = p[t.grid()];
  out[t.grid()] = mine.mass * (mine.x + mine.y + mine.z);
}
constexpr int line_of_momentum = __LINE__ - 3;  // where the element is named

TEST(counters, of_an_array_of_structs_and_of_a_struct_of_arrays) {
  const auto particles = filled<particle>(64);
  const auto mass = filled<float>(64);
  auto out = filled<float>(64);
  const auto result = inspect([&] {
    gs::launch<masses_of_structs>({.block = 64}, particles, out);
    gs::launch<masses_of_arrays>({.block = 64}, mass, out);
    gs::launch<momentum>({.block = 64}, particles, out);
  });
  // Two warps; 16 bytes from one mass to the next, two of them in a sector.
  EXPECT_EQ(global(reads(result, line_of_masses_of_structs)), (figures{2, 64, 256, 32, 8}));
  EXPECT_EQ(global(reads(result, line_of_masses_of_arrays)), (figures{2, 64, 256, 8, 8}));
  // All four members are read, one after the other: each request pays for all sectors.
  EXPECT_EQ(global(reads(result, line_of_momentum)), (figures{8, 256, 1024, 128, 32}));
}

struct four_tile {
  gs::tile<float4, 32> of;
};
void copy_float4(gs::thread t, gs::shared<four_tile> s, gs::view<const float4> in, gs::view<float4> out) {
  const unsigned lane = t.thread_rank();
  s->of[lane] = in[lane];
  out[lane] = s->of[lane];
}
constexpr int line_of_copy_float4 = __LINE__ - 3;

TEST(counters, of_structs_of_16_bytes_that_are_copied_whole) {
  const auto in = filled<float4>(32);
  auto out = filled<float4>(32);
  const auto result = inspect([&] { gs::launch<copy_float4>({.block = 32}, in, out); });
  EXPECT_EQ(global(reads(result, line_of_copy_float4)), (figures{1, 32, 512, 16, 16}));
  EXPECT_EQ(global(writes(result, line_of_copy_float4 + 1)), (figures{1, 32, 512, 16, 16}));
  // Eight lanes fill the 32 banks: four phases without conflicts.
  EXPECT_EQ(shared(writes(result, line_of_copy_float4)), (shared_figures{1, 32, 512, 4, 4}));
  EXPECT_EQ(shared(reads(result, line_of_copy_float4 + 1)), (shared_figures{1, 32, 512, 4, 4}));
}

// --- matrices --------------------------------------------------------------------------------------------------------

void transpose(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out) {
  out(t.grid_x(), t.grid_y()) = in(t.grid_y(), t.grid_x());
}
constexpr int line_of_transpose = __LINE__ - 2;

template <unsigned Columns>
struct transpose_tile {
  gs::tile<float, 32, Columns> of;
};
template <unsigned Columns>
void transpose_by_tiles(gs::thread t, gs::shared<transpose_tile<Columns>> s, gs::view<const float, 2> in,
                        gs::view<float, 2> out) {
  const auto [x, y, z] = t.thread_idx();
  for (unsigned j = y; j < 32; j += 8) s->of(j, x) = in(t.block_idx().y * 32 + j, t.block_idx().x * 32 + x);
  t.sync();
  for (unsigned j = y; j < 32; j += 8) out(t.block_idx().x * 32 + j, t.block_idx().y * 32 + x) = s->of(x, j);
}
constexpr int line_of_filling = __LINE__ - 4, line_of_emptying = __LINE__ - 2;

TEST(counters, of_transposes) {
  const auto in = filled<float>(64 * 64).reshape({64, 64});
  auto out = filled<float>(64 * 64).reshape({64, 64});
  const auto naive = inspect([&] { gs::launch<transpose>({.grid = {2, 8}, .block = {32, 8}}, in, out); });
  // 4096 elements are 128 requests. A row is 4 sectors; a column touches one in each of 32 rows.
  EXPECT_EQ(global(reads(naive, line_of_transpose)), (figures{128, 4096, 16384, 512, 512}));
  EXPECT_EQ(global(writes(naive, line_of_transpose)), (figures{128, 4096, 16384, 4096, 512}));

  const auto of_tiles = [&]<unsigned Columns>(std::uint64_t wavefronts_per_column) {
    const auto result =
        inspect([&] { gs::launch<transpose_by_tiles<Columns>>({.grid = {2, 2}, .block = {32, 8}}, in, out); });
    const auto in_space = [&](int line, access_kind kind) {
      line_counters sum;
      for (const line_counters& line_counted : result.lines)
        if (static_cast<int>(line_counted.where.line) == line && line_counted.kind == kind) sum = line_counted;
      return sum;
    };
    EXPECT_EQ(global(in_space(line_of_filling, access_kind::read)), (figures{128, 4096, 16384, 512, 512}));
    EXPECT_EQ(shared(in_space(line_of_filling, access_kind::write)), (shared_figures{128, 4096, 16384, 128, 128}));
    EXPECT_EQ(shared(in_space(line_of_emptying, access_kind::read)),
              (shared_figures{128, 4096, 16384, 128 * wavefronts_per_column, 128}));
    EXPECT_EQ(global(in_space(line_of_emptying, access_kind::write)), (figures{128, 4096, 16384, 512, 512}));
    EXPECT_EQ(in_space(line_of_emptying, access_kind::read).bank_conflicts(), 128 * (wavefronts_per_column - 1));
    EXPECT_EQ(result.kernels.at(0).barriers, 4u);
  };
  of_tiles.operator()<32>(32);
  of_tiles.operator()<33>(1);
}

void copy_from_column(gs::thread t, gs::view<const float, 2> in, gs::view<float, 2> out, int first) {
  out(t.grid_y(), t.grid_x()) = in(t.grid_y(), t.grid_x() + static_cast<std::size_t>(first));
}
constexpr int line_of_copy_from_column = __LINE__ - 2;

TEST(counters, of_blocks_of_8_by_8_and_of_32_by_8) {
  const auto in = filled<float>(64 * 72).reshape({64, 72});  // rows of 9 sectors
  auto out = filled<float>(64 * 64).reshape({64, 64});
  const auto cost = [&](gs::extent3 grid, gs::extent3 block, int first) {
    const auto result = inspect([&] { gs::launch<copy_from_column>({.grid = grid, .block = block}, in, out, first); });
    return global(reads(result, line_of_copy_from_column));
  };
  // A warp of 8 x 8 threads reads four pieces of rows, each a sector if it begins at one, else two.
  EXPECT_EQ(cost({8, 8}, {8, 8}, 0), (figures{128, 4096, 16384, 128 * 4, 512}));
  EXPECT_EQ(cost({8, 8}, {8, 8}, 1), (figures{128, 4096, 16384, 128 * 8, 512}));
  EXPECT_EQ(cost({2, 8}, {32, 8}, 0), (figures{128, 4096, 16384, 128 * 4, 512}));
  EXPECT_EQ(cost({2, 8}, {32, 8}, 1), (figures{128, 4096, 16384, 128 * 5, 512}));
}

// --- active lanes ----------------------------------------------------------------------------------------------------

void first_lanes(gs::thread t, gs::view<float> out) {
  if (t.lane() < 8) out[t.grid()] = 1;
}
constexpr int line_of_first_lanes = __LINE__ - 2;

void inside(gs::thread t, gs::view<float> out) {
  if (t.grid() < out.size()) out[t.grid()] = 1;
}
constexpr int line_of_inside = __LINE__ - 2;

void loops_of_lanes(gs::thread t, gs::view<float> out) {
  for (unsigned k = 0; k <= t.lane() % 4; ++k) out[t.grid() + 64 * k] = 1;
}
constexpr int line_of_loops_of_lanes = __LINE__ - 2;

void either(gs::thread t, gs::view<float> out) {
  if (t.lane() % 2 == 0)
    out[t.grid()] = 1;
  else
    out[t.grid()] = 2;
}
constexpr int line_of_either = __LINE__ - 4;

TEST(counters, of_lanes_that_take_no_part) {
  auto out = filled<float>(256);
  const auto branch = writes(inspect([&] { gs::launch<first_lanes>({.block = 64}, out); }), line_of_first_lanes);
  EXPECT_EQ(global(branch), (figures{2, 16, 64, 2, 2}));
  EXPECT_EQ(branch.active_lanes(), 8);

  auto hundred = filled<float>(100);  // warps of 32, 32, 32 and 4
  const auto edge = writes(inspect([&] { gs::launch<inside>({.grid = 4, .block = 32}, hundred); }), line_of_inside);
  EXPECT_EQ(global(edge), (figures{4, 100, 400, 13, 13}));
  EXPECT_EQ(edge.active_lanes(), 25);

  auto eighty = filled<float>(80);  // blocks of 40: warps of 32 and 8
  const auto part = writes(inspect([&] { gs::launch<inside>({.grid = 2, .block = 40}, eighty); }), line_of_inside);
  EXPECT_EQ(global(part), (figures{4, 80, 320, 10, 10}));

  // Of each warp 32, 24, 16 and 8 lanes; those that are left lie in all four sectors.
  const auto loop = writes(inspect([&] { gs::launch<loops_of_lanes>({.block = 64}, out); }), line_of_loops_of_lanes);
  EXPECT_EQ(global(loop), (figures{8, 160, 640, 32, 2 * (4 + 3 + 2 + 1)}));
  EXPECT_EQ(loop.active_lanes(), 20);

  const auto ways = inspect([&] { gs::launch<either>({.block = 32}, out); });
  EXPECT_EQ(global(writes(ways, line_of_either)), (figures{1, 16, 64, 4, 2}));
  EXPECT_EQ(global(writes(ways, line_of_either + 2)), (figures{1, 16, 64, 4, 2}));
}

void grid_stride(gs::thread t, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = 1;
}
constexpr int line_of_grid_stride = __LINE__ - 2;

TEST(counters, of_grid_stride_loops_are_those_of_neighbours) {
  for (std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    auto out = filled<float>(n);
    const auto result = inspect([&] { gs::launch<grid_stride>({.grid = 2, .block = 64}, out); });
    const std::uint64_t sectors = (n + 7) / 8;
    EXPECT_EQ(global(writes(result, line_of_grid_stride)), (figures{(n + 31) / 32, n, 4 * n, sectors, sectors})) << n;
  }
}

// --- atomics ---------------------------------------------------------------------------------------------------------

void count_all(gs::thread, gs::view<int> n) { gs::atomic_ref(n[0]).fetch_add(1); }
constexpr int line_of_count_all = __LINE__ - 1;
void count_by_lane(gs::thread t, gs::view<int> n) { gs::atomic_ref(n[t.lane()]).fetch_add(1); }
constexpr int line_of_count_by_lane = __LINE__ - 1;
void histogram(gs::thread t, gs::view<const int> x, gs::view<int> n) { gs::atomic_ref(n[x[t.grid()]]).fetch_add(1); }
constexpr int line_of_histogram = __LINE__ - 1;

TEST(counters, of_atomics) {
  auto n = filled<int>(64);
  const auto counted_by_all = inspect([&] { gs::launch<count_all>({.grid = 2, .block = 64}, n); });
  EXPECT_EQ(atomic(atomics(counted_by_all, line_of_count_all)), (atomic_figures{4, 128, 1, 128, 128}));
  EXPECT_EQ(global(atomics(counted_by_all, line_of_count_all)), (figures{4, 128, 16, 4, 4}));

  const auto lanes = inspect([&] { gs::launch<count_by_lane>({.grid = 2, .block = 64}, n); });
  EXPECT_EQ(atomic(atomics(lanes, line_of_count_by_lane)), (atomic_figures{4, 128, 32, 4, 4}));
  EXPECT_EQ(global(atomics(lanes, line_of_count_by_lane)), (figures{4, 128, 512, 16, 16}));

  // In the first warp 20 lanes count to bin 3 and 12 to bin 40, in the second all to bin 40: bin 40 takes 44, and the
  // lanes that wait for each other are 20 and 32.
  std::vector<int> bins(64, 40);
  for (std::size_t i = 0; i < 20; ++i) bins[i] = 3;
  const auto x = gs::to_device(bins);
  const auto result = inspect([&] { gs::launch<histogram>({.block = 64}, x, n); });
  EXPECT_EQ(atomic(atomics(result, line_of_histogram)), (atomic_figures{2, 64, 2, 44, 52}));
  EXPECT_EQ(global(atomics(result, line_of_histogram)), (figures{2, 64, 12, 3, 2}));
  EXPECT_EQ(global(reads(result, line_of_histogram)), (figures{2, 64, 256, 8, 8}));
  EXPECT_EQ(n.copy_to_host()[40], 44) << "the kernel counts, too";
}

struct private_bins {
  gs::tile<unsigned, 33> of;
};
void count_in_shared(gs::thread t, gs::shared<private_bins> s, gs::view<unsigned> n) {
  s->of[t.thread_rank()] = 0;
  t.sync();
  gs::atomic_ref(s->of[t.lane() / 8]).fetch_add(1u);
  t.sync();
  n[t.grid()] = s->of[t.thread_rank()];
}
constexpr int line_of_count_in_shared = __LINE__ - 4;

// The blocks take turns, and each has its own counters all the time.
void count_twice_in_shared(gs::thread t, gs::shared<private_bins> s, gs::view<unsigned> n) {
  s->of[t.thread_rank()] = 0;
  t.sync();
  for (int k = 0; k < 2; ++k, t.grid_sync()) gs::atomic_ref(s->of[t.lane() / 8]).fetch_add(1u);
  n[t.grid()] = s->of[t.thread_rank()];
}
constexpr int line_of_count_twice_in_shared = __LINE__ - 3;

TEST(counters, of_atomics_in_shared_memory) {
  auto n = filled<unsigned>(64);
  const auto result = inspect([&] { gs::launch<count_in_shared>({.grid = 2, .block = 32}, n); });
  const auto counted = atomics(result, line_of_count_in_shared);
  // Each block has counters of its own, of which 8 lanes use one.
  EXPECT_EQ(atomic(counted), (atomic_figures{2, 64, 4, 8, 16}));
  EXPECT_EQ(shared(counted), (shared_figures{2, 64, 32, 2, 2}));
  const auto with_registers = inspect([&] {
    for (int k = 0; k < 3; ++k) gs::launch<count_in_shared>({.grid = 2, .block = 32}, n);
  });
  EXPECT_EQ(atomic(atomics(with_registers, line_of_count_in_shared)), (atomic_figures{6, 192, 4, 8, 48}));
  const auto together =
      inspect([&] { gs::launch<count_twice_in_shared>({.grid = 2, .block = 32, .cooperative = true}, n); });
  EXPECT_EQ(atomic(atomics(together, line_of_count_twice_in_shared)), (atomic_figures{4, 128, 4, 16, 32}));
}

// --- shared memory ---------------------------------------------------------------------------------------------------

template <class T>
struct shared_words {
  gs::tile<T, 1024> of;
};
template <class T>
void strided_in_shared(gs::thread t, gs::shared<shared_words<T>> s, gs::view<T> out, int stride) {
  for (unsigned i = t.thread_rank(); i < 1024; i += 32) s->of[i] = static_cast<T>(i);
  t.sync();
  out[t.thread_rank()] = s->of[static_cast<int>(t.thread_rank()) * stride];
}
constexpr int line_of_strided_in_shared = __LINE__ - 2;

TEST(counters, of_strides_in_shared_memory) {
  const auto cost = []<class T>(T, int stride) {
    auto out = filled<T>(32);
    const auto result = inspect([&] { gs::launch<strided_in_shared<T>>({.block = 32}, out, stride); });
    return shared(reads(result, line_of_strided_in_shared));
  };
  EXPECT_EQ(cost(float{}, 0), (shared_figures{1, 32, 4, 1, 1})) << "a broadcast";
  for (int stride = 1; stride <= 32; ++stride) {
    const auto power = static_cast<std::uint64_t>(stride & -stride);  // what the stride has in common with 32 banks
    EXPECT_EQ(cost(float{}, stride), (shared_figures{1, 32, 128, power, 1})) << stride;
    // Two phases of 16 lanes, over 16 pairs of banks.
    EXPECT_EQ(cost(double{}, stride), (shared_figures{1, 32, 256, 2 * std::min<std::uint64_t>(power, 16), 2}))
        << stride;
  }
  // Bytes of one word come together: of 32 lanes, 4 share each.
  EXPECT_EQ(cost(std::uint8_t{}, 1), (shared_figures{1, 32, 32, 1, 1}));
  EXPECT_EQ(cost(std::uint8_t{}, 8), (shared_figures{1, 32, 32, 2, 1}));
}

void in_dynamic_shared(gs::thread t, gs::dynamic_shared<float> s, gs::view<float> out) {
  s[2 * t.thread_rank()] = 1;
  t.sync();
  out[t.grid()] = s[2 * (31 - t.thread_rank())];
}
constexpr int line_of_in_dynamic_shared = __LINE__ - 4;

TEST(counters, of_dynamic_shared_memory) {
  auto out = filled<float>(32);
  const auto result = inspect([&] { gs::launch<in_dynamic_shared>({.block = 32, .shared_bytes = 256}, out); });
  EXPECT_EQ(shared(writes(result, line_of_in_dynamic_shared)), (shared_figures{1, 32, 128, 2, 1}));
  EXPECT_EQ(shared(reads(result, line_of_in_dynamic_shared + 2)), (shared_figures{1, 32, 128, 2, 1}));
  EXPECT_EQ(result.kernels.at(0).dynamic_shared_bytes, 256u);
}

struct block_total {
  gs::tile<float, 64> part;
  float total;
};
void share_total(gs::thread t, gs::shared<block_total> s, gs::view<float> out) {
  if (t.thread_rank() == 0) s->total = 3;
  t.sync();
  out[t.grid()] = s->total;
}
constexpr int line_of_share_total = __LINE__ - 4;

// `s->total` has no index: its line is that of its machine code, in the debugging information.
TEST(counters, of_members_of_shared_structs_have_a_line) {
  auto out = filled<float>(64);
  const auto result = inspect([&] { gs::launch<share_total>({.block = 64}, out); });
  EXPECT_EQ(shared(writes(result, line_of_share_total)), (shared_figures{1, 1, 4, 1, 1}));
  EXPECT_EQ(shared(reads(result, line_of_share_total + 2)), (shared_figures{2, 64, 8, 2, 2}));
}

// --- which line an access belongs to ---------------------------------------------------------------------------------

void keep_references(gs::thread t, gs::view<const float> x, gs::view<float> y) {
  const float& mine = x[t.grid()];
  float& sum = y[t.grid()];
  const float next = x[(t.grid() + 1) % x.size()];
  sum = mine + next;
}
constexpr int line_of_keep_references = __LINE__ - 5;

// An access belongs to the line that names the element.
TEST(counters, of_references_are_those_of_the_line_that_made_them) {
  const auto x = filled<float>(32);
  auto y = filled<float>(32);
  const auto result = inspect([&] { gs::launch<keep_references>({.block = 32}, x, y); });
  EXPECT_EQ(global(reads(result, line_of_keep_references)), (figures{1, 32, 128, 4, 4}));
  EXPECT_EQ(global(writes(result, line_of_keep_references + 1)), (figures{1, 32, 128, 4, 4}));
  EXPECT_EQ(global(reads(result, line_of_keep_references + 2)), (figures{1, 32, 128, 4, 4}));
  EXPECT_EQ(result.lines.size(), 3u);
}

void read_and_write(gs::thread t, gs::view<int> x) { x[t.grid()] += 1; }
constexpr int line_of_read_and_write = __LINE__ - 1;

TEST(counters, of_reads_and_of_writes_are_apart) {
  auto x = filled<int>(32);
  const auto result = inspect([&] { gs::launch<read_and_write>({.block = 32}, x); });
  EXPECT_EQ(global(reads(result, line_of_read_and_write)), (figures{1, 32, 128, 4, 4}));
  EXPECT_EQ(global(writes(result, line_of_read_and_write)), (figures{1, 32, 128, 4, 4}));
}

// --- launches --------------------------------------------------------------------------------------------------------

TEST(counters, of_several_launches) {
  auto x = filled<int>(128);
  const auto result = inspect([&] {
    gs::launch<read_and_write>({.block = 32}, x);
    gs::launch<read_and_write>({.block = 32}, x);
    gs::launch<read_and_write>({.grid = 2, .block = 64}, x);
  });
  EXPECT_EQ(global(reads(result, line_of_read_and_write)), (figures{6, 192, 768, 24, 24})) << "of a line: together";
  ASSERT_EQ(result.kernels.size(), 2u) << "of a kernel: by shape of launch";
  EXPECT_EQ(result.kernels[0].launches, 2u);
  EXPECT_EQ(result.kernels[0].threads, 64u);
  EXPECT_EQ(result.kernels[0].accesses, 128u);
  EXPECT_EQ(result.kernels[1].grid.x, 2u);
  EXPECT_EQ(result.kernels[1].launches, 1u);
  EXPECT_EQ(result.kernels[1].threads, 128u);
  EXPECT_EQ(result.kernels[1].accesses, 256u);
}

TEST(counters, of_the_kernels_of_a_template) {
  const auto in = filled<float>(32);
  const auto wide_in = filled<double>(32);
  auto out = filled<float>(32);
  auto wide_out = filled<double>(32);
  const auto result = inspect([&] {
    gs::launch<strided_copy<float>>({.block = 32}, in, out, 1, 0);
    gs::launch<strided_copy<double>>({.block = 32}, wide_in, wide_out, 1, 0);
  });
  EXPECT_EQ(global(reads(result, line_of_strided_copy, "float")), (figures{1, 32, 128, 4, 4}));
  EXPECT_EQ(global(reads(result, line_of_strided_copy, "double")), (figures{1, 32, 256, 8, 8}));
  EXPECT_EQ(result.lines.size(), 4u);
}

// --- block style -----------------------------------------------------------------------------------------------------

struct block_tile {
  gs::tile<float, 8, 8> of;
};
void in_block_style(gs::block<8, 8> b, gs::shared<block_tile> s, gs::view<const float, 2> in, gs::view<float, 2> out) {
  b.each([&](auto t) { s->of(t.x, t.y) = in(t.grid_y(), t.grid_x()); });
  b.each_of(40, [&](std::size_t i) { s->of(i / 8, i % 8) *= 2; });
  b.each([&](auto t) { out(t.grid_y(), t.grid_x()) = s->of(t.x, t.y); });
}
constexpr int line_of_in_block_style = __LINE__ - 4;

TEST(counters, of_block_style_are_those_of_the_threads_it_stands_for) {
  const auto in = filled<float>(16 * 16, 1).reshape({16, 16});
  auto out = filled<float>(16 * 16).reshape({16, 16});
  const auto result = inspect([&] { gs::launch<in_block_style>({.grid = {2, 2}}, in, out); });
  // 4 blocks of 2 warps, each four pieces of rows.
  EXPECT_EQ(global(reads(result, line_of_in_block_style)), (figures{8, 256, 1024, 32, 32}));
  // Lanes along x are 8 words apart and come to 4 banks, those along y fill what is between: 8 words in each.
  EXPECT_EQ(shared(writes(result, line_of_in_block_style)), (shared_figures{8, 256, 1024, 16, 8}));
  // 40 of 64 threads: all lanes of the first warp and 8 of the second.
  EXPECT_EQ(shared(reads(result, line_of_in_block_style + 1)), (shared_figures{8, 160, 640, 8, 8}));
  EXPECT_EQ(shared(writes(result, line_of_in_block_style + 1)), (shared_figures{8, 160, 640, 8, 8}));
  ASSERT_EQ(result.kernels.size(), 1u);
  EXPECT_EQ(result.kernels[0].barriers, 12u) << "one after each of the three, in each block";
  EXPECT_EQ(result.kernels[0].threads, 256u);
}

// --- pictures --------------------------------------------------------------------------------------------------------

const gs::warp_picture* picture_of(const inspection& result, int line, access_kind kind) {
  for (const gs::warp_picture& p : result.pictures)
    if (static_cast<int>(p.where.line) == line && !p.requests.empty() && p.requests[0].kind == kind) return &p;
  return nullptr;
}

TEST(pictures, show_which_lane_touches_what) {
  const auto in = gs::to_device(std::vector<float>(64 * 64)).reshape({64, 64});
  auto out = gs::to_device(std::vector<float>(64 * 64)).reshape({64, 64});
  const auto result = inspect([&] { gs::launch<transpose>({.grid = {2, 8}, .block = {32, 8}}, in, out); });
  const gs::warp_picture* read_picture = picture_of(result, line_of_transpose, access_kind::read);
  const gs::warp_picture* written_picture = picture_of(result, line_of_transpose, access_kind::write);
  ASSERT_TRUE(read_picture && written_picture);
  EXPECT_EQ(read_picture->kernel, result.kernels.at(0).kernel);
  EXPECT_EQ(read_picture->array, "in");
  EXPECT_EQ(written_picture->array, "out");
  EXPECT_EQ(written_picture->warp, 0u);
  EXPECT_EQ(written_picture->block, (gs::index3{0, 0, 0}));
  EXPECT_EQ(written_picture->extents, (std::vector<std::size_t>{64, 64}));
  EXPECT_EQ(written_picture->element_bytes, 4u);
  ASSERT_EQ(written_picture->requests.size(), 1u);
  const gs::warp_request& request = written_picture->requests[0];
  EXPECT_EQ(request.bytes, 4u);
  EXPECT_EQ(request.space, memory_space::global);
  ASSERT_EQ(request.lanes.size(), 32u);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(request.lanes[lane].lane, lane);
    EXPECT_EQ(request.lanes[lane].address, lane * 64 * 4) << "row `lane` of column 0";
    EXPECT_EQ(read_picture->requests[0].lanes[lane].address, lane * 4);
  }
}

void columns_of_rows(gs::thread t, gs::view<const float, 2> in, gs::view<float> out) {
  float sum = 0;
  for (std::size_t j = 0; j < in.extent(1); ++j) sum += in(t.thread_rank(), j);
  if (t.lane() >= 30) out[t.thread_rank()] = sum;
}
constexpr int line_of_columns_of_rows = __LINE__ - 3;

TEST(pictures, show_the_first_requests_and_the_active_lanes) {
  const auto in = filled<float>(32 * 10).reshape({32, 10});
  auto out = filled<float>(32);
  const auto result = inspect([&] { gs::launch<columns_of_rows>({.block = 32}, in, out); });
  const gs::warp_picture* read_picture = picture_of(result, line_of_columns_of_rows, access_kind::read);
  const gs::warp_picture* written_picture = picture_of(result, line_of_columns_of_rows + 1, access_kind::write);
  ASSERT_TRUE(read_picture && written_picture);
  ASSERT_EQ(read_picture->requests.size(), 4u) << "of ten";
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(read_picture->requests[k].lanes.at(7).address, 4 * (7 * 10 + k));
  ASSERT_EQ(written_picture->requests.at(0).lanes.size(), 2u);
  EXPECT_EQ(written_picture->requests[0].lanes[0].lane, 30);
  EXPECT_EQ(written_picture->requests[0].lanes[1].address, 31u * 4);
}

TEST(pictures, are_of_a_warp_with_more_lanes_where_there_is_one) {
  auto out = filled<float>(100);
  const auto result = inspect([&] {
    gs::launch<inside>({.grid = 2, .block = 8}, out);
    gs::launch<inside>({.grid = 2, .block = 50}, out);
  });
  const gs::warp_picture* written_picture = picture_of(result, line_of_inside, access_kind::write);
  ASSERT_TRUE(written_picture);
  EXPECT_EQ(written_picture->requests.at(0).lanes.size(), 32u);
}

TEST(pictures, of_shared_memory_count_from_its_start) {
  auto out = filled<float>(32);
  const auto result = inspect([&] { gs::launch<in_dynamic_shared>({.block = 32, .shared_bytes = 256}, out); });
  const gs::warp_picture* written_picture = picture_of(result, line_of_in_dynamic_shared, access_kind::write);
  ASSERT_TRUE(written_picture);
  EXPECT_EQ(written_picture->requests.at(0).space, memory_space::shared);
  EXPECT_EQ(written_picture->requests[0].lanes.at(5).address, 40u);
  EXPECT_EQ(written_picture->extents, std::vector<std::size_t>{64});
}

// --- the switch ------------------------------------------------------------------------------------------------------

TEST(counters, are_left_out_when_switched_off) {
  auto x = filled<int>(32);
  gs::inspect_options options;
  options.counters = false;
  const auto result = gs::inspect([&] { gs::launch<read_and_write>({.block = 32}, x); }, options);
  EXPECT_TRUE(result.lines.empty());
  EXPECT_TRUE(result.pictures.empty());
  EXPECT_EQ(x.copy_to_host()[31], 1);
}

}  // namespace
