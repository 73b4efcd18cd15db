#include "runtime/instruments/spin_watch.h"

#if GRIDSTRIDE_CHECKED

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/spinning.h"
#include "runtime/instruments/monitor.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

constexpr std::uint32_t most_reads = 16;           // of a round
constexpr std::uint32_t plain_rounds = 1'000;      // with plain reads that are nothing special
constexpr std::uint32_t endless_rounds = 100'000;  // after which it isn't expected that another thread writes

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t x = (a ^ b) * 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

std::uint64_t value_at(std::uintptr_t address, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), std::min(bytes, sizeof value));
  return value;
}

}  // namespace

// A fiber may go on on another thread of the system: no compiler may remember the address.
[[gnu::noinline]] spin_watch& spin_watch::here() {
  static constinit thread_local spin_watch mine;
  return mine;
}

void spin_watch::begin(std::uint64_t reader, bool plain) {
  lead_ = reader;
  plain_ = plain;
  seen_before_ = 0;
  rounds_ = 0;
}

void spin_watch::read(std::uintptr_t address, std::size_t bytes, const void* code, bool plain) {
  const std::uint64_t value = value_at(address, bytes);
  const std::uint64_t reader = mixed(mixed(address, 1), reinterpret_cast<std::uintptr_t>(code));
  if (reader == lead_)
    end_round(address, bytes, code, value);
  else if (++reads_ > most_reads || (plain_ && !plain))
    begin(reader, plain);
  if (reader == lead_) {
    seen_ = reads_ = 0;
    wrote_ = false;
  }
  seen_ = mixed(mixed(seen_, reader), value);
}

void spin_watch::end_round(std::uintptr_t address, std::size_t bytes, const void* code, std::uint64_t value) {
  const bool same = seen_ == seen_before_ && !wrote_;
  seen_before_ = seen_;
  rounds_ = same ? rounds_ + 1 : 0;
  if (plain_ && rounds_ < plain_rounds) return;
  detail::block_scheduler* const scheduler = detail::block_scheduler::running_here();
  if (!scheduler) return;
  monitor* const m = monitor::here();
  const detail::spin_turn turn{
      .round = rounds_, .seen = seen_, .code = code, .where = m ? m->site_of(address, code) : unknown_site};
  const spin_watch mine = *this;
  const auto give_way = [&] { scheduler->spin(turn, same && (!plain_ || rounds_ >= endless_rounds)); };
  if (m)
    m->while_others_run(give_way);
  else
    give_way();
  here() = mine;
  if (m && mine.plain_ && (mine.rounds_ == endless_rounds || value_at(address, bytes) != value))
    m->tell([&, where = m->site_of(address, code)](auto& one) { one.spins_on_plain_reads(address, where); });
}

std::string place_text(site where, const void* code) {
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex);
  if (where == unknown_site) where = m.sites().number_of_code(code);
  m.sites().resolve();
  const source_place& place = m.sites().place(where);
  return place.line == 0 ? "an unknown place" : fmt::format("{}:{}", place.file, place.line);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
