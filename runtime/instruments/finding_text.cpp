#include "runtime/instruments/finding_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "runtime/core/shape.h"
#include "runtime/inspect/source_text.h"
#include "runtime/instruments/place_text.h"

namespace gs::inline GS_FLAVOUR {
namespace {

// "[5]" or "(3, 4)"
std::string brackets(const std::vector<std::ptrdiff_t>& index) {
  if (index.size() == 1) return fmt::format("[{}]", index[0]);
  return fmt::format("({})", fmt::join(index, ", "));
}

// The access as the kernel writes it. Empty where what is written has another number of indices than the array has
// dimensions: then a function takes them.
access_text written_access(const finding& found, const source_place& where) {
  access_text written = parts_of_access(where);
  return found.index.empty() || written.indices.size() == found.index.size() ? written : access_text();
}

// How the kernel calls the array, else how the host does.
std::string array_of(const finding& found) {
  const access_text written = written_access(found, found.access.where);
  return written.object.empty() ? found.array : written.object;
}

std::string memory_of(const finding& found) {
  if (found.space == memory_space::global) return "device memory";
  return found.space == memory_space::shared ? "shared memory" : "a local array";
}

// What the access reaches: "A(3, 4)" where the index is known, else as it is written, else in words.
std::string element_of(const finding& found) {
  const std::string name = array_of(found);
  if (!found.index.empty() && !name.empty()) return name + brackets(found.index);
  if (!found.index.empty()) return fmt::format("element {} of {}", brackets(found.index), memory_of(found));
  const std::string written = text_of_access(found.access.where);
  if (!written.empty()) return written;
  return fmt::format("an element of {}", name.empty() ? memory_of(found) : name);
}

std::string shape_of(const finding& found) { return to_string(shape(found.extents)); }

// "3" or "(3, 1)": as many dimensions as `at` and the position beside it need.
std::string position(const index3& at, const index3& beside) {
  if (at.z > 0 || beside.z > 0) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (at.y > 0 || beside.y > 0) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

// The access that came first, and the one it is told beside.
const finding_access& earlier_of(const finding& found) { return found.other ? *found.other : found.access; }
const finding_access& beside(const finding& found, const finding_access& access) {
  return &access == &found.access ? earlier_of(found) : found.access;
}

std::string thread_of(const finding& found, const finding_access& access) {
  return "thread " + position(access.thread, beside(found, access).thread);
}
std::string kernel_of(const finding_access& access) { return access.kernel.empty() ? "a library call" : access.kernel; }
std::string thread_and_block(const finding& found, const finding_access& access) {
  if (!access.has_threads) return kernel_of(access);
  return fmt::format("{} of block {}", thread_of(found, access), position(access.block, beside(found, access).block));
}
std::string thread_and_block(const finding& found) { return thread_and_block(found, found.access); }

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// "line 12", with the file's name where it isn't that of the finding.
std::string line_of(const finding& found, const source_place& where) {
  if (where.line == 0) return "an unknown line";
  if (where.file == found.access.where.file) return fmt::format("line {}", where.line);
  return fmt::format("{}:{}", where.file.substr(where.file.rfind('/') + 1), where.line);
}

// "reads x[5]", "updates x[5] atomically"
std::string does(access_kind kind, std::string_view what) {
  if (kind == access_kind::atomic) return fmt::format("updates {} atomically", what);
  return fmt::format("{} {}", kind == access_kind::read ? "reads" : "writes", what);
}

// The array by its name on the host: "x_device", else "an array".
std::string made_array(const finding& found) { return found.array.empty() ? "an array" : found.array; }

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
  const access_text written = written_access(found, found.access.where);
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
  const bool has_name = !array_of(found).empty() || !text_of_access(found.access.where).empty();
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

void describe_unseen(finding& found) {
  found.meaning =
      fmt::format("{} {} memory of {} in a way that the instruments don't see.", capitalized(thread_and_block(found)),
                  found.access.kind == access_kind::read ? "reads" : "writes", made_array(found));
  found.hint =
      "Reach the elements by a gs::view, a[i], or by gs::atomic_ref: inline assembly, intrinsics, std::atomic_ref, "
      "functions of the C library and functions without the sanitizer hide what they do.";
}

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

// "thread 4 of block 2 writes x[5] (line 12) and thread 5 of block 2 reads it (line 14)"
std::string both_accesses(const finding& found, std::string_view first, std::string_view second) {
  return fmt::format("{} {} ({}) and {} {} ({})", first, does(earlier_of(found).kind, element_of(found)),
                     line_of(found, earlier_of(found).where), second, does(found.access.kind, "it"),
                     line_of(found, found.access.where));
}
std::string both_threads(const finding& found) {
  return capitalized(both_accesses(found, thread_and_block(found, earlier_of(found)), thread_and_block(found)));
}

std::string same_value_text(const finding& found) { return found.same_value ? "; both write the same value" : ""; }

// What to do where no order of the two would be right; empty where one would.
std::string unordered_hint(const finding& found) {
  const finding_access &first = earlier_of(found), &second = found.access;
  if (found.same_value)
    return "No result depends on which of the writes comes last; still, let one thread do it where you can.";
  const bool one_is_atomic = (first.kind == access_kind::atomic) != (second.kind == access_kind::atomic);
  const bool is_update =
      first.where == second.where || (first.kind == access_kind::write && second.kind == access_kind::write);
  if (!one_is_atomic && !is_update) return "";
  const std::string element = found.takes_atomics.value_or(false) && !written_access(found, second.where).object.empty()
                                  ? text_of_access(second.where)
                                  : "";
  if (one_is_atomic)
    return fmt::format("An atomic access orders nothing against a plain one: make both atomic, {}.",
                       element.empty() ? "by gs::atomic_ref of the same element" : "gs::atomic_ref(" + element + ")");
  if (!element.empty())
    return fmt::format(
        "Give every thread an element of its own, or make the update atomic: gs::atomic_ref({}).fetch_add(...).",
        element);
  if (found.takes_atomics.value_or(true))
    return "Give every thread an element of its own, or make the update atomic by gs::atomic_ref, if it is a number of "
           "4 or 8 bytes and no bit field.";
  return "Give every thread an element of its own: gs::atomic_ref takes numbers of 4 or 8 bytes, and this is none. "
         "Where threads must share one, let it be an unsigned or a float.";
}

// Whether the source has one between the two lines, the first of which stands above.
bool has_barrier_between(const inspecting::source_text& source, unsigned first, unsigned second) {
  for (unsigned line = first; line <= second; ++line)
    if (const std::string_view text = source.line(line); text.substr(0, text.find("//")).find("sync(") != text.npos)
      return true;
  return false;
}

// Whether the kernel around a line is in block style, by the parameter that is named last above it.
bool is_in_block_style(const inspecting::source_text& source, unsigned line) {
  for (; line > 0; --line) {
    if (source.line(line).find("gs::block<") != std::string_view::npos) return true;
    if (source.line(line).find("gs::thread ") != std::string_view::npos) return false;
  }
  return false;
}

// Which of two threads came first says nothing of the lines: the engine runs one as far as its barrier, then the next.
std::string missing_barrier_hint(const finding& found) {
  const source_place &one = earlier_of(found).where, &other = found.access.where;
  if (one.file != other.file) return "Put t.sync() between the two, where every thread of the block reaches it.";
  const unsigned above = std::min(one.line, other.line), below = std::max(one.line, other.line);
  const inspecting::source_text source(one.file);
  std::string hint;
  if (is_in_block_style(source, above))
    hint = "Give each of the two a block.each of its own: what ends one of them is the barrier.";
  else if (above == below)
    hint = "Read into a variable, then t.sync(), then write; in a loop, t.sync() once more before the next round.";
  else if (has_barrier_between(source, above, below))
    hint = fmt::format(
        "Between line {} and line {} of the next round there is no barrier: t.sync() once more, at the end of the "
        "loop.",
        below, above);
  else
    hint = fmt::format("Put t.sync() between line {} and line {}, where every thread of the block reaches it.", above,
                       below);
  if (found.space == memory_space::global)
    hint += " In a grid of several blocks even that is not enough: write to a second array.";
  return hint;
}

void describe_race_in_block(finding& found) {
  found.meaning = fmt::format("{}, with no barrier between{}.", both_threads(found), same_value_text(found));
  const source_place &first = earlier_of(found).where, &second = found.access.where;
  const bool one_is_atomic =
      (earlier_of(found).kind == access_kind::atomic) != (found.access.kind == access_kind::atomic);
  // A block's own counters that are added up before all have counted: atomic reads would hide it and count as wrongly.
  const bool wants_a_barrier = one_is_atomic && !found.same_value && first != second;
  if (!wants_a_barrier) found.hint = unordered_hint(found);
  if (!found.hint.empty()) return;
  found.hint = missing_barrier_hint(found);
}

void describe_race_between_blocks(finding& found) {
  found.meaning =
      fmt::format("{}, in one launch, whose blocks run in any order{}.", both_threads(found), same_value_text(found));
  found.hint = unordered_hint(found);
  if (found.hint.empty())
    found.hint =
        "t.sync() orders only the threads of one block: write to a second array, or do what comes later in a "
        "launch of its own.";
}

void describe_race_between_streams(finding& found) {
  found.meaning =
      fmt::format("{}, on two streams that no event orders{}.",
                  both_accesses(found, kernel_of(earlier_of(found)), kernel_of(found.access)), same_value_text(found));
  found.hint =
      "Let the second stream wait for the first (gs::event e; e.record(first); second.wait(e);), or put both on "
      "one stream.";
}

void describe_outside_each(finding& found) {
  found.meaning =
      fmt::format("Block {} {} outside of block.each: on a GPU each of its threads does.",
                  position(found.access.block, found.access.block), does(found.access.kind, element_of(found)));
  found.hint = "Do it in a block.each, if (t.rank() == 0) where one thread is enough.";
}

void describe_divergent_lanes(finding& found) {
  found.meaning = fmt::format(
      "{} exchanges values with its warp in {} and {} in {}: a GPU may run the two one after the other, each without "
      "the "
      "other's values.",
      capitalized(thread_and_block(found)), line_of(found, found.access.where), thread_of(found, earlier_of(found)),
      line_of(found, earlier_of(found).where));
  found.hint =
      "Choose the value in the if and let all lanes make the same call after it, or name in the mask only the lanes of "
      "the branch.";
}

void describe_divergent_barrier(finding& found) {
  const source_place &one = found.access.where, &other = earlier_of(found).where;
  const bool same_line = found.other && one.line == other.line && one.file == other.file && one.line != 0;
  const auto barrier = [&](const source_place& where) {
    return line_of(found, where) + (same_line ? fmt::format(", column {}", where.column) : "");
  };
  found.meaning =
      fmt::format("{} waits at the barrier of {}, ", capitalized(thread_and_block(found)), barrier(one)) +
      (found.other ? fmt::format("but {} waits at that of {}.", thread_of(found, *found.other), barrier(other))
                   : "which other threads of the block never reach.");
  found.hint = "Move the barrier out of the if or the loop, so that all threads of the block reach the same one.";
}

void describe_exited_lane(finding& found) {
  found.meaning = fmt::format(
      "{} takes a value from a lane of its warp that has returned or isn't in the mask: CUDA leaves undefined what it "
      "gets.",
      capitalized(thread_and_block(found)));
  found.hint =
      "Let all lanes of the warp come here, with an if around the work instead of a return, or name in the mask "
      "those that do.";
}

void describe_exit_before_grid_sync(finding& found) {
  found.meaning = fmt::format("{} returns before a barrier of the whole grid, where the others wait for it.",
                              capitalized(thread_and_block(found)));
  found.hint = "Put the work in an if instead of returning early, so that every thread reaches each grid_sync().";
}

void describe_plain_spin(finding& found) {
  found.meaning = fmt::format(
      "{} reads {} again and again until another thread changes it. These are plain reads: a compiler may make one of "
      "them all, and then the loop never ends.",
      capitalized(thread_and_block(found)), found.array.empty() ? "the same element" : "an element of " + found.array);
  found.hint = "Read it with gs::atomic_ref(x).load(), and let the other thread write it with store().";
}

void describe_leak(finding& found) {
  found.meaning = fmt::format(
      "{}{}, made in {}, is still there when the program ends.", found.array.empty() ? "A device array" : found.array,
      found.extents.empty() ? "" : fmt::format(" of shape {}", shape_of(found)), line_of(found, found.made));
  found.hint =
      "Let the gs::device_array go out of scope: don't make it with new, and don't keep it in a static variable.";
}

}  // namespace

void describe(finding& found) {
  switch (found.kind) {
    case finding_kind::outside_shape:
      return describe_outside(found);
    case finding_kind::use_after_free:
      return describe_after_free(found);
    case finding_kind::host_memory:
      return describe_host_memory(found);
    case finding_kind::device_memory:
      return describe_device_memory(found);
    case finding_kind::unseen_access:
      return describe_unseen(found);
    case finding_kind::uninitialized_read:
      return describe_uninitialized(found);
    case finding_kind::race_in_block:
      return describe_race_in_block(found);
    case finding_kind::race_between_blocks:
      return describe_race_between_blocks(found);
    case finding_kind::race_between_streams:
      return describe_race_between_streams(found);
    case finding_kind::divergent_barrier:
      return describe_divergent_barrier(found);
    case finding_kind::exited_lane:
      return describe_exited_lane(found);
    case finding_kind::outside_each:
      return describe_outside_each(found);
    case finding_kind::divergent_lanes:
      return describe_divergent_lanes(found);
    case finding_kind::exit_before_grid_sync:
      return describe_exit_before_grid_sync(found);
    case finding_kind::plain_spin:
      return describe_plain_spin(found);
    case finding_kind::leak:
      return describe_leak(found);
    case finding_kind::launch_limit:
      found.meaning = fmt::format("The launch of {} would fail on the chosen GPU.", found.access.kernel);
      found.hint = "Launch fewer threads, or let each take less memory.";
  }
}

void describe(finding& found, const error& refusal) {
  found.meaning = capitalized(refusal.asked()) + ": " + refusal.found() + ".";
  found.hint = capitalized(refusal.advice()) + ".";
}

}  // namespace gs::inline GS_FLAVOUR
