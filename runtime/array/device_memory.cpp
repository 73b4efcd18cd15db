#include "runtime/array/device_memory.h"

#include <fmt/format.h>

#include <atomic>

#include "runtime/array/copy_watch.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/device/host_work.h"
#include "runtime/device/stream.h"
#include "runtime/device/timeline.h"
#include "runtime/host/streaming_store.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

std::atomic<copy_watch*> current_watch{nullptr};

}  // namespace

copy_watch* watch_copies_by(copy_watch* watch) { return current_watch.exchange(watch); }

device_memory::~device_memory() {
  if (!data_ || lost()) return;
  device_context& device = device_context::of(kind_);
  instruments::note_freed(data_);
  device.pool(memory_).release(data_, device.pending());
}

bool device_memory::lost() const { return device_context::of(kind_).generation() != generation_; }

std::shared_ptr<device_memory> allocate_device_memory(std::size_t bytes, const access_place& place, memory_kind kind) {
  device_context& device = device_context::current();
  void* data = bytes == 0 ? nullptr : device.pool(kind).allocate(bytes);
  const bool others_write = kind == memory_kind::managed || kind == memory_kind::interprocess;
  instruments::note_allocated(data, bytes, place, others_write);
  ledger_entry::allocation(bytes);
  return std::make_shared<device_memory>(device.kind(), data, device.generation(), kind);
}

void* allocate_pinned_memory(std::size_t bytes, const access_place& place) {
  void* const memory = device_context::current().pool(memory_kind::pinned).allocate(bytes);
  instruments::note_pinned(memory, bytes, place);
  return memory;
}

void release_pinned_memory(device_kind kind, void* memory) {
  device_context& device = device_context::of(kind);
  instruments::note_freed(memory);
  device.pool(memory_kind::pinned).release(memory, device.pending());
}

void copy_host_to_device(void* to, const device_memory* memory, const void* from, std::size_t bytes) {
  device_context& device = device_context::current();
  if (memory) memory->note_write(), device.wait();
  ledger_entry::copy_to_device(bytes);
  const timeline_mark recorded(timeline_kind::copy_to_device, "copy to the device", bytes);
  if (copy_watch* watch = current_watch; watch && bytes > 0) from = watch->goes_to_device(to, from, bytes);
  if (bytes > 0) device.hardware().copy_to_device(to, from, bytes);
  instruments::note_copy_to_device(to, bytes, access_place::current());
}

void copy_device_to_host(void* to, const device_memory* memory, const void* from, std::size_t bytes,
                         std::size_t element_bytes, const access_place& place) {
  device_context& device = device_context::current();
  if (memory) device.wait();
  ledger_entry::copy_to_host(bytes);
  const timeline_mark recorded(timeline_kind::copy_to_host, "copy to the host", bytes);
  instruments::note_copy_to_host(from, bytes, element_bytes, place);
  if (bytes > 0) device.hardware().copy_to_host(to, from, bytes);
  if (copy_watch* watch = current_watch; watch && bytes > 0) watch->came_to_host(to, from, bytes);
}

void copy_within_device(void* to, const device_memory& memory, const void* from, std::size_t bytes) {
  device_context& device = device_context::of(memory.kind());
  device.wait();
  ledger_entry::copy_within_device(bytes);
  if (bytes > 0) device.hardware().copy_within(to, from, bytes);
  instruments::note_copy_within_device(to, from, bytes);
}

namespace {

// Queues the copy, unless its host's side has to be waited for. The engine makes it on one core: the others go on with
// kernels of other streams, as a GPU's multiprocessors do while its copy engines work.
template <class Note>
void queue_copy(const stream& on, copy_direction way, void* to, const void* from, std::size_t bytes, bool waits,
                Note note) {
  if (bytes == 0) return;
  const bool to_device = way == copy_direction::to_device;
  const char* const function = to_device ? "copy_from_host" : "copy_to_host";
  queue& work = on.work();
  {
    const timeline_mark recorded(on, to_device ? timeline_kind::copy_to_device : timeline_kind::copy_to_host,
                                 to_device ? "copy to the device" : "copy to the host", bytes);
    if (!work.copy(to, from, bytes, way))
      work.submit(make_host_work(function, 1, [=](spread_function) {
        instruments::name_work(function);
        note();
        const instruments::trap_pause looking;
        copy_bytes(to, from, bytes, is_streamed(bytes));
        streaming_fence();
      }));
  }
  if (waits) work.wait();
}

bool is_pinned(const void* host) { return device_context::current().pool(memory_kind::pinned).owns(host); }

}  // namespace

void queue_copy_to_device(const stream& on, void* to, const device_memory& memory, const void* from, std::size_t bytes,
                          const access_place& place) {
  check_stream(on, "a copy");
  memory.note_write();
  ledger_entry::copy_to_device(bytes);
  instruments::note_queued_copy_to_device(bytes, place);
  const bool waits = !is_pinned(from) || current_watch;
  if (copy_watch* watch = current_watch; watch && bytes > 0) from = watch->goes_to_device(to, from, bytes);
  queue_copy(on, copy_direction::to_device, to, from, bytes, waits, [=] {
    instruments::note_copy_reads(from, bytes, place);
    instruments::note_copy_writes(to, bytes, place);
  });
}

void queue_copy_to_host(const stream& on, void* to, const device_memory& /*memory*/, const void* from,
                        std::size_t bytes, std::size_t element_bytes, const access_place& place) {
  check_stream(on, "a copy");
  ledger_entry::copy_to_host(bytes);
  instruments::note_queued_copy_to_host(bytes, element_bytes, place);
  const bool waits = !is_pinned(to) || current_watch;
  queue_copy(on, copy_direction::to_host, to, from, bytes, waits, [=] {
    instruments::note_copy_reads(from, bytes, place);
    instruments::note_copy_writes(to, bytes, place);
  });
  if (copy_watch* watch = current_watch; watch && bytes > 0) watch->came_to_host(to, from, bytes);
}

void wait_for_device() { device_context::current().wait(); }

void check_usable(const device_memory* memory) {
  if (!memory)
    throw error("a device array", "it was moved from, or never given a shape", "use the array it was moved to");
  if (memory->kind() != current_device())
    throw error("a device array on the current device, " + to_string(current_device()),
                "it lives on another one, " + to_string(memory->kind()),
                "copy it to the host, select_device, and copy it to the device again");
  if (memory->lost())
    throw error("a device array", "its device has been reset since it was made, and its elements are gone",
                "make it anew, or copy arrays to the host before reset_device()");
}

void check_device_pointer(const void* data) {
  if (instruments::watched_after_free(data)) return;
  device_context& device = device_context::current();
  if (!device.memory().owns(data) && !device.pool(memory_kind::managed).owns(data) &&
      !device.pool(memory_kind::interprocess).owns(data))
    throw error("a view for a kernel", "it points to memory that is not the device's",
                "copy the array to the device with gs::to_device and pass that");
}

void check_slice(const shape& s, std::size_t begin, std::size_t end) {
  if (s.rank() == 0)
    throw error("a slice of an array of shape ()", "a scalar has no dimension to slice", "use copy_to_host()");
  if (begin > end || end > s[0])
    throw error(fmt::format("a slice from {} to {}", begin, end), fmt::format("the array's shape is {}", to_string(s)),
                fmt::format("use 0 <= begin <= end <= {}", s[0]));
}

void check_rank(const shape& s, std::size_t rank) {
  if (s.rank() != rank)
    throw error(fmt::format("a view of rank {}", rank), fmt::format("the array's shape is {}", to_string(s)),
                "reshape the array, or change the kernel's parameter to gs::view<T, rank>");
}

void check_copy_shape(const shape& device, const shape& host) {
  const bool flat = host.rank() == 1 && host[0] == device.size();
  if (!flat && !(host == device))
    throw error(fmt::format("a copy between a device array of shape {} and a host array", to_string(device)),
                fmt::format("the host array's shape is {}", to_string(host)), "give an array of the same shape");
}

shape reshaped(const shape& from, std::span<const std::ptrdiff_t> extents) {
  const std::size_t size = from.size();
  shape to;
  std::size_t known = 1, unknown = extents.size();  // the product of the extents; the dimension of the -1
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == -1 && unknown == extents.size()) {
      unknown = d;
      to.push_back(1);
    } else {
      to.push_back(shape({extents[d]})[0]);  // refuses other negative extents
      known *= to[d];
    }
  }
  const bool computable = unknown == extents.size() || (known > 0 && size % known == 0);
  if (computable && unknown < extents.size()) to[unknown] = size / known;
  if (!computable || to.size() != size)
    throw error(fmt::format("a reshape to ({})", fmt::join(extents, ", ")),
                fmt::format("the array's shape is {}, {} elements", to_string(from), size),
                "ask for a shape with as many elements");
  return to;
}

void check_reshape(const shape& from, const shape& to) {
  reshaped(from, std::vector<std::ptrdiff_t>(to.begin(), to.end()));
}

void refuse_bytes(const shape& s, const std::string& dtype) {
  throw machine_error(fmt::format("an array of shape {} of {}", to_string(s), dtype),
                      "more bytes than a 64-bit size can count", "use a smaller shape");
}

}  // namespace gs::inline GS_FLAVOUR::detail
