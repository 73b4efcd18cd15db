#pragma once
// times_table: a program's times beside the limits of this machine, for people and as JSON.

#include <string>
#include <vector>

#include "bench/limits/machine_limits.h"
#include "bench/own_program/program_times.h"

namespace bench {

/// The two limits that a loop has: how fast its numbers come from memory, and how fast they are computed with.
struct loop_limits {
  double bytes_per_second = 0;       ///< the best of copy, triad and read through memory, on all cores
  double operations_per_second = 0;  ///< of float32, fused multiply-adds on all cores
};
/// Of what measure_memory_and_arithmetic has measured.
loop_limits loop_limits_of(const std::vector<limit>& limits);

/// A program's times: a row for each, with its rates and their shares of the limits where bytes and operations are
/// known.
std::string times_text(const std::string& program, const std::vector<program_time>& times, const loop_limits& limits);

/// {"program", "limits": {"bytes_per_second", "operations_per_second"}, "timings": [...]}; a timing has its name,
/// run_seconds and median_seconds, and what is known of bytes, bytes_per_second, of_memory, operations,
/// operations_per_second, of_arithmetic.
std::string times_json(const std::string& program, const std::vector<program_time>& times, const loop_limits& limits);

}  // namespace bench
