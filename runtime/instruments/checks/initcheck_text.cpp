// The sentences of initcheck's findings.

#include "runtime/instruments/checks/initcheck.h"

#include <fmt/format.h>

#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

void describe_uninitialized(finding& found) {
  if (found.access.kernel == "copy_to_host") {
    found.meaning =
        fmt::format("copy_to_host copies element {} of {}, which nothing has written{}.", brackets(found.index),
                    made_array(found), found.count > 1 ? fmt::format(", and {} like it", found.count - 1) : "");
    found.hint = "Let the kernel write every element, or copy the slice that it writes: y.slice(0, n).copy_to_host().";
    return;
  }
  found.meaning = fmt::format("{} {}, which nothing has written.", capitalized(thread_and_block(found)),
                              does(found.access.kind, element_of(found)));
  if (found.space == memory_space::global)
    found.hint =
        "A gs::device_array begins without values: write every element first, or make it with gs::to_device from an "
        "array that has them.";
  else if (found.space == memory_space::shared)
    found.hint =
        "Shared memory begins without values in every block: let the block's threads write it, then t.sync(), "
        "then read.";
  else
    found.hint = "A local array begins without values: write the elements before you read them.";
}

constexpr detail::finding_description initcheck_findings[] = {
    {finding_kind::uninitialized_read, "uninitialized_read", describe_uninitialized},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description initcheck_description{instrument::initcheck, "initcheck",
                                                             finding_words::initcheck_findings};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
