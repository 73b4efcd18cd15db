#include "runtime/engine/interprocess_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/engine/closed_memory.h"
#include "runtime/host/descriptor.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR::interprocess_memory {
namespace {

using detail::descriptor;

struct mapping {
  descriptor file;
  std::size_t bytes;
};

struct mappings {
  std::mutex mutex;
  std::map<const void*, mapping> by_address;
};
mappings& all_mappings() {
  static auto* const every = new mappings;  // never destroyed: arrays may be freed while the program ends
  return *every;
}

// In the checked flavour device memory has addresses that the instruments choose, none of them twice.
void* map_file(const descriptor& file, std::size_t bytes) {
  void* address = nullptr;
  int flags = MAP_SHARED;
#if GRIDSTRIDE_CHECKED
  address = instruments::allocate(bytes);
  if (!address) return nullptr;
  flags |= MAP_FIXED;
#endif
  void* const memory = mmap(address, bytes, PROT_READ | PROT_WRITE, flags, file.number(), 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unmap(void* memory, std::size_t bytes) {
#if GRIDSTRIDE_CHECKED
  // The instruments' address goes back to them without the file behind it. Where the system refuses, the address stays
  // taken.
  void* const empty =
      mmap(memory, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (empty != MAP_FAILED) instruments::deallocate(memory, bytes);
#else
  munmap(memory, bytes);
#endif
}

void* remember(descriptor file, std::size_t bytes) {
  void* const memory = map_file(file, bytes);
  if (!memory) return nullptr;
  mappings& every = all_mappings();
  const std::lock_guard lock(every.mutex);
  every.by_address.emplace(memory, mapping{std::move(file), bytes});
  return memory;
}

void check_open() {
  if (closed_memory::on())
    throw error("memory for several processes", "this program's device memory is closed to the host",
                "run the program where its memory is its own");
}

// A file that may neither shrink, which would pull the memory from under its readers, nor grow.
constexpr int fixed_size = F_SEAL_SHRINK | F_SEAL_GROW;

struct file_handle {
  long process = 0;
  int file = 0;
  unsigned long long inode = 0;
  std::size_t bytes = 0;
};

file_handle read_handle(const std::string& text) {
  file_handle h;
  std::istringstream words(text);
  if (!(words >> h.process >> h.file >> h.inode >> h.bytes) || h.process <= 0 || h.file < 0 || words >> std::ws)
    throw error("memory of another process", "\"" + text + "\" is not a handle of the engine's memory",
                "pass on the whole text that handle() returned");
  return h;
}

[[noreturn]] void refuse(const file_handle& h, const std::string& found, const std::string& advice) {
  throw error(fmt::format("memory of process {}", h.process), found, advice);
}

// The process' number may be another's by now, and the file's, too: the file itself has to be that of the handle.
descriptor open_file(const file_handle& h) {
  descriptor file(::open(fmt::format("/proc/{}/fd/{}", h.process, h.file).c_str(), O_RDWR | O_CLOEXEC));
  const int reason = errno;
  if (!file.open() && (reason == EACCES || reason == EPERM))
    refuse(h, "this process may not open it", "run both processes as one user, in one container");
  struct stat found{};
  if (!file.open() || fstat(file.number(), &found) != 0 || found.st_ino != h.inode)
    refuse(h, "the process or its array is gone", "keep the array there until it has been opened");
  if ((fcntl(file.number(), F_GET_SEALS) & fixed_size) != fixed_size || std::cmp_less(found.st_size, h.bytes))
    refuse(h, "the file is no memory of an array", "pass on the whole text that handle() returned");
  return file;
}

}  // namespace

void* allocate(std::size_t bytes) {
  check_open();
  descriptor file(memfd_create("gridstride", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.open() || ftruncate(file.number(), static_cast<off_t>(bytes)) != 0) return nullptr;
  if (fcntl(file.number(), F_ADD_SEALS, fixed_size | F_SEAL_SEAL) != 0) return nullptr;
  return remember(std::move(file), bytes);
}

void deallocate(void* memory) {
  mappings& every = all_mappings();
  const std::lock_guard lock(every.mutex);
  const auto found = every.by_address.find(memory);
  unmap(memory, found->second.bytes);
  every.by_address.erase(found);
}

std::string handle(const void* memory) {
  mappings& every = all_mappings();
  const std::lock_guard lock(every.mutex);
  const mapping& m = every.by_address.at(memory);
  struct stat file{};
  fstat(m.file.number(), &file);
  return fmt::format("{} {} {} {}", getpid(), m.file.number(), file.st_ino, m.bytes);
}

void* open(const std::string& handle, std::size_t bytes) {
  check_open();
  const file_handle h = read_handle(handle);
  if (h.bytes < bytes)
    refuse(h, fmt::format("it has {} bytes, and {} were asked for", h.bytes, bytes),
           "pass on the whole text that handle() returned");
  void* const memory = remember(open_file(h), h.bytes);
  if (!memory)
    throw machine_error(fmt::format("{} bytes of process {}", h.bytes, h.process), "this process has no room for them",
                        "free arrays first");
  return memory;
}

}  // namespace gs::inline GS_FLAVOUR::interprocess_memory
