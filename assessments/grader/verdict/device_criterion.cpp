// The criterion "device": the answer is made by kernels, of what lies on the device. Shown by calls in which the host
// can have no part: the device gets other values than the host sees, and its memory is closed to the host's code.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "assessments/grader/verdict/grading.h"
#include "workbook/number_text.h"

namespace grader {
namespace {

std::string grouped(std::uint64_t n) { return workbook::grouped(static_cast<long long>(n)); }

// An access that isn't made by a kernel in a visible way; null if there is none.
const gs::finding* hidden_access(const call_result& inspected) {
  if (!inspected.inspection) return nullptr;
  for (const gs::finding& f : inspected.inspection->findings)
    if (f.kind == gs::finding_kind::unseen_access || f.kind == gs::finding_kind::device_memory) return &f;
  return nullptr;
}

// What the calls show about the host's part in the answer; nothing if it has none, or if that can't be known.
std::optional<mishap> part_of_host(const call_result& plain, const call_result& closed) {
  mishap m{.kind = mishap_kind::host_work};
  if (closed.went_wrong && closed.went_wrong->kind == mishap_kind::host_work) return closed.went_wrong;
  const auto bytes_of = [&](bool outputs) {
    std::uint64_t sum = 0;
    for (const call_result::array_use& a : closed.arrays)
      if (a.is_output() == outputs) sum += a.bytes;
    return sum;
  };
  const bool came_to_an_end = !closed.arrays.empty();
  // A kernel that throws isn't counted as launched; its exception is told for itself.
  const bool threw = closed.went_wrong && closed.went_wrong->kind == mishap_kind::exception;
  if (came_to_an_end && !threw && bytes_of(true) > 0 && closed.account.launches == 0) {
    m.text =
        "It launched no kernel and called no ufunc or library function on the device: points are for what the device "
        "does.";
    return m;
  }
  const bool all_on_device = std::ranges::all_of(closed.arrays, [](const call_result::array_use& a) {
    return a.role == array_role::device_input || a.role == array_role::device_output;
  });
  if (came_to_an_end && all_on_device && bytes_of(false) > 0 && closed.account.bytes_to_host >= bytes_of(false) &&
      closed.account.bytes_to_device >= bytes_of(true)) {
    m.text = fmt::format(
        "It copied {} bytes to the host and {} back to the device, as many as the inputs and outputs have: the host "
        "had "
        "all it needs to do the work. Leave the arrays on the device, and let kernels work on them there.",
        grouped(closed.account.bytes_to_host), grouped(closed.account.bytes_to_device));
    return m;
  }
  for (const call_result::array_use& a : closed.arrays) {
    if (a.lacking == 0) continue;
    m.array = a.name;
    m.text = a.is_output()
                 ? fmt::format(
                       "{} of the {} bytes of {} are not what was last copied back from the device: the host made "
                       "or changed them. Let a kernel write the answer, copy it back and return it as it is.",
                       grouped(a.lacking), grouped(a.bytes), a.name)
                 : fmt::format(
                       "{} of the {} bytes of {} were not brought to the device as they are. Copy the input itself "
                       "with gs::to_device, or pass it to a ufunc, and let kernels do the rest.",
                       grouped(a.lacking), grouped(a.bytes), a.name);
    return m;
  }
  if (plain.went_wrong || !closed.went_wrong) return std::nullopt;
  if (closed.went_wrong->kind != mishap_kind::wrong_answer) {
    m.text = "It goes wrong where the host can't reach the device's memory: " + closed.went_wrong->text;
    m.place = closed.went_wrong->place;
    return m;
  }
  m.array = closed.went_wrong->array;
  m.text =
      "The answer doesn't follow from the values on the device. They differed from those that the host could see, "
      "and the answer fits the host's values: the host computed it. " +
      closed.went_wrong->text;
  return m;
}

}  // namespace

std::optional<std::string> left_out_by_device(const call_result& inspected) {
  if (const gs::finding* f = hidden_access(inspected))
    return fmt::format("{} {} memory of {} {} at line {}, where the instruments can't see it",
                       f->kind == gs::finding_kind::unseen_access ? "a kernel" : "code of the host",
                       f->access.kind == gs::access_kind::read ? "reads" : "writes",
                       f->array.empty() ? "the device" : f->array,
                       f->count == 1 ? "once" : grouped(f->count) + " times", f->access.where.line);
  for (const call_result::array_use& a : inspected.arrays)
    if (a.used < a.bytes)
      return fmt::format("{} of the {} bytes of {} were not {} by a kernel or a library call that the instruments saw",
                         grouped(a.bytes - a.used), grouped(a.bytes), a.name, a.is_output() ? "written" : "read");
  return std::nullopt;
}

std::string sentence_of(std::string left_out) {
  left_out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(left_out[0])));
  return left_out +
         ". Reach every element in a kernel by its view, a[i]: what the host, inline assembly, intrinsics, functions "
         "of "
         "the C library or functions without the sanitizer do earns nothing.";
}

criterion_result grade_device(grading& g, const criterion& c) {
  criterion_result r = unknown_result(c);
  std::uint64_t calls = 0;
  std::string untold;
  for (const test_case& test : c.cases) {
    if (!g.fits(test)) continue;
    ++calls;
    const call_result plain = g.call(test, g.seeds.fresh());
    const call_result closed = g.closed_call(test, g.seeds.fresh());
    if (const auto found = part_of_host(plain, closed)) {
      g.add(*found, c, &test);
      award(r, c, 0);
      r.summary = "the host did the work at " + to_string(test);
      return r;
    }
    // What wrote the answer, and what was read for it, shows where accesses are observed: one case is enough.
    if (&test == &c.cases.front()) {
      const call_result& inspected = g.inspected(test);
      if (const auto left_out = left_out_by_device(inspected); left_out && !inspected.went_wrong) {
        mishap m{.kind = mishap_kind::host_work, .text = sentence_of(*left_out)};
        if (const gs::finding* f = hidden_access(inspected)) m.place = f->access.where;
        g.add(std::move(m), c, &test);
        award(r, c, 0);
        r.summary = fmt::format("{} at {}", *left_out, to_string(test));
        return r;
      }
    }
    if (plain.went_wrong) untold = fmt::format("{} at {}", to_string(plain.went_wrong->kind), to_string(test));
  }
  if (calls == 0) {
    not_graded_here(r, "no case fits into this machine's memory");
    return r;
  }
  if (!untold.empty()) {
    r.summary = "not told: " + untold;
    return r;
  }
  award(r, c, 1);
  r.summary = "the answer follows from the values on the device, and no host code reached into its memory";
  return r;
}

}  // namespace grader
