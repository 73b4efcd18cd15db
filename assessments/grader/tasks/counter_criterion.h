#pragma once
// Counters that a task may limit: numbers computed from an inspection's counters by line.

#include <string>
#include <string_view>
#include <vector>

#include "assessments/grader/tasks/task.h"
#include "runtime/instruments/results/inspection.h"

namespace grader {

/// A counter's value, and the line that has most of it (null where none has any).
struct counted {
  double value = 0;
  const gs::line_counters* worst = nullptr;
  double worst_share = 0;  ///< of the value, 0 to 1
};

/// The counters' names, for task.json:
///   global_atomics_per_value  atomic operations on global memory, of single threads / sizes["values"]. 0 values: 0
///   global_bytes_per_value    bytes that requests to global memory ask for, atomics aside / sizes["values"]
///   global_bytes_per_block    the same bytes / blocks of the kernel that asks for most of them
///   global_reads_per_interaction  reads of global memory, of single threads / (sizes["bodies"]^2 * sizes["steps"])
///   excess_sectors            32 * sectors of global memory / bytes that were asked for, less 1; reads and writes of
///                             all lines together: 0 if every byte moved was asked for, 7 if each float moved a sector
///   bank_conflicts            wavefronts of shared memory beyond the ideal, all lines together
///   library_calls             calls of ufuncs and libraries on the device, whose accesses no line has
std::vector<std::string_view> counter_names();

/// The words after a value: "atomic operations on global memory per value".
std::string_view meaning_of(std::string_view counter);

/// The counter's value in an inspected call of the case. Throws gs::error for an unknown name, and for a counter that
/// needs a size which the case hasn't.
counted count(std::string_view counter, const gs::inspection& inspection, const test_case& c);

/// Bytes of global memory that kernels reached, as observed by the instruments: what they can't see can't be graded.
std::uint64_t global_bytes(const gs::inspection& inspection);

}  // namespace grader
