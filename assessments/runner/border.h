#pragma once
// border: what crosses between host and device in one call, as the copies themselves say.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "assessments/runner/entry.h"
#include "runtime/array/copy_watch.h"

namespace runner {

/// Knows an input by its bytes, wherever a copy takes them from, and its place on the device from then on.
class border final : public gs::detail::copy_watch {
 public:
  /// A call begins, with these arrays.
  void begin(std::span<const argument> arrays);
  /// From now on copies to the device that bring an input bring as many bytes of `exchanged[k]` instead, unless that is
  /// null.
  void exchange_by(std::vector<const std::byte*> exchanged);
  /// From now on what comes back is compared with what the function returns.
  void watch_returns();

  const void* goes_to_device(const void* device, const void* from, std::size_t bytes) override;
  void came_to_host(const void* to, const void* device, std::size_t bytes) override;

  /// After the function has returned, and its answer stands in the outputs: bytes of input k that were never brought to
  /// the device as they are; bytes of output k, a host array, that aren't what was last brought back.
  std::uint64_t lacking_bytes(std::size_t k) const;
  /// Under the instruments: bytes of input k that the device's work has read, or of output k that it has written; of
  /// each copy of them, and no more than the array has.
  std::uint64_t used_bytes(std::size_t k) const;

 private:
  struct piece {  // of an array, on the device
    const std::byte* device;
    std::size_t begin, bytes;
  };
  struct crossing_array {
    argument host;
    std::size_t bytes = 0;
    const std::byte* exchanged = nullptr;
    std::vector<piece> pieces;
    bool is_input() const { return host.in != nullptr; }
  };
  struct return_copy {
    std::vector<std::byte> content;
    std::uint64_t written = 0;  ///< by the device's work
  };
  struct origin {             // of an answer
    std::uint64_t different;  // bytes that aren't what was brought back
    std::uint64_t written = 0;
  };

  static std::size_t missing_from(const crossing_array& a);
  origin origin_of(const crossing_array& a) const;

  mutable std::mutex mutex_;
  std::vector<crossing_array> arrays_;
  std::vector<return_copy> returns_;
  std::size_t kept_bytes_ = 0;
  bool watches_returns_ = false;
};

}  // namespace runner
