#include "exercises/interruption.h"

namespace exercises {

std::optional<grader::program_result> run_unless_interrupted(const grader::process_options& o, double seconds,
                                                             const interruption& by) {
  using grader::process, grader::process_event;
  process running(o);
  const auto deadline = process::clock::now() +
                        std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds));
  process_event event;
  while ((event = running.wait(deadline, by.descriptor)) == process_event::readable)
    if (by.happened()) return std::nullopt;
  running.end();
  return grader::program_result{running.status(), event == process_event::deadline, running.output()};
}

}  // namespace exercises
