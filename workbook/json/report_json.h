#pragma once
// A report as one JSON document; workbook/README.md describes it.

#include <optional>
#include <string>

#include "workbook/report.h"

namespace workbook {

/// Why a run ended early: the program's exit status and the sentence that says what happened.
struct run_failure {
  int status = 0;
  std::string message;
};

/// The document, UTF-8, indented by two spaces, without a line break at its end. Numbers that JSON can't express
/// are the strings "NaN", "inf" and "-inf". A series of more than 10,000 points is reduced to the least and greatest
/// value of each of 5,000 pieces.
std::string to_json(const report& r, const std::optional<run_failure>& failure = {});

}  // namespace workbook
