#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include "bench/world/bare_mpi.h"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace bench::bare_mpi {
namespace {

int count(std::span<const float> x) { return static_cast<int>(x.size()); }
int part(std::span<const float> x) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return count(x) / ranks;
}

}  // namespace

void send(std::span<const float> x, int to) { MPI_Send(x.data(), count(x), MPI_FLOAT, to, 0, MPI_COMM_WORLD); }
void receive(std::span<float> x, int from) {
  MPI_Recv(x.data(), count(x), MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
void broadcast(std::span<float> x) { MPI_Bcast(x.data(), count(x), MPI_FLOAT, 0, MPI_COMM_WORLD); }
void start_broadcast(std::span<float> x) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(x.data(), count(x), MPI_FLOAT, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
void reduce(std::span<const float> x, std::span<float> y) {
  MPI_Reduce(x.data(), y.data(), count(x), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}
void allreduce(std::span<const float> x, std::span<float> y) {
  MPI_Allreduce(x.data(), y.data(), count(x), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
void start_allreduce_maximum(std::span<float> x) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, x.data(), count(x), MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}
void scan(std::span<const float> x, std::span<float> y) {
  MPI_Scan(x.data(), y.data(), count(x), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}
void gather(std::span<const float> x, std::span<float> y) {
  MPI_Gather(x.data(), count(x), MPI_FLOAT, y.data(), count(x), MPI_FLOAT, 0, MPI_COMM_WORLD);
}
void allgather(std::span<const float> x, std::span<float> y) {
  MPI_Allgather(x.data(), count(x), MPI_FLOAT, y.data(), count(x), MPI_FLOAT, MPI_COMM_WORLD);
}
void scatter(std::span<const float> x, std::span<float> y) {
  MPI_Scatter(x.data(), count(y), MPI_FLOAT, y.data(), count(y), MPI_FLOAT, 0, MPI_COMM_WORLD);
}
void alltoall(std::span<const float> x, std::span<float> y) {
  MPI_Alltoall(x.data(), part(x), MPI_FLOAT, y.data(), part(x), MPI_FLOAT, MPI_COMM_WORLD);
}

void exchange(std::span<const neighbour> neighbours) {
  std::array<MPI_Request, 4> requests;
  int begun = 0;
  for (const neighbour& n : neighbours)
    MPI_Irecv(n.comes.data(), count(n.comes), MPI_FLOAT, n.rank, 0, MPI_COMM_WORLD, &requests[begun++]);
  for (const neighbour& n : neighbours)
    MPI_Isend(n.sent.data(), count(n.sent), MPI_FLOAT, n.rank, 0, MPI_COMM_WORLD, &requests[begun++]);
  MPI_Waitall(begun, requests.data(), MPI_STATUSES_IGNORE);
}

namespace {

void diffuse_row(const rows_of_field& f, const float* u, float* next) {
  const std::size_t n = f.columns;
  const float *const up = u - n, *const down = u + n;
  const auto cell = [=, rate = f.rate](std::size_t c, std::size_t left, std::size_t right) {
    next[c] = u[c] + rate * (up[c] + down[c] + (u[left] + u[right]) - 4 * u[c]);
  };
  cell(0, 0, n > 1 ? 1 : 0);
#pragma omp simd
  for (std::size_t c = 1; c < n - 1; ++c) cell(c, c - 1, c + 1);
  if (n > 1) cell(n - 1, n - 2, n - 1);
}

}  // namespace

void diffuse(const rows_of_field& f, unsigned threads, std::span<float> u, std::span<float> next) {
  const std::size_t n = f.columns;
  const auto row = [&](std::size_t k) { return u.subspan(k * n, n); };
  const auto out = [&](std::size_t k) { return next.data() + k * n; };
  std::array<MPI_Request, 4> requests;
  int begun = 0;
  const auto begin = [&](int rank, std::size_t own, std::size_t halo) {
    if (rank < 0) {
      std::copy_n(row(own).data(), n, row(halo).data());
      return;
    }
    MPI_Irecv(row(halo).data(), static_cast<int>(n), MPI_FLOAT, rank, 0, MPI_COMM_WORLD, &requests[begun++]);
    MPI_Isend(row(own).data(), static_cast<int>(n), MPI_FLOAT, rank, 0, MPI_COMM_WORLD, &requests[begun++]);
  };
  begin(f.above, 1, 0);
  begin(f.below, f.rows, f.rows + 1);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t k = 2; k < f.rows; ++k) diffuse_row(f, row(k).data(), out(k));
  MPI_Waitall(begun, requests.data(), MPI_STATUSES_IGNORE);
  diffuse_row(f, row(1).data(), out(1));
  if (f.rows > 1) diffuse_row(f, row(f.rows).data(), out(f.rows));
}

}  // namespace bench::bare_mpi
