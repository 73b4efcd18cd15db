#include "runtime/world/device_loan.h"

#include "runtime/device/device.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {

device_loan::device_loan(const transport& library, const device_memory& memory, operand& x, loan_use use,
                         const rank_place& place)
    : memory_(&memory), array_(x.data), bytes_(x.bytes()), use_(use), place_(place) {
  const bool receives = use != loan_use::send;
  if (memory.kind() == device_kind::engine || library.takes_device_pointers()) {
    wait_for_device();
    if (receives) memory.note_write();
    if (use != loan_use::receive)
      instruments::note_copy_to_host(array_, bytes_, x.element_bytes, access_place_of(place));
    return;
  }
  pinned_ = allocate_pinned_memory(bytes_);
  if (use != loan_use::receive)
    copy_device_to_host(pinned_, &memory, array_, bytes_, x.element_bytes, access_place_of(place));
  x.data = pinned_;
}

void device_loan::give_back() {
  if (use_ == loan_use::send || !memory_) return;
  if (pinned_)
    copy_host_to_device(array_, memory_, pinned_, bytes_);
  else
    instruments::note_copy_to_device(array_, bytes_, access_place_of(place_));
}

device_loan::~device_loan() {
  if (pinned_) release_pinned_memory(memory_->kind(), pinned_);
}

}  // namespace gs::inline GS_FLAVOUR::detail
