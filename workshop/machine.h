#pragma once
// The machine that programs of others run on: its name, what its limits leave them, and what it lacks.

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

#include "runtime/core/error.h"

namespace workshop {

/// "AMD EPYC 9354, 4 cores".
std::string machine_name();

/// What an exception says of the machine, if it does: a gs::machine_error, or that memory, processes, space or open
/// files have run out. `asked` begins what is made of others.
std::optional<gs::machine_error> lack_of_machine(const std::exception& e, const std::string& asked);

/// What this process's own limits let it and its children have, each: the largest number where there is none.
std::uint64_t memory_limit();

/// How often the system has ended a process because memory had run out, since it was started.
std::uint64_t processes_ended_for_memory();

std::string bytes_text(std::uint64_t n);  ///< "400 MB"

}  // namespace workshop
