#include "runtime/instruments/results/counters.h"

#include <algorithm>

namespace gs::inline GS_FLAVOUR {

void line_counters::add(const line_counters& other) {
  requests += other.requests;
  accesses += other.accesses;
  uncounted += other.uncounted;
  bytes_used += other.bytes_used;
  sectors += other.sectors;
  ideal_sectors += other.ideal_sectors;
  wavefronts += other.wavefronts;
  ideal_wavefronts += other.ideal_wavefronts;
  addresses += other.addresses;
  most_per_address = std::max(most_per_address, other.most_per_address);
  serialized += other.serialized;
}

void line_copies::add(const line_copies& other) {
  copies_to_device += other.copies_to_device;
  bytes_to_device += other.bytes_to_device;
  copies_to_host += other.copies_to_host;
  bytes_to_host += other.bytes_to_host;
}

}  // namespace gs::inline GS_FLAVOUR
