#include "workbook/exercise.h"

#include <exception>

namespace workbook {

bool is_clean(const gs::inspection& seen, report& report) {
  if (seen.failure && seen.findings.empty()) std::rethrow_exception(seen.failure);
  if (!seen.clean()) report.inspection(seen);
  return seen.clean();
}

}  // namespace workbook
