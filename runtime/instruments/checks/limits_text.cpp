// The sentences of limits's findings.

#include "runtime/instruments/checks/limits.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/instruments/results/finding_text.h"
#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

// What the GPU refuses says more: describe(finding&, const error&).
void describe_launch_limit(finding& found) {
  found.meaning = fmt::format("The launch of {} would fail on the chosen GPU.", found.access.kernel);
  found.hint = "Launch fewer threads, or let each take less memory.";
}

constexpr detail::finding_description limits_findings[] = {
    {finding_kind::launch_limit, "launch_limit", describe_launch_limit},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description limits_description{instrument::limits, "limits", finding_words::limits_findings};

void describe(finding& found, const error& refusal) {
  found.meaning = finding_words::capitalized(refusal.asked()) + ": " + refusal.found() + ".";
  found.hint = finding_words::capitalized(refusal.advice()) + ".";
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
