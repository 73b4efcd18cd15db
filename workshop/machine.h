#pragma once
// The machine that somebody's program runs on: its name, its limits, and what it lacks.

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "runtime/core/error.h"

namespace workshop {

/// "AMD EPYC 9354, 4 cores".
std::string machine_name();

/// The machine's fault in an exception, if it is one: the gs::machine_error itself, or a new one if memory, processes,
/// disk space or open files have run out, which begins with `asked`.
std::optional<gs::machine_error> lack_of_machine(const std::exception& e, const std::string& asked);

/// Bytes of memory that this process's limits allow it, and each of its children; the largest number if unlimited.
std::uint64_t memory_limit();

/// How many processes the system has killed since boot because memory ran out.
std::uint64_t processes_ended_for_memory();

std::string bytes_text(std::uint64_t n);  ///< "400 MB"

}  // namespace workshop
