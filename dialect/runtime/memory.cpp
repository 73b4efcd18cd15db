#include "dialect/runtime/memory.h"

#include <fmt/format.h>

#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "dialect/runtime/allocations.h"
#include "dialect/runtime/host_sharing.h"
#include "dialect/runtime/stream_handles.h"
#include "runtime/array/device_memory.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/device/host_work.h"
#include "runtime/observe/observe.h"

namespace {

using dialect::allocation, dialect::allocation_table, dialect::guarded, dialect::memory_use;
using gs::detail::access_place, gs::detail::memory_kind;

constexpr std::size_t pitch_alignment = 512;  // bytes, as GPUs have it

cudaError_t allocate(void** memory, std::size_t bytes, memory_use use, const access_place& place) {
  return guarded([&] {
    if (!memory) return cudaErrorInvalidValue;
    *memory = nullptr;
    dialect::check_may_wait("an allocation");
    if (bytes == 0) return cudaSuccess;
    const memory_kind kind = use == memory_use::managed || dialect::memory_is_shared_with_host() ? memory_kind::managed
                                                                                                 : memory_kind::device;
    auto owner = gs::detail::allocate_device_memory(bytes, place, kind);
    *memory = owner->data();
    allocation_table::get().add({static_cast<const char*>(*memory), bytes, use, std::move(owner)});
    return cudaSuccess;
  });
}

// A graph here has no nodes that allocate.
cudaError_t refuse_in_capture(cudaStream_t stream, const char* call) {
  return guarded([&] {
    const CUstream_st* const own = dialect::stream_of(stream);
    if (!own || !own->capturing) return cudaSuccess;
    own->capturing->of()->invalidate();
    throw dialect::call_refused{
        cudaErrorNotSupported,
        fmt::format("{} on a captured stream isn't supported; allocate before cudaStreamBeginCapture()", call)};
  });
}

// --- what lies where -------------------------------------------------------------------------------------------------

struct side {
  std::optional<allocation> memory;  // none: of the host, or a variable of the program
  bool is_variable = false;

  bool on_device() const { return is_variable || (memory && memory->on_device()); }
  bool on_host() const { return !memory || memory->on_host(); }
  bool is_plain_host() const { return !on_device(); }
};

side side_of(const void* pointer) {
  side s{.memory = allocation_table::get().find(pointer)};
  s.is_variable = !s.memory && dialect::is_variable(pointer);
  return s;
}

bool reaches_beyond(const side& s, const void* pointer, std::size_t bytes) {
  return s.memory && !s.memory->holds(pointer, bytes);
}

struct copy {
  void* to;
  const void* from;
  std::size_t bytes;
  side destination, source;

  bool goes_to_device() const { return destination.on_device() && source.is_plain_host(); }
  bool comes_to_host() const { return source.on_device() && destination.is_plain_host(); }
};

// Why CUDA would refuse it; empty if it wouldn't.
std::string why_wrong(const copy& c, cudaMemcpyKind kind) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind != cudaMemcpyDefault) {
    if (to_device && !c.destination.on_device()) return "the destination isn't device memory";
    if (!to_device && !c.destination.on_host()) return "the destination is device memory";
    if (from_device && !c.source.on_device()) return "the source isn't device memory";
    if (!from_device && !c.source.on_host()) return "the source is device memory";
  }
  const auto beyond = [&](const side& s, const void* pointer, const char* which) {
    return fmt::format("{} bytes reach beyond the {}, which has {} bytes from there on", c.bytes, which,
                       s.memory->bytes - static_cast<std::size_t>(static_cast<const char*>(pointer) - s.memory->begin));
  };
  if (reaches_beyond(c.destination, c.to, c.bytes)) return beyond(c.destination, c.to, "destination");
  if (reaches_beyond(c.source, c.from, c.bytes)) return beyond(c.source, c.from, "source");
  return "";
}

cudaError_t refuse_copy(const char* call, const copy& c, const std::string& why) {
  return dialect::failed(cudaErrorInvalidValue, fmt::format("{} of {} bytes: {}", call, c.bytes, why));
}

const gs::detail::device_memory* owner_of(const side& s) { return s.memory ? s.memory->owner.get() : nullptr; }

// What a stream does that gs has no copy for: within the device, between hosts, and in a graph.
void queue_bytes(gs::stream& on, const copy& c, const access_place& place) {
  on.work().submit(gs::detail::make_host_work("cudaMemcpy", 1, [c, place](gs::detail::spread_function) {
    gs::instruments::name_work("cudaMemcpy");
    if (c.goes_to_device()) gs::ledger_entry::copy_to_device(c.bytes);
    if (c.comes_to_host()) gs::ledger_entry::copy_to_host(c.bytes);
    if (c.source.memory) gs::instruments::note_copy_reads(c.from, c.bytes, place);
    if (c.destination.memory) gs::instruments::note_copy_writes(c.to, c.bytes, place);
    const gs::instruments::trap_pause looking;
    std::memmove(c.to, c.from, c.bytes);
  }));
}

// The stream has been waited for. Variables, and arrays of gs's, have no owner here.
void copy_after_waiting(gs::stream& on, const copy& c, const access_place& place) {
  const auto *const to = owner_of(c.destination), *const from = owner_of(c.source);
  if (c.goes_to_device())
    gs::detail::copy_host_to_device(c.to, to, c.from, c.bytes);
  else if (c.comes_to_host())
    gs::detail::copy_device_to_host(c.to, from, c.from, c.bytes, 1, place);
  else if (to && from)
    gs::detail::copy_within_device(c.to, *to, c.from, c.bytes);
  else {
    queue_bytes(on, c, place);
    on.work().wait();
  }
}

void copy_now(const copy& c, const access_place& place) {
  dialect::check_may_wait("cudaMemcpy()");
  dialect::check_may_use_default_stream();
  gs::synchronize();
  copy_after_waiting(gs::default_stream(), c, place);
}

void queue_copy(cudaStream_t stream, const copy& c, const access_place& place) {
  gs::stream& on = dialect::stream_for_work(stream);
  const CUstream_st* const own = dialect::stream_of(stream);
  if (own && own->capturing) return queue_bytes(on, c, place);  // which copies at each launch of the graph
  const auto *const to = owner_of(c.destination), *const from = owner_of(c.source);
  if (c.goes_to_device() && to)
    gs::detail::queue_copy_to_device(on, c.to, *to, c.from, c.bytes, place);
  else if (c.comes_to_host() && from)
    gs::detail::queue_copy_to_host(on, c.to, *from, c.from, c.bytes, 1, place);
  else if (c.destination.is_plain_host() || c.source.is_plain_host()) {
    on.work().wait();
    copy_after_waiting(on, c, place);
  } else {
    queue_bytes(on, c, place);
  }
  dialect::after_queueing(on);
}

template <class Copy>
cudaError_t checked_copy(const char* call, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                         Copy run) {
  return guarded([&] {
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    if (bytes == 0) return cudaSuccess;
    if (!to || !from) return cudaErrorInvalidValue;
    const copy c{to, from, bytes, side_of(to), side_of(from)};
    if (const std::string why = why_wrong(c, kind); !why.empty()) return refuse_copy(call, c, why);
    run(c);
    return cudaSuccess;
  });
}

template <class Row>
cudaError_t for_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                     std::size_t height, Row copy_row) {
  if (width > to_pitch || width > from_pitch) return dialect::failed(cudaErrorInvalidPitchValue);
  for (std::size_t row = 0; row < height; ++row)
    if (const cudaError_t error =
            copy_row(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}

}  // namespace

// --- allocation ------------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** memory, std::size_t bytes, const access_place& place) {
  return allocate(memory, bytes, memory_use::device, place);
}
cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned, const access_place& place) {
  return allocate(memory, bytes, memory_use::managed, place);
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream, const access_place& place) {
  if (const cudaError_t error = refuse_in_capture(stream, "cudaMallocAsync()"); error != cudaSuccess) return error;
  return allocate(memory, bytes, memory_use::device, place);
}

cudaError_t cudaMallocPitch(void** memory, std::size_t* pitch, std::size_t width, std::size_t height,
                            const access_place& place) {
  if (!pitch) return dialect::failed(cudaErrorInvalidValue);
  *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  return cudaMalloc(memory, *pitch * height, place);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes, unsigned, const access_place& place) {
  return guarded([&] {
    if (!memory) return cudaErrorInvalidValue;
    *memory = nullptr;
    dialect::check_may_wait("cudaMallocHost()");
    if (bytes == 0) return cudaSuccess;
    *memory = gs::detail::allocate_pinned_memory(bytes, place);
    allocation_table::get().add({static_cast<const char*>(*memory), bytes, memory_use::pinned});
    return cudaSuccess;
  });
}
cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned flags, const access_place& place) {
  return cudaMallocHost(memory, bytes, flags, place);
}

cudaError_t cudaFree(void* memory) {
  return guarded([&] {
    if (!memory) return cudaSuccess;
    dialect::check_may_wait("cudaFree()");
    gs::detail::wait_for_device();  // as cudaFree() does
    const auto found = allocation_table::get().find(memory);
    if (!found || !found->on_device() || !allocation_table::get().take(memory))
      return dialect::failed(cudaErrorInvalidValue,
                             "cudaFree: the pointer isn't what cudaMalloc() returned, or was freed before");
    return cudaSuccess;
  });
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  if (const cudaError_t error = refuse_in_capture(stream, "cudaFreeAsync()"); error != cudaSuccess) return error;
  return guarded([&] {
    return allocation_table::get().take(memory) ? cudaSuccess : cudaErrorInvalidValue;  // outlives what is queued
  });
}

cudaError_t cudaFreeHost(void* memory) {
  return guarded([&] {
    if (!memory) return cudaSuccess;
    dialect::check_may_wait("cudaFreeHost()");
    gs::detail::wait_for_device();
    const auto found = allocation_table::get().find(memory);
    if (!found || found->use != memory_use::pinned || !allocation_table::get().take(memory))
      return dialect::failed(cudaErrorInvalidValue,
                             "cudaFreeHost: the pointer isn't what cudaMallocHost() returned, or was freed before");
    gs::detail::release_pinned_memory(gs::current_device(), memory);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  return guarded([&] {
    if (!memory || bytes == 0) return cudaErrorInvalidValue;
    if (allocation_table::get().find(memory)) return cudaErrorHostMemoryAlreadyRegistered;
    allocation_table::get().add({static_cast<const char*>(memory), bytes, memory_use::registered});
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* memory) {
  return guarded([&] {
    const auto found = allocation_table::get().find(memory);
    if (!found || found->use != memory_use::registered) return cudaErrorHostMemoryNotRegistered;
    gs::detail::wait_for_device();
    allocation_table::get().take(memory);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return guarded([&] {
    if (!device || !allocation_table::get().find(host)) return cudaErrorInvalidValue;
    *device = host;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return guarded([&] {
    const std::size_t total = gs::device().memory;
    const std::size_t used = gs::detail::device_context::current().memory().bytes_in_use();
    if (total_bytes) *total_bytes = total;
    if (free_bytes) *free_bytes = total - std::min(used, total);
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return guarded([&] {
    if (!attributes) return cudaErrorInvalidValue;
    const side s = side_of(pointer);
    void* const address = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, address};
    if (s.is_variable || (s.memory && s.memory->use == memory_use::device))
      *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
    else if (s.memory)
      *attributes = {s.memory->use == memory_use::managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost, 0, address,
                     address};
    return cudaSuccess;
  });
}

// Host and device share the managed memory.
cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, int, cudaStream_t) {
  return guarded([&] {
    const auto found = allocation_table::get().find(memory);
    return found && found->use == memory_use::managed && found->holds(memory, bytes) ? cudaSuccess
                                                                                     : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise, int device) {
  return cudaMemPrefetchAsync(memory, bytes, device, nullptr);
}

// --- copies ----------------------------------------------------------------------------------------------------------

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const access_place& place) {
  return checked_copy("cudaMemcpy", to, from, bytes, kind, [&](const copy& c) { copy_now(c, place); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream,
                            const access_place& place) {
  return checked_copy("cudaMemcpyAsync", to, from, bytes, kind, [&](const copy& c) { queue_copy(stream, c, place); });
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                         std::size_t height, cudaMemcpyKind kind, const access_place& place) {
  return for_rows(to, to_pitch, from, from_pitch, width, height,
                  [&](void* row_to, const void* row_from) { return cudaMemcpy(row_to, row_from, width, kind, place); });
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                              const access_place& place) {
  return for_rows(to, to_pitch, from, from_pitch, width, height, [&](void* row_to, const void* row_from) {
    return cudaMemcpyAsync(row_to, row_from, width, kind, stream, place);
  });
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream,
                            const access_place& place) {
  return guarded([&] {
    if (bytes == 0) return cudaSuccess;
    const side s = side_of(memory);
    if (!s.is_variable && !s.memory)
      return dialect::failed(cudaErrorInvalidValue, "cudaMemset: the pointer isn't one to device memory");
    if (reaches_beyond(s, memory, bytes))
      return dialect::failed(cudaErrorInvalidValue, fmt::format("cudaMemset: {} bytes reach beyond the memory", bytes));
    if (const auto* const owner = owner_of(s)) owner->note_write();
    const bool is_array = s.memory.has_value();
    gs::stream& on = dialect::stream_for_work(stream);
    on.work().submit(gs::detail::make_host_work("cudaMemset", 1, [=](gs::detail::spread_function) {
      gs::instruments::name_work("cudaMemset");
      if (is_array) gs::instruments::note_copy_writes(memory, bytes, place);
      const gs::instruments::trap_pause looking;
      std::memset(memory, value, bytes);
    }));
    dialect::after_queueing(on);
    return cudaSuccess;
  });
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes, const access_place& place) {
  return cudaMemsetAsync(memory, value, bytes, nullptr, place);
}
cudaError_t cudaMemset2D(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t height,
                         const access_place& place) {
  return for_rows(memory, pitch, memory, pitch, width, height,
                  [&](void* row, const void*) { return cudaMemset(row, value, width, place); });
}

// --- variables of the device -----------------------------------------------------------------------------------------

namespace dialect {

cudaError_t copy_to_symbol(void* symbol, std::size_t size, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream) {
  if (offset > size || bytes > size - offset)
    return failed(
        cudaErrorInvalidValue,
        fmt::format("cudaMemcpyToSymbol: {} bytes at {} reach beyond the variable, which has {}", bytes, offset, size));
  void* const to = static_cast<char*>(symbol) + offset;
  return stream ? cudaMemcpyAsync(to, from, bytes, kind, stream) : cudaMemcpy(to, from, bytes, kind);
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t size, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream) {
  if (offset > size || bytes > size - offset)
    return failed(cudaErrorInvalidValue,
                  fmt::format("cudaMemcpyFromSymbol: {} bytes at {} reach beyond the variable, which has {}", bytes,
                              offset, size));
  const void* const from = static_cast<const char*>(symbol) + offset;
  return stream ? cudaMemcpyAsync(to, from, bytes, kind, stream) : cudaMemcpy(to, from, bytes, kind);
}

bool device_may_use(const void* memory) {
  constexpr std::ptrdiff_t just_before = 64;  // arrays that count from 1
  const allocation_table& table = allocation_table::get();
  return is_variable(memory) || table.find(memory) || table.find(static_cast<const char*>(memory) + just_before);
}

void forget_memory() { allocation_table::get().clear(); }

}  // namespace dialect
