// The document that an inspected lesson prints.

#include "workbook/json/inspection_json.h"

#include "tests/fuzz/reads.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return reads(data, size, [](std::string_view text) { workbook::inspection_of_report(text); });
}
