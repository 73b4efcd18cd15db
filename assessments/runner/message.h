#pragma once
// What the grader and the runner (the process a submission runs in) say to each other, over a socket of packets. The
// arrays themselves lie in two shared memories: inputs, which the runner can only read, and outputs.

#include <array>
#include <cstdint>

#include "runtime/core/ledger.h"

namespace runner {

inline constexpr int channel_fd = 3;  ///< SOCK_SEQPACKET
inline constexpr int inputs_fd = 4;   ///< sealed: can't be mapped for writing
inline constexpr int outputs_fd = 5;

/// Opens the module; then, for each call, the three steps of runner::submission.
enum class step : std::uint32_t { load, prepare, run, deliver };

/// Where an argument lies. Offsets in bytes from the start of its shared memory; `nowhere` for none.
struct argument_place {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};
  std::uint64_t in = nowhere, out = nowhere;
  /// Of an input on the host, with request::exchange: what arrives on the device where these bytes are copied to it.
  std::uint64_t exchanged = nowhere;
  std::array<std::uint64_t, 3> extents = {};
  std::uint32_t rank = 1, element_bytes = 4;
  std::uint64_t guard = 0;
};

/// Grader to runner. A request is answered by one reply with the same nonce: a random number that nobody can know
/// before, so that an answer can't be written ahead of its question.
struct request {
  std::uint64_t nonce = 0;
  runner::step step = runner::step::prepare;
  std::uint32_t inspect = 0;   ///< run: under the instruments (checked flavour only); the reply is followed by JSON
  std::uint32_t closed = 0;    ///< load: the engine's memory is closed to the host's code (plain flavour only)
  std::uint32_t exchange = 0;  ///< run: copies to the device bring other values than the host sees
  std::uint32_t array_count = 0, number_count = 0;
  std::array<argument_place, 6> arrays = {};          ///< with prepare
  std::array<double, 6> numbers = {};                 ///< with prepare
  std::uint64_t inputs_bytes = 0, outputs_bytes = 0;  ///< with prepare: how much of the shared memories is in use
};

enum class outcome : std::uint32_t {
  done,
  wrong_shape,    ///< `text` says which
  exception,      ///< gs::error or any other; `text` is its what()
  out_of_memory,  ///< std::bad_alloc, or the device has no room
  crashed,        ///< written by the signal handler; the process is about to end
  /// run, inspect: no answer yet. Asks from which lines the module's code at some offsets came: std::uint64_t each,
  /// `json_bytes` of them in all, follow as JSON would. The grader sends the length of addr2line's text as a
  /// std::uint64_t, then the text in packets of at most 64 KiB.
  asks_for_lines,
};

/// Runner to grader. The first one comes unasked, with the nonce 0: the runner stands in its sandbox and has not
/// touched the module yet.
struct reply {
  std::uint64_t nonce = 0;
  runner::outcome outcome = runner::outcome::done;
  std::int32_t signal = 0;        ///< crashed: which
  std::uint32_t wrote_input = 0;  ///< crashed: the access was a write to the inputs, which can only be read
  /// crashed: the access was to the device's memory, where the host's code has no business; 1: read, 2: written
  std::uint32_t touched_device = 0;
  std::uint64_t fault_address =
      0;  ///< crashed: the address that could not be accessed; SIGSYS: workshop::refused_call()
  std::array<std::uint64_t, 16> frames = {};  ///< crashed: offsets in the submission's module, innermost first; 0: none
  gs::ledger account;                         ///< run: what the call did
  /// run, inspect: bytes of each array that the device's work has used, of each copy, and no more than it has: read of
  /// an input, written of an output and brought back from there.
  std::array<std::uint64_t, 6> used_bytes = {};
  /// run, exchange: bytes of each input that were never brought to the device as they are; bytes of each output that
  /// the function returned and that aren't what was last brought back.
  std::array<std::uint64_t, 6> lacking_bytes = {};
  std::uint64_t json_bytes = 0;      ///< run, inspect: so many bytes follow in packets of at most 64 KiB
  std::array<char, 2048> text = {};  ///< ends in 0
};

}  // namespace runner
