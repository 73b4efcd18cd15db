// The verdict of a grade.

#include "assessments/grader/verdict/verdict_json.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { grader::read_verdict(text); });
}
