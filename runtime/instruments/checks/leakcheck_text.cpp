// The sentences of leakcheck's findings.

#include "runtime/instruments/checks/leakcheck.h"

#include <fmt/format.h>

#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

void describe_leak(finding& found) {
  found.meaning = fmt::format(
      "{}{}, made in {}, is still there when the program ends.", found.array.empty() ? "A device array" : found.array,
      found.extents.empty() ? "" : fmt::format(" of shape {}", shape_of(found)), line_of(found, found.made));
  found.hint =
      "Let the gs::device_array go out of scope: don't make it with new, and don't keep it in a static variable.";
}

constexpr detail::finding_description leakcheck_findings[] = {
    {finding_kind::leak, "leak", describe_leak},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description leakcheck_description{instrument::leakcheck, "leakcheck",
                                                             finding_words::leakcheck_findings};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
