#pragma once
// The ledger: the runtime's account of what happened. Copies cost time without being visible in the source, so they
// are counted where they happen and can be read at any time.

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// What happened between two moments. Sizes in bytes.
struct ledger {
  std::uint64_t copies_to_device = 0;      ///< those of ufunc calls on host arrays, too
  std::uint64_t bytes_to_device = 0;       ///< in all
  std::uint64_t copies_to_host = 0;        ///< those of ufunc calls on host arrays, too
  std::uint64_t bytes_to_host = 0;         ///< in all
  std::uint64_t copies_within_device = 0;  ///< from one array of the device to another
  std::uint64_t bytes_within_device = 0;   ///< in all
  std::uint64_t launches = 0;              ///< kernels and ufuncs queued on a device
  std::uint64_t allocations = 0;           ///< device arrays made, temporary ones of a ufunc included
  std::uint64_t allocated_bytes = 0;       ///< in all, whether freed since or not
  std::uint64_t synchronizations = 0;      ///< explicit ones: synchronize() of a device, a stream or an event
  std::uint64_t loans = 0;                 ///< arrays whose memory another library or process got to use, uncopied
  std::uint64_t lent_bytes = 0;            ///< in all, whether given back since or not

  friend bool operator==(const ledger&, const ledger&) = default;       ///< alike in every count
  friend ledger operator-(const ledger& later, const ledger& earlier);  ///< what happened in between
};

/// Everything since the program started, all threads together.
ledger ledger_total();

/// What happened since this object was made. Scopes nest; each counts for itself.
///   gs::ledger_scope scope;  auto y = gaussian_pdf(x, 0.f, 1.f);  scope.account().copies_to_device == 1
class ledger_scope {
 public:
  ledger_scope() : start_(ledger_total()) {}
  ledger account() const { return ledger_total() - start_; }  ///< so far

 private:
  ledger start_;
};

/// One line for people: "2 copies to the device (8.0 MB), 1 copy to the host (4.0 MB), 1 launch, ...".
std::string to_string(const ledger& account);

/// The runtime's side: adds one event to the account. Thread-safe.
namespace ledger_entry {
void copy_to_device(std::size_t bytes);
void copy_to_host(std::size_t bytes);
void copy_within_device(std::size_t bytes);
void launch();
void allocation(std::size_t bytes);
void synchronization();
void loan(std::size_t bytes);
}  // namespace ledger_entry

}  // namespace gs::inline GS_FLAVOUR
