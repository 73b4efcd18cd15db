#include "exercises/check/interruption.h"

namespace exercises {

std::optional<workshop::program_result> run_unless_interrupted(const workshop::process_options& o, double seconds,
                                                               const interruption& by) {
  using workshop::process, workshop::process_event;
  process running(o);
  const auto deadline = process::clock::now() +
                        std::chrono::duration_cast<process::clock::duration>(std::chrono::duration<double>(seconds));
  process_event event;
  while ((event = running.wait(deadline, by.descriptor)) == process_event::readable)
    if (by.happened()) return std::nullopt;
  running.end();
  return workshop::program_result{running.status(), event == process_event::deadline, running.output()};
}

}  // namespace exercises
