// The sentences of memcheck's findings.

#include "runtime/instruments/checks/memcheck.h"

#include <fmt/format.h>

#include "runtime/instruments/results/finding_words.h"

namespace gs::inline GS_FLAVOUR {
namespace finding_words {
namespace {

// The first dimension whose extent the index exceeds.
std::size_t dimension_outside(const finding& found) {
  std::size_t d = 0;
  while (d + 1 < found.index.size() && d < found.extents.size() && found.index[d] >= 0 &&
         static_cast<std::size_t>(found.index[d]) < found.extents[d])
    ++d;
  return d;
}

// The element that really lies there, if the address is inside the array.
std::string neighbour(const finding& found) {
  if (found.index.size() != found.extents.size() || found.index.size() < 2) return "";
  std::ptrdiff_t at = 0, size = 1;
  for (std::size_t d = 0; d < found.index.size(); ++d) {
    const auto extent = static_cast<std::ptrdiff_t>(found.extents[d]);
    if (__builtin_mul_overflow(at, extent, &at) || __builtin_add_overflow(at, found.index[d], &at)) return "";
    size *= extent;
  }
  if (at < 0 || at >= size) return "";
  std::vector<std::ptrdiff_t> index(found.index.size());
  for (std::size_t d = index.size(); d-- > 0; at /= static_cast<std::ptrdiff_t>(found.extents[d]))
    index[d] = at % static_cast<std::ptrdiff_t>(found.extents[d]);
  return fmt::format("; in memory that is {}", array_of(found) + brackets(index));
}

// Whether an expression does something each time that it stands there: i++, fetch_add(1), n = 3.
bool changes_something(std::string_view expression) {
  for (const std::string_view part : {"++", "--", "fetch_", "exchange(", "+=", "-=", " = "})
    if (expression.find(part) != expression.npos) return true;
  return false;
}

// An expression as the left side of a comparison.
std::string compared(const std::string& expression) {
  int depth = 0;
  for (const char c : expression) {
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (depth == 0 && std::string_view("<>=&|^?!,").find(c) != std::string_view::npos) return "(" + expression + ")";
  }
  return expression;
}

// Through a pointer, without an index.
void describe_stray_pointer(finding& found) {
  if (found.space == memory_space::shared) {
    found.meaning = fmt::format("{} {} that its block doesn't have.", capitalized(thread_and_block(found)),
                                does(found.access.kind, "shared memory"));
    found.hint =
        "Stay inside the struct of gs::shared and the launch's .shared_bytes; the indices of a gs::tile are checked "
        "one "
        "by one.";
    return;
  }
  found.meaning = fmt::format("{} {} at an address that belongs to no array.", capitalized(thread_and_block(found)),
                              does(found.access.kind, "device memory"));
  found.hint =
      "Pass the gs::device_array itself and take a gs::view in the kernel: its indices are checked one by one.";
}

void describe_outside(finding& found) {
  if (found.index.empty()) return describe_stray_pointer(found);
  const std::size_t d = dimension_outside(found);
  const bool flat = found.index.size() < 2;
  constexpr std::string_view verbs[] = {"reads", "writes", "updates"};
  const bool has_name = !array_of(found).empty();  // as it is written, small letters stay small
  found.meaning = fmt::format(
      "{} {} outside the array's shape {}{}, in {}{}.", has_name ? element_of(found) : capitalized(element_of(found)),
      verbs[static_cast<std::size_t>(found.access.kind)], shape_of(found),
      flat ? "" : fmt::format(" along dimension {}", d), thread_and_block(found), neighbour(found));
  if (found.space == memory_space::shared && found.extents == std::vector<std::size_t>{0}) {
    found.hint = "Give the launch the dynamic shared memory: .shared_bytes = n * sizeof(an element).";
    return;
  }
  if (d < found.index.size() && found.index[d] < 0) {
    found.hint =
        "Let only threads whose index isn't negative do this; test before you subtract, since an unsigned number never "
        "gets below 0.";
    return;
  }
  const detail::access_text written = written_access(found, found.access.where);
  const std::string name = array_of(found);
  const std::string extent = name + (flat ? ".size()" : fmt::format(".extent({})", d));
  if (d < written.indices.size() && changes_something(written.indices[d]))
    found.hint = fmt::format(
        "Keep the index in a variable of its own, and let only threads whose index is below {} do this.", extent);
  else if (d < written.indices.size() && !name.empty())
    found.hint = fmt::format("Let only threads with an index below the extent do this: if ({} < {}).",
                             compared(written.indices[d]), extent);
  else
    found.hint = "Let only threads with an index below the extent do this; the last index is the extent - 1.";
}

void describe_after_free(finding& found) {
  found.meaning = fmt::format("{} {} after {} was freed or moved from, in {}.", capitalized(thread_and_block(found)),
                              does(found.access.kind, element_of(found)), made_array(found), found.access.kernel);
  found.hint = "Launch the kernel before the gs::device_array goes out of scope or is moved, or keep the array longer.";
}

void describe_host_memory(finding& found) {
  const bool has_name = !array_of(found).empty() || !detail::text_of_access(found.access.where).empty();
  found.meaning = fmt::format("{} {}: a GPU can't reach it.", capitalized(thread_and_block(found)),
                              does(found.access.kind, has_name ? element_of(found) + ", which lies in the host's memory"
                                                               : "the host's memory"));
  found.hint = "Copy the values with gs::to_device and pass the result to the kernel, or pass a single one by value.";
}

void describe_device_memory(finding& found) {
  found.meaning = fmt::format("Code of the host {} memory of {}, which lies on the device: on a GPU it can't reach it.",
                              found.access.kind == access_kind::read ? "reads" : "writes", made_array(found));
  found.hint =
      "Let a kernel do this: pass it the array and launch it; or copy the elements with copy_to_host or "
      "copy_from_host.";
}

void describe_device_variable(finding& found) {
  const bool reads = found.access.kind == access_kind::read;
  found.meaning = fmt::format(
      "Code of the host {} {}, a variable of the device: on a GPU the host's variable of that name is another "
      "one.",
      reads ? "reads" : "writes", found.array);
  found.hint = fmt::format("Copy the value, {}, or declare the variable __managed__ and wait for the kernels before.",
                           reads ? fmt::format("cudaMemcpyFromSymbol(&value, {0}, sizeof {0})", found.array)
                                 : fmt::format("cudaMemcpyToSymbol({0}, &value, sizeof {0})", found.array));
}

void describe_unchecked_error(finding& found) {
  const std::string& call = found.access.kernel;
  found.meaning = fmt::format("{} failed with {}, and nobody asked.",
                              call.starts_with("the ") ? capitalized(call) : call, found.array);
  found.hint =
      "Compare what each call returns with cudaSuccess, and ask cudaGetLastError() after each launch: what comes after "
      "an error works on values that aren't there.";
}

void describe_unseen(finding& found) {
  found.meaning =
      fmt::format("{} {} memory of {} in a way that the instruments don't see.", capitalized(thread_and_block(found)),
                  found.access.kind == access_kind::read ? "reads" : "writes", made_array(found));
  found.hint =
      "Reach the elements by a gs::view, a[i], or by gs::atomic_ref: inline assembly, intrinsics, std::atomic_ref, "
      "functions of the C library and functions without the sanitizer hide what they do.";
}

constexpr detail::finding_description memcheck_findings[] = {
    {finding_kind::outside_shape, "outside_shape", describe_outside},
    {finding_kind::use_after_free, "use_after_free", describe_after_free},
    {finding_kind::host_memory, "host_memory", describe_host_memory},
    {finding_kind::device_memory, "device_memory", describe_device_memory},
    {finding_kind::unseen_access, "unseen_access", describe_unseen},
    {finding_kind::device_variable, "device_variable", describe_device_variable},
    {finding_kind::unchecked_error, "unchecked_error", describe_unchecked_error},
};

}  // namespace
}  // namespace finding_words

namespace detail {

constinit const instrument_description memcheck_description{instrument::memcheck, "memcheck",
                                                            finding_words::memcheck_findings};

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
