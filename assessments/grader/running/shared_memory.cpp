#include "assessments/grader/running/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <system_error>

#include "runtime/core/error.h"

// Linux 5.1; older headers don't have it.
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace grader {

shared_memory::shared_memory(std::size_t bytes, rights runner_rights)
    : file_(memfd_create("gridstride", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  const auto refuse = [&] {
    throw gs::machine_error(
        fmt::format("share {:.1f} MB of memory with a submission", static_cast<double>(bytes) / 1e6),
        std::system_category().message(errno), "end other programs, or grade smaller sizes");
  };
  if (!file_.open() || ftruncate(file_.number(), static_cast<off_t>(bytes)) != 0) refuse();
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_.number(), 0);
  if (mapped == MAP_FAILED) refuse();
  bytes_ = {static_cast<std::byte*>(mapped), bytes};
  const int seals =
      F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (runner_rights == rights::others_read ? F_SEAL_FUTURE_WRITE : 0);
  if (fcntl(file_.number(), F_ADD_SEALS, seals) != 0) {
    const int number = errno;
    munmap(mapped, bytes);
    errno = number;
    refuse();
  }
}

shared_memory::~shared_memory() { munmap(bytes_.data(), bytes_.size()); }

}  // namespace grader
