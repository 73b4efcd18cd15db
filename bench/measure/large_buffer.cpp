#include "bench/measure/large_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <tbb/parallel_for.h>

#include <cstdint>

#include "runtime/core/error.h"

namespace bench {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t whole_pages(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

}  // namespace

void* map_pages(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // mmap aligns to small pages: map one huge page more, and unmap the ends.
  const std::size_t size = whole_pages(bytes);
  void* mapped = mmap(nullptr, size + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    throw gs::machine_error(fmt::format("{:.1f} MB of host memory", static_cast<double>(size) / 1e6),
                            "there is no room", "free memory first");
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t aligned = whole_pages(start);
  if (aligned > start) munmap(mapped, aligned - start);
  if (const std::size_t excess = start + huge_page - aligned; excess > 0)
    munmap(reinterpret_cast<void*>(aligned + size), excess);

  auto* pages = reinterpret_cast<char*>(aligned);
  madvise(pages, size, MADV_HUGEPAGE);  // small pages are only slower
  tbb::parallel_for(std::size_t{0}, size / huge_page, [pages](std::size_t page) {
    constexpr std::size_t small_page = 4096;
    for (std::size_t offset = 0; offset < huge_page; offset += small_page)
      static_cast<volatile char*>(pages)[page * huge_page + offset] = 0;
  });
  return pages;
}

void unmap_pages(void* pages, std::size_t bytes) noexcept {
  if (pages) munmap(pages, whole_pages(bytes));
}

}  // namespace bench
