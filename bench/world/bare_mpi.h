#pragma once
// The peers of gs::world()'s verbs: bare calls of MPI on float32 in host memory, among all ranks of the program.
// Compiled for each MPI; what calls them is compiled once.

#include <cstddef>
#include <span>

namespace bench::bare_mpi {

void send(std::span<const float> x, int to);
void receive(std::span<float> x, int from);
void barrier();
void broadcast(std::span<float> x);  ///< from rank 0, as all roots here
void start_broadcast(std::span<float> x);
void reduce(std::span<const float> x, std::span<float> y);
void allreduce(std::span<const float> x, std::span<float> y);
void start_allreduce_maximum(std::span<float> x);  ///< in place
void scan(std::span<const float> x, std::span<float> y);
void gather(std::span<const float> x, std::span<float> y);
void allgather(std::span<const float> x, std::span<float> y);
void scatter(std::span<const float> x, std::span<float> y);
void alltoall(std::span<const float> x, std::span<float> y);

/// A rank beside this one, what it is sent, and where its message goes.
struct neighbour {
  int rank;
  std::span<float> sent;
  std::span<float> comes;
};
/// All receives and sends begin, then all of them are waited for.
void exchange(std::span<const neighbour> neighbours);

/// A rank's rows of a field, and one row above and one below them that belong to its neighbours or, at the field's
/// ends, repeat its own. `above` and `below` are ranks, -1 for none.
struct rows_of_field {
  std::size_t rows, columns;
  int above, below;
  float rate;
};
/// A step of diffusion from `u` to `next`, with the rows between computed while the outer ones travel; by as many
/// threads as this process has cores.
void diffuse(const rows_of_field& f, unsigned threads, std::span<float> u, std::span<float> next);

}  // namespace bench::bare_mpi
