// What has been written of an element, and what of it is never written: the bytes between its members.

#include "runtime/instruments/checks/initcheck.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <utility>

namespace gs::inline GS_FLAVOUR::instruments {

// Shared memory is a block's own. What another order reads before it is written was read after it in the first: a race,
// which is told as such.
bool initcheck::is_written(const cell& c, std::size_t offset, const observed_access& a) const {
  const timeline& time = observed_.time;
  const bool as_numbered = observed_.order.as_numbered();
  if (!a.owner) return !as_numbered || time.by_this_block(c.write) || time.by_this_block(c.atomic);
  if (c.written || a.owner->written(std::max(offset, a.address - a.owner->begin), &c)) return true;
  return !as_numbered && (time.in_this_launch(c.write) || time.in_this_launch(c.atomic));
}

// A cell that nothing has written, of an access that may copy a whole struct. Where the elements' type says which bytes
// hold its value, that decides. Else (unions; pointers to what no index has told the type of), what was never written
// is taken for padding where the rest of the element or the access has been; in a range that goes over many elements of
// a type that isn't known, where no more than 63 bytes in a row are missing.
bool initcheck::may_be_padding(const observed_access& a, std::size_t offset) const {
  const element_layout element = a.note ? a.note->element : a.owner ? a.owner->element : element_layout();
  const std::uintptr_t first_element = a.note ? a.note->data : a.owner ? a.owner->first_element : 0;
  if (element.no_padding) return false;
  const std::uintptr_t cell_begin = a.memory_begin + offset, cell_end = cell_begin + a.cells->granule();
  if (element.holds) {
    bool all = true;
    for (std::uintptr_t byte = std::max(cell_begin, a.address); byte < std::min(cell_end, a.address + a.bytes); ++byte)
      all = all && element.is_padding(byte - first_element);
    return all;
  }
  const bool in_range = observed_.range.contains(a.address);
  address_range copied = in_range ? observed_.range : address_range{a.address, a.address + a.bytes};
  std::size_t most = in_range ? 63 : a.bytes;
  if (element.bytes > 0) {
    const std::uintptr_t begin = cell_begin - (cell_begin - first_element) % element.bytes;
    copied = {std::max(copied.begin, begin), std::min(copied.end, begin + element.bytes)};
    most = element.bytes;
  }
  const auto written = [&](std::uintptr_t byte) {
    const cell* c = a.cells->find(byte - a.memory_begin);
    return c && is_written(*c, byte - a.memory_begin, a);
  };
  std::uintptr_t begin = std::max(cell_begin, copied.begin), end = std::min(cell_end, copied.end);
  while (begin > copied.begin && end - begin <= most && !written(begin - 1)) --begin;
  while (end < copied.end && end - begin <= most && !written(end)) ++end;
  return end - begin <= most && (begin > copied.begin || end < copied.end);
}

void initcheck::copied_to_host(std::uintptr_t address, std::size_t bytes, std::size_t element_bytes,
                               const std::source_location& where) {
  observation& o = observed_;
  if (!o.arena.contains(address) || bytes == 0) return;
  const allocation* owner = o.arena.find(address);
  if (!owner || owner->all_written) return;
  const std::size_t begin = address - owner->begin;
  std::size_t missing = 0, first = 0;
  const std::size_t step = std::max<std::size_t>(element_bytes, 1);
  for (std::size_t at = begin; at < begin + bytes && at < owner->bytes; at += step) {
    if (owner->written(at, owner->cells ? owner->cells->find(at) : nullptr)) continue;
    if (missing++ == 0) first = (at - begin) / step;
  }
  if (missing == 0) return;
  const site number = o.sites.number_of(where);
  const finding_log::key key{finding_kind::uninitialized_read, "copy_to_host", number, unknown_site};
  finding f;
  f.kind = finding_kind::uninitialized_read;
  f.access.kernel = "copy_to_host";
  f.access.has_threads = false;
  f.access.where = place_of(where);
  f.made = o.sites.place(owner->made);
  f.index = {static_cast<std::ptrdiff_t>(first)};
  f.extents = {bytes / step};
  f.count = missing;
  const std::size_t known = o.log.count_again(key);
  if (known == finding_log::no_finding)
    o.log.add(key, std::move(f));
  else
    o.log[known].count += missing - 1;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
