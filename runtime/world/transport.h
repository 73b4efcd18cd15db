#pragma once
// transport: what a message library must offer, as a table of functions. There is one in the runtime itself, for a
// world of one (one_rank.cpp), and one in a library of its own for each MPI (mpi/), which is loaded when a program runs
// under that MPI's launcher. So a program is compiled once, knows nothing of MPI, and runs under any of them, or none.

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/config.h"
#include "runtime/world/fold.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Types that a message library can add up.
enum class number_type : std::uint8_t {
  none,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  long_double,
  complex64,
  complex128
};

/// Elements in memory, to be sent or received.
struct operand {
  void* data = nullptr;  ///< is only read from where it is sent
  std::size_t count = 0;
  std::size_t element_bytes = 1;
  number_type type = number_type::none;

  std::size_t bytes() const { return count * element_bytes; }
};

/// What has come.
struct receipt {
  int from = -1;
  int tag = -1;
  std::size_t bytes = 0;
};

/// How a reduction combines: a fold, or a function that does inout[i] = f(in[i], inout[i]) for *count elements.
struct combination {
  fold by = fold::sum;
  void (*function)(void* in, void* inout, int* count, void* unused) = nullptr;
  bool commutes = true;  ///< else the order of ranks is that of the operands
};

/// Elements of each rank, in the order of ranks: as many of each, or `of_rank`, which only the ranks that give or get
/// all of them know.
struct part_counts {
  bool even = true;
  std::span<const std::size_t> of_rank;
};

/// A communicator, a request or a message that was looked at: the library's own number or pointer.
using transport_handle = std::intptr_t;

/// Each function that returns int returns 0, or a code that `describe` puts into words. Where the last handle is null,
/// the call returns when it is done; else it returns at once and `test` finishes it. Counts and offsets are in
/// elements, one for each rank.
struct transport {
  using handle = transport_handle;
  static constexpr unsigned newest_version = 2;

  unsigned version;
  const char* name;  ///< "Open MPI 4.1.4"
  int (*start)();
  int (*finish)();
  void (*end_all)(int status);
  void (*describe)(int code, char* text, std::size_t bytes);
  bool (*takes_device_pointers)();

  handle (*everybody)();
  int (*size)(handle group);
  int (*rank)(handle group);
  int (*duplicate)(handle group, handle* made);
  int (*split)(handle group, int colour, int key, handle* made);
  int (*split_by_machine)(handle group, handle* made);
  void (*release)(handle group);

  /// `synchronous`: done only when the receive has begun.
  int (*send)(handle group, const operand& x, int to, int tag, bool synchronous, handle* pending);
  int (*receive)(handle group, const operand& x, int from, int tag, receipt* came, handle* pending);
  /// Takes the next message, for receive_probed. `found` null: waits for it.
  int (*probe)(handle group, int from, int tag, bool* found, receipt* comes, handle* message);
  int (*receive_probed)(handle* message, const operand& x);
  int (*test)(handle* pending, bool* done, receipt* came);
  int (*wait)(handle* pending, receipt* came);

  int (*barrier)(handle group, handle* pending);
  int (*broadcast)(handle group, const operand& x, int root, handle* pending);
  /// `root` -1: everybody gets the result. `from` may be the same memory as `to`.
  int (*reduce)(handle group, const operand& from, void* to, const combination& how, int root, handle* pending);
  int (*scan)(handle group, const operand& from, void* to, const combination& how, handle* pending);
  /// `root` -1: everybody gets the result.
  int (*gather)(handle group, const operand& from, void* to, const part_counts& parts, int root, handle* pending);
  int (*scatter)(handle group, const void* from, const part_counts& parts, const operand& to, int root,
                 handle* pending);
  /// Both counts null: as many for each.
  int (*alltoall)(handle group, const operand& from, const std::size_t* counts_from, void* to,
                  const std::size_t* counts_to, handle* pending);

  /// Memory that all ranks of the group reach, zeros; they call this, and release_window, together. Offsets are in
  /// bytes.
  int (*make_window)(handle group, std::size_t bytes, void** memory, handle* made);
  void (*release_window)(handle window);
  /// `x` is free when it returns.
  int (*put)(handle window, const operand& x, int to, std::size_t offset);
  int (*get)(handle window, const operand& x, int from, std::size_t offset);
  /// What this rank has put is there, and it sees what others have put.
  int (*settle_window)(handle window);
};

/// Of a program that runs alone: every verb is a copy within its memory.
const transport& transport_of_one();
/// The transport of this process: that of the MPI whose launcher has started it, else transport_of_one(). Throws
/// gs::machine_error where this build has none for that launcher, and gs::error where library and launcher differ.
const transport& this_transport();

}  // namespace gs::inline GS_FLAVOUR::detail
