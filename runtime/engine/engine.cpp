// The engine: the CPU device. Its memory is the machine's own, in blocks apart from the host's, and limited to what the
// machine has.

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "runtime/device/device.h"
#include "runtime/device/registered_device.h"
#include "runtime/engine/closed_memory.h"
#include "runtime/engine/cooperative_grid.h"
#include "runtime/engine/engine_queue.h"
#include "runtime/engine/interprocess_memory.h"
#include "runtime/host/cores.h"
#include "runtime/host/machine.h"
#include "runtime/host/streaming_store.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t copy_piece = std::size_t{1} << 20;  // bytes a core copies at a time

std::size_t whole_pages(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

std::string name_of_processor() {
  const std::string name = processor_name();
  return name.empty() ? "CPU" : name;
}

class engine final : public backend {
 public:
  explicit engine(device_kind kind) {
    info_ = {.kind = kind,
             .name = fmt::format("engine ({}, {} {})", name_of_processor(), core_count(),
                                 core_count() == 1 ? "core" : "cores"),
             .memory = usable_memory(),
             .multiprocessors = core_count()};
  }

  const device_info& info() const override { return info_; }

  // Large blocks come straight from the system, as whole huge pages, so that the kernel can back them with such: first
  // touch is several times faster then.
  void* allocate(std::size_t bytes) override {
#if GRIDSTRIDE_CHECKED
    return instruments::allocate(bytes);
#endif
    if (closed_memory::on()) return closed_memory::allocate(bytes);
    if (bytes < huge_page) return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    bytes = whole_pages(bytes);
    const std::size_t reserved = bytes + huge_page;
    void* mapped = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    const auto start = reinterpret_cast<std::uintptr_t>(mapped);
    const auto aligned = (start + huge_page - 1) / huge_page * huge_page;
    if (aligned > start) munmap(mapped, aligned - start);
    if (start + reserved > aligned + bytes)
      munmap(reinterpret_cast<void*>(aligned + bytes), start + reserved - aligned - bytes);
    madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
    return reinterpret_cast<void*>(aligned);
  }

  void deallocate(void* memory, std::size_t bytes) override {
#if GRIDSTRIDE_CHECKED
    return instruments::deallocate(memory, bytes);
#endif
    if (closed_memory::on()) return closed_memory::deallocate(memory, bytes);
    if (bytes < huge_page)
      std::free(memory);
    else
      munmap(memory, whole_pages(bytes));
  }

#if GRIDSTRIDE_CHECKED
  void* allocate_pinned(std::size_t bytes) override { return instruments::allocate(bytes); }
  void deallocate_pinned(void* memory, std::size_t bytes) override { instruments::deallocate(memory, bytes); }
#endif
  // Not closed to the host, as device memory may be.
  void* allocate_managed(std::size_t bytes) override {
#if GRIDSTRIDE_CHECKED
    return instruments::allocate(bytes);
#endif
    return allocate_pinned(bytes);
  }
  void deallocate_managed(void* memory, std::size_t bytes) override {
#if GRIDSTRIDE_CHECKED
    return instruments::deallocate(memory, bytes);
#endif
    deallocate_pinned(memory, bytes);
  }

  bool host_reads_memory() const override { return !closed_memory::on(); }
  void* allocate_interprocess(std::size_t bytes) override { return interprocess_memory::allocate(bytes); }
  void deallocate_interprocess(void* memory, std::size_t /*bytes*/) override {
    interprocess_memory::deallocate(memory);
  }
  std::string interprocess_handle(const void* memory) const override { return interprocess_memory::handle(memory); }
  void* open_interprocess(const std::string& handle, std::size_t bytes) override {
    return interprocess_memory::open(handle, bytes);
  }

  void copy_to_device(void* device, const void* host, std::size_t bytes) override { copy(device, host, bytes); }
  void copy_to_host(void* host, const void* device, std::size_t bytes) override { copy(host, device, bytes); }
  void copy_within(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }

  std::shared_ptr<queue> make_queue() override { return std::make_shared<engine_queue>(); }
  std::size_t cooperative_threads(std::string_view /*kernel*/) const override { return most_cooperative_threads; }
  std::exception_ptr take_lost_error() override { return engine_queue::take_lost_error(); }

 private:
  static void copy(void* to, const void* from, std::size_t bytes) {
    const closed_memory::passage open;
    const instruments::trap_pause looking;
    for_pieces(bytes, copy_piece, [&](std::size_t begin, std::size_t end) {
      copy_bytes(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin,
                 is_streamed(bytes));
    });
  }

  device_info info_;
};

// What is still queued when the program ends runs to its end, and an error that nobody waited for is said.
void finish_at_exit() {
  try {
    device_context::of(device_kind::engine).wait();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "gs: a kernel failed and nothing waited for it: %s\n", failure.what());
  }
  finish_later(1);  // threads that were asked to help and came too late still hold their requests
}

std::unique_ptr<backend> make_engine(device_kind kind) {
  auto made = std::make_unique<engine>(kind);
  std::atexit(finish_at_exit);
  return made;
}

const registered_device registration({.name = "engine",
                                      .why_missing = [] { return std::string(); },
                                      .make = make_engine});

}  // namespace

}  // namespace gs::inline GS_FLAVOUR::detail
