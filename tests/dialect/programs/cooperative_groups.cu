// Cooperative groups: blocks, tiles, coalesced threads, grids; reductions, scans, copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "check.cuh"

namespace cg = cooperative_groups;

struct sample {
  double weight;
  short number;
};

// A block of 2 x 24 threads: the second warp has 16.
__global__ void block_facts(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  int* mine = out + 8 * (block.thread_rank() + blockIdx.x * block.size());
  mine[0] = block.size();
  mine[1] = block.thread_index().y;
  mine[2] = block.group_index().x;
  mine[3] = block.group_dim().x;
  __shared__ int last;
  if (block.thread_rank() == block.size() - 1) last = 7 + blockIdx.x;
  cg::sync(block);
  mine[4] = last;
  const cg::grid_group grid = cg::this_grid();
  mine[5] = grid.thread_rank();
  mine[6] = grid.size();
  mine[7] = cg::thread_rank(block) + 1000 * cg::group_size(block);
}

template <class Tile>
__device__ int sum_of_tile(const Tile& tile, int value) {
  for (int d = tile.size() / 2; d > 0; d /= 2) value += tile.shfl_down(value, d);
  return tile.shfl(value, 0);
}

__global__ void tiles(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const auto four = cg::tiled_partition<4>(warp);
  const cg::thread_block_tile<8, cg::thread_block> eight = cg::tiled_partition<8>(block);
  const int rank = block.thread_rank();
  int* mine = out + 16 * rank;
  mine[0] = sum_of_tile(four, rank);
  mine[1] = sum_of_tile(eight, rank);
  mine[2] = four.shfl_xor(rank, 1);
  mine[3] = four.shfl_up(rank, 1);
  mine[4] = four.meta_group_rank() + 100 * four.meta_group_size();
  mine[5] = eight.meta_group_rank() + 100 * eight.meta_group_size();
  mine[6] = four.ballot(rank % 3 == 0);
  mine[7] = eight.any(rank == 9) + 2 * eight.all(rank < 40);
  mine[8] = four.match_any(rank / 2);
  const sample other = four.shfl(sample{0.5 * rank, (short)rank}, 3);
  mine[9] = other.number + (int)(2 * other.weight);
  const cg::thread_group sixteen = cg::tiled_partition(block, 16);
  mine[10] = sixteen.thread_rank() + 100 * sixteen.size();
  __shared__ int first[8];
  if (sixteen.thread_rank() == 3) first[rank / 16] = rank;
  sixteen.sync();
  mine[11] = first[rank / 16];
  mine[12] = warp.thread_rank();
}

__global__ void lanes(int* out, int* counter) {
  const int rank = threadIdx.x;
  int* mine = out + 8 * rank;
  for (int k = 0; k < 8; ++k) mine[k] = -1;
  if (rank % 3 == 1) {
    const cg::coalesced_group some = cg::coalesced_threads();
    int ticket = 0;
    if (some.thread_rank() == 0) ticket = atomicAdd(counter, some.size());
    mine[0] = some.shfl(ticket, 0) + some.thread_rank();
    mine[1] = some.shfl_down(rank, 1);
    mine[2] = some.shfl_up(rank, 2);
    mine[3] = some.ballot(rank > 15);
    mine[4] = cg::reduce(some, rank, cg::plus<int>());
  }
  __syncwarp();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::coalesced_group halves = cg::binary_partition(warp, rank < 20);
  mine[5] = halves.size() + 100 * halves.thread_rank();
  const cg::coalesced_group alike = cg::labeled_partition(warp, rank / 11);
  mine[6] = alike.size() + 100 * alike.thread_rank();
  mine[7] = alike.meta_group_size();
}

template <int Size>
__global__ void collectives(int* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int rank = threadIdx.x, value = (7 * rank) % 13;
  int* mine = out + 8 * rank;
  mine[0] = cg::reduce(tile, value, cg::plus<int>());
  mine[1] = cg::reduce(tile, value, cg::greater<int>());
  mine[2] = cg::reduce(tile, value, cg::less<int>());
  mine[3] = cg::reduce(tile, 1u << (rank % 5), cg::bit_or<unsigned>());
  mine[4] = cg::inclusive_scan(tile, value);
  mine[5] = cg::exclusive_scan(tile, value);
  mine[6] = cg::inclusive_scan(tile, value, cg::greater<int>());
  mine[7] = (int)cg::reduce(tile, 0.5 * value, cg::plus<double>());
}

__global__ void copies(const float* x, float* y, const char* text, char* copied, int n) {
  extern __shared__ float buffer[];
  __shared__ char letters[32];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, x, n * sizeof(float));
  cg::memcpy_async(block, letters, text + 1, 13);
  cg::wait(block);
  for (int i = block.thread_rank(); i < n; i += block.size()) y[i] = buffer[n - 1 - i];
  if (block.thread_rank() < 13) copied[block.thread_rank()] = letters[12 - block.thread_rank()];
}

// Each block adds what the block before has written in the step before.
__global__ void around(int* x, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const int blocks = gridDim.x, me = blockIdx.x;
  for (int step = 0; step < steps; ++step) {
    if (threadIdx.x == 0) x[blocks * ((step + 1) % 2) + me] = x[blocks * (step % 2) + (me + blocks - 1) % blocks] + 1;
    grid.sync();
  }
}
template <class T>
__global__ void fill_with(T* x, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

template <int Size>
void expect_collectives() {
  device_vector_of<int> x(std::vector<int>(8 * 64));
  collectives<Size><<<1, 64>>>(x.data);
  const std::vector<int> r = x.host();
  for (int rank = 0; rank < 64; ++rank) {
    const int first = rank / Size * Size;
    int sum = 0, most = 0, least = 99, bits = 0, before = 0, most_before = 0;
    for (int k = first; k < first + Size; ++k) {
      const int value = (7 * k) % 13;
      sum += value, most = std::max(most, value), least = std::min(least, value), bits |= 1 << (k % 5);
      if (k < rank) before += value;
      if (k <= rank) most_before = std::max(most_before, value);
    }
    const int* mine = &r[8 * rank];
    expect(mine[0] == sum && mine[1] == most && mine[2] == least && mine[3] == bits, "reduce");
    expect(mine[4] == before + (7 * rank) % 13 && mine[5] == before && mine[6] == most_before, "scans");
    expect(mine[7] == sum / 2, "reduce of doubles");
  }
}

int main() {
  device_vector_of<int> b(std::vector<int>(8 * 96));
  block_facts<<<2, dim3(24, 2)>>>(b.data);
  const std::vector<int> f = b.host();
  for (int k = 0; k < 96; ++k) {
    const int* mine = &f[8 * k];
    expect(mine[0] == 48 && mine[1] == k % 48 / 24 && mine[2] == k / 48 && mine[3] == 24, "what a block is");
    expect(mine[4] == 7 + k / 48, "what the block's last thread has written");
    expect(mine[5] == k && mine[6] == 96 && mine[7] == k % 48 + 48000, "ranks");
  }

  device_vector_of<int> x(std::vector<int>(16 * 48));
  tiles<<<1, 48>>>(x.data);
  const std::vector<int> t = x.host();
  for (int k = 0; k < 48; ++k) {
    const int *mine = &t[16 * k], four = k / 4 * 4, eight = k / 8 * 8;
    expect(mine[0] == 4 * four + 6 && mine[1] == 8 * eight + 28, "sums of tiles");
    expect(mine[2] == (k ^ 1) && mine[3] == (k % 4 == 0 ? k : k - 1), "shfl_xor and shfl_up");
    expect(mine[4] == k % 32 / 4 + 800 && mine[5] == k / 8 + 600, "meta_group_rank and size");
    int ballot = 0;
    for (int j = 0; j < 4; ++j) ballot |= ((four + j) % 3 == 0) << j;
    expect(mine[6] == ballot, "ballot of a tile");
    expect(mine[7] == (k / 8 == 1) + 2 * (eight + 7 < 40), "any and all of a tile");
    expect(mine[8] == (k % 4 < 2 ? 3 : 12), "match_any of a tile");
    expect(mine[9] == 2 * (four + 3), "shfl of a struct");
    expect(mine[10] == k % 16 + 1600 && mine[11] == k / 16 * 16 + 3, "parts of 16 threads");
    expect(mine[12] == k % 32, "rank in a warp");
  }

  device_vector_of<int> l(std::vector<int>(8 * 32)), counter(std::vector<int>{100});
  lanes<<<1, 32>>>(l.data, counter.data);
  const std::vector<int> v = l.host();
  expect_equal(counter.host()[0], 111, "the lanes that run together count themselves");
  for (int k = 0; k < 32; ++k) {
    const int* mine = &v[8 * k];
    if (k % 3 == 1) {
      expect(mine[0] == 100 + k / 3, "tickets");
      expect(mine[1] == (k + 3 < 32 ? k + 3 : k) && mine[2] == (k < 7 ? k : k - 6), "shfl_down and shfl_up by rank");
      expect(mine[3] == 0x7e0, "ballot by rank");
      expect(mine[4] == 176, "reduce of some lanes");
    } else {
      expect(mine[0] == -1 && mine[4] == -1, "lanes that have no part");
    }
    expect(mine[5] == (k < 20 ? 20 + 100 * k : 12 + 100 * (k - 20)), "binary_partition");
    expect(mine[6] == (k < 22 ? 11 : 10) + 100 * (k % 11) && mine[7] == 3, "labeled_partition");
  }
  expect_collectives<32>();
  expect_collectives<8>();
  expect_collectives<1>();

  for (int n : {0, 1, 31, 32, 33, 1009}) {
    std::vector<float> from(n);
    for (int k = 0; k < n; ++k) from[k] = k;
    device_vector_of<float> in(from), out(n);
    device_vector_of<char> text(
        std::vector<char>{'-', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'});
    device_vector_of<char> copied(13);
    copies<<<1, 64, n * sizeof(float)>>>(in.data, out.data, text.data, copied.data, n);
    const std::vector<float> reversed = out.host();
    for (int k = 0; k < n; ++k) expect_equal(reversed[k], n - 1 - k, "memcpy_async");
    expect(copied.host()[0] == 'm' && copied.host()[12] == 'a', "memcpy_async of odd bytes");
  }

  device_vector_of<int> ring(std::vector<int>(10));
  int steps = 6;
  void* arguments[] = {&ring.data, &steps};
  CHECK_CUDA(cudaLaunchCooperativeKernel((void*)around, 5, dim3(64), arguments, 0, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int k = 0; k < 5; ++k) expect_equal(ring.host()[k], 6, "grid.sync");

  device_vector_of<double> d(33);
  int n = 33;
  double value = 2.5;
  void* of_fill[] = {&d.data, &value, &n};
  CHECK_CUDA(cudaLaunchKernel((const void*)&fill_with<double>, dim3(2), dim3(32), of_fill));
  expect(d.host() == std::vector<double>(33, 2.5), "cudaLaunchKernel");
  return failures();
}
