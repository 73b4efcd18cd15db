// What the monitor writes down: who did what to which element, once for each pair of lines.

#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <tuple>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/instruments/finding_text.h"
#include "runtime/instruments/place_text.h"
#include "runtime/instruments/spin_watch.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

finding monitor::describe_here(finding_kind kind, access_kind access) const {
  finding f;
  f.kind = kind;
  f.order = order_.number();
  f.access = who(time_.now(unknown_site), access);
  return f;
}

finding_access monitor::who(const mark& m, access_kind kind) const {
  const timeline::work_record& work = time_.work_of(m.when);
  finding_access a{.kind = kind, .where = {}, .kernel = work.kernel, .block = {}, .thread = {}};
  a.has_threads = work.is_launch;
  if (work.is_launch) {
    a.block = position_in(work.grid, time_.block_of(m.when));
    a.thread = position_in(work.block, m.thread);
  }
  return a;
}

void monitor::locate(finding& f, std::uintptr_t address, const noted_index* note, const allocation* owner) const {
  f.space = in_shared_memory(reinterpret_cast<const void*>(address)) ? memory_space::shared : memory_space::global;
  if (owner) f.made = sites.place(owner->made);
  if (!note || note->rank == 0) return;
  f.takes_atomics = note->takes_atomics;
  f.extents.assign(note->extents.begin(), note->extents.begin() + static_cast<std::ptrdiff_t>(note->rank));
  f.index.resize(note->rank);
  std::size_t linear = (address - note->data) / note->element.bytes;
  for (std::size_t d = note->rank; d-- > 0;) {
    f.index[d] = static_cast<std::ptrdiff_t>(linear % note->extents[d]);
    linear /= note->extents[d];
  }
}

std::size_t monitor::report(finding_kind kind, access_kind access, site where, std::uintptr_t address,
                            const noted_index* note, const allocation* owner) {
  if (!wants(instrument_of(kind))) return finding_log::no_finding;
  const finding_log::key key{kind, time_.work().kernel, where, unknown_site, access};
  if (const std::size_t known = log_.count_again(key); known != finding_log::no_finding) return known;
  finding f = describe_here(kind, access);
  locate(f, address, note, owner);
  return log_.add(key, std::move(f));
}

// Whether it has been found before. In another order of the threads, the other one may have come first.
bool monitor::is_known(const finding_log::key& key) {
  return log_.count_again(key) != finding_log::no_finding ||
         (!order_.as_numbered() && log_.count_reversed(key) != finding_log::no_finding);
}

void monitor::divergent_barrier(const waiting_thread& one, const waiting_thread* other) {
  if (!wants(instrument::synccheck)) return;
  const site where = sites.number_of(one.where);
  const finding_log::key key{finding_kind::divergent_barrier, time_.work().kernel, where,
                             other ? sites.number_of(other->where) : unknown_site};
  if (is_known(key)) return;
  const auto of = [&](const waiting_thread& w) {
    mark m = time_.now(unknown_site);
    m.thread = w.thread & 1023;
    finding_access a = who(m, access_kind::read);
    a.where = place_of(w.where);
    return a;
  };
  finding f = describe_here(finding_kind::divergent_barrier, access_kind::read);
  f.access = of(one);
  if (other) f.other = of(*other);
  log_.add(key, std::move(f));
}

void monitor::end_interrupted_thread(std::uintptr_t address, const void* code) {
  const bool is_device_memory = arena.contains(address) || in_shared_memory(reinterpret_cast<const void*>(address));
  if (!in_thread_ || !is_device_memory || !block_scheduler::running_here()) return;
  const site where = site_of(address, code);
  std::exception_ptr why;
  {
    const own_work now(busy_);
    why = std::make_exception_ptr(error(fmt::format("kernel {}", time_.work().kernel),
                                        fmt::format("interrupted in thread {} of block {} at {}", time_.thread(),
                                                    time_.block(), place_text(where, code)),
                                        "run it again to see the rest"));
  }
  stop_thread(std::move(why));
}

void monitor::while_others_run(function_ref<void()> others) {
  const auto notes = notes_;
  const std::size_t next = next_note_;
  others();
  notes_ = notes;
  next_note_ = next;
}

site monitor::site_of(std::uintptr_t address, const void* code) {
  const noted_index* note = noted(address);
  if (note) return note->where;
  const own_work now(busy_);
  return sites.number_of_code(code);
}

void monitor::spins_on_plain_reads(std::uintptr_t address, const void* code) {
  if (!wants(instrument::synccheck)) return;
  const site where = site_of(address, code);
  const own_work now(busy_);
  report(finding_kind::plain_spin, access_kind::read, where, address, noted(address),
         arena.contains(address) ? arena.find(address) : nullptr);
}

void monitor::at_thread(finding_kind kind, unsigned thread, const std::source_location& where) {
  if (!wants(instrument_of(kind))) return;
  const finding_log::key key{kind, time_.work().kernel, sites.number_of(where), unknown_site};
  if (log_.count_again(key) != finding_log::no_finding) return;
  finding f = describe_here(kind, access_kind::read);
  f.access.where = place_of(where);
  f.access.thread = position_in(time_.work().block, thread);
  log_.add(key, std::move(f));
}

void monitor::copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                             const std::source_location& where) {
  if (!arena.contains(address) || bytes == 0 || !wants(instrument::initcheck)) return;
  const allocation* owner = arena.find(address);
  if (!owner || owner->all_written) return;
  const std::size_t begin = address - owner->begin;
  std::size_t missing = 0, first = 0;
  const std::size_t step = std::max<std::size_t>(element_bytes, 1);
  for (std::size_t at = begin; at < begin + bytes && at < owner->bytes; at += step) {
    if (owner->written(at, owner->cells ? owner->cells->find(at) : nullptr)) continue;
    if (missing++ == 0) first = (at - begin) / step;
  }
  if (missing == 0) return;
  const site number = sites.number_of(where);
  const finding_log::key key{finding_kind::uninitialized_read, "copy_to_host", number, unknown_site};
  finding f;
  f.kind = finding_kind::uninitialized_read;
  f.access.kernel = "copy_to_host";
  f.access.has_threads = false;
  f.access.where = place_of(where);
  f.made = sites.place(owner->made);
  f.index = {static_cast<std::ptrdiff_t>(first)};
  f.extents = {bytes / step};
  f.count = missing;
  const std::size_t known = log_.count_again(key);
  if (known == finding_log::no_finding)
    log_.add(key, std::move(f));
  else
    log_[known].count += missing - 1;
}

namespace {

// What was found at the same two places is one finding, whichever of the accesses were reads, and in another order of
// the threads whichever came first.
bool are_one(const finding& known, const finding& f) {
  if (known.kind != f.kind || known.kind == finding_kind::launch_limit || known.access.kernel != f.access.kernel ||
      known.other.has_value() != f.other.has_value())
    return false;
  if (!f.other) return known.access.where == f.access.where;
  return (known.access.where == f.access.where && known.other->where == f.other->where) ||
         (f.order > 0 && known.access.where == f.other->where && known.other->where == f.access.where);
}

}  // namespace

// In the order of the source.
void monitor::finish_findings(std::vector<finding>& findings) const {
  std::vector<finding> kept;
  const auto order = [](const finding& f) {
    return std::tie(f.access.where.file, f.access.where.line, f.access.where.column, f.kind);
  };
  std::ranges::stable_sort(findings, {}, &finding::order);  // where two are one, that of the first order stays
  for (finding& f : findings) {
    if (f.count == 0 || (f.same_value && !options_.same_value_races)) continue;
    const auto same = std::ranges::find_if(kept, [&](const finding& k) { return are_one(k, f); });
    if (same != kept.end()) {
      if (f.order == same->order) same->count += f.count;
      same->same_value &= f.same_value;
      continue;
    }
    f.made = sites.known(f.made);
    if (f.array.empty()) f.array = name_of_array(f.made);
    kept.push_back(std::move(f));
  }
  std::ranges::stable_sort(kept, [&](const finding& a, const finding& b) { return order(a) < order(b); });
  for (finding& f : kept) {
    if (f.kind != finding_kind::launch_limit) describe(f);
    if (f.order > 0)
      f.meaning +=
          fmt::format(" It shows where blocks and threads run in {} order.", f.order == 1 ? "reverse" : "another");
  }
  findings = std::move(kept);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
