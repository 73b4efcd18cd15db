#include "assessments/grader/running/gpu.h"

#include "assessments/grader/running/submission_parts.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workshop/process.h"

namespace grader {

using gs::detail::printable;
using workshop::confined, workshop::confinement, workshop::flavour, workshop::gpu_devices, workshop::isolation,
    workshop::program_result, workshop::run_program;

std::string gpu_name(isolation level) {
  const std::string asked = "grade on a GPU", advice = "leave --target out: submissions run on the CPU then";
  if (gpu_devices().empty()) throw gs::machine_error(asked, "this machine has no NVIDIA GPU: no /dev/nvidia0", advice);
  confinement c;
  c.gpu = true;
  c.readable = readable_by_runner(flavour::cuda);
  c.memory_bytes = std::uint64_t{12} << 30;
  const program_result result = run_program(
      {.command = confined(level, c, {runner_program(flavour::cuda).string(), "--device"})}, c.processor_seconds);
  const std::string line = printable(result.output.substr(0, result.output.find('\n')));
  if (result.status != 0 || result.timed_out || line.empty())
    throw gs::machine_error(asked + " in a sandbox (" + to_string(level) + ")",
                            line.empty() ? "the runner ended without a message" : line, advice);
  return line;
}

}  // namespace grader
