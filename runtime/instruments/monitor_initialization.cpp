// What has been written of an element, and what of it is never written: the bytes between its members.

#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

// Shared memory is a block's own. What another order reads before it is written was read after it in the first: a race,
// which is told as such.
bool monitor::is_written(const cell& c, std::size_t offset, const reached_element& at) const {
  if (!at.owner) return !order_.as_numbered() || time_.by_this_block(c.write) || time_.by_this_block(c.atomic);
  if (c.written || at.owner->written(std::max(offset, at.address - at.owner->begin), &c)) return true;
  return !order_.as_numbered() && (time_.in_this_launch(c.write) || time_.in_this_launch(c.atomic));
}

// A cell that nothing has written, of an access that may copy a whole struct. Where the elements' type says which bytes
// hold its value, that decides. Else (unions; pointers to what no index has told the type of), what was never written
// is taken for padding where the rest of the element or the access has been; in a range that goes over many elements of
// a type that isn't known, where no more than 63 bytes in a row are missing.
bool monitor::may_be_padding(const shadow& cells, std::size_t offset, const reached_element& at) const {
  const element_layout element = at.note ? at.note->element : at.owner ? at.owner->element : element_layout();
  const std::uintptr_t first_element = at.note ? at.note->data : at.owner ? at.owner->first_element : 0;
  if (element.no_padding) return false;
  const std::uintptr_t cell_begin = at.cells_begin + offset, cell_end = cell_begin + cells.granule();
  if (element.holds) {
    bool all = true;
    for (std::uintptr_t byte = std::max(cell_begin, at.address); byte < std::min(cell_end, at.address + at.bytes);
         ++byte)
      all = all && element.is_padding(byte - first_element);
    return all;
  }
  const bool in_range = range_.contains(at.address);
  address_range copied = in_range ? range_ : address_range{at.address, at.address + at.bytes};
  std::size_t most = in_range ? 63 : at.bytes;
  if (element.bytes > 0) {
    const std::uintptr_t begin = cell_begin - (cell_begin - first_element) % element.bytes;
    copied = {std::max(copied.begin, begin), std::min(copied.end, begin + element.bytes)};
    most = element.bytes;
  }
  const auto written = [&](std::uintptr_t byte) {
    const cell* c = cells.find(byte - at.cells_begin);
    return c && is_written(*c, byte - at.cells_begin, at);
  };
  std::uintptr_t begin = std::max(cell_begin, copied.begin), end = std::min(cell_end, copied.end);
  while (begin > copied.begin && end - begin <= most && !written(begin - 1)) --begin;
  while (end < copied.end && end - begin <= most && !written(end)) ++end;
  return end - begin <= most && (begin > copied.begin || end < copied.end);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
