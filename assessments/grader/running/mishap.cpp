#include "assessments/grader/running/mishap.h"

namespace grader {

std::string to_string(mishap_kind kind) {
  switch (kind) {
    case mishap_kind::compile_error:
      return "compile error";
    case mishap_kind::missing_function:
      return "missing function";
    case mishap_kind::timed_out:
      return "time-out";
    case mishap_kind::crashed:
      return "crash";
    case mishap_kind::ended:
      return "ended";
    case mishap_kind::exception:
      return "exception";
    case mishap_kind::out_of_memory:
      return "out of memory";
    case mishap_kind::wrong_answer:
      return "wrong answer";
    case mishap_kind::outside_output:
      return "outside the output";
    case mishap_kind::changed_input:
      return "changed input";
    case mishap_kind::race:
      return "race";
    case mishap_kind::finding:
      return "finding";
    case mishap_kind::too_many_copies:
      return "too many copies";
    case mishap_kind::counter:
      return "counter";
    case mishap_kind::too_slow:
      return "too slow";
    case mishap_kind::host_work:
      return "work on the host";
    case mishap_kind::refused:
      return "refused";
  }
  return "unknown";
}

}  // namespace grader
