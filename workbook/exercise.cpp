#include "workbook/exercise.h"

#include <exception>

namespace workbook {

bool is_clean(const gs::inspection& seen, report& report) {
  if (seen.failure && seen.findings.empty()) std::rethrow_exception(seen.failure);
  if (!seen.clean()) report.inspection(seen);
  return seen.clean();
}

lesson lesson_of(const exercise& e) {
  return {.number = e.number,
          .name = e.name,
          .title = e.task,
          .summary = e.task,
          .run = [check = e.check](const parameters&, report& report) { check(report); }};
}

}  // namespace workbook
