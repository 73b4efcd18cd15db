#pragma once
// finding_log: findings as they come, each kept once for the lines it happens at.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/places/site_table.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::instruments {

class finding_log {
 public:
  struct key {
    finding_kind kind;
    std::string_view kernel;
    site where, other;
    access_kind access = access_kind::read, other_access = access_kind::read;
    auto operator<=>(const key&) const = default;
  };
  /// The number of the finding, if it has been met before: counts it once more. Else `no_finding`.
  static constexpr std::size_t no_finding = ~std::size_t{0};
  std::size_t count_again(const key& k) {
    const auto found = numbers_.find(k);
    if (found == numbers_.end()) return no_finding;
    ++findings_[found->second].count;
    return found->second;
  }
  std::size_t add(const key& k, finding f) {
    findings_.push_back(std::move(f));
    sites_.emplace_back(k.where, k.other);
    return numbers_[kept(k)] = findings_.size() - 1;
  }
  /// The number of a finding between the same two places, whichever of them came first; from now on one for `k`, too.
  /// Counts it once more.
  std::size_t count_reversed(const key& k) {
    const auto alike = [&](const auto& known) {
      const key& a = known.first;
      return a.kind == k.kind && a.kernel == k.kernel &&
             ((a.where == k.other && a.other == k.where) || (a.where == k.where && a.other == k.other));
    };
    const auto found = std::ranges::find_if(numbers_, alike);
    if (found == numbers_.end()) return no_finding;
    const std::size_t number = found->second;
    numbers_[kept(k)] = number;
    ++findings_[number].count;
    return number;
  }

  /// A launch runs several times. A finding counts as often as in the first run that meets it.
  void begin_launch() {
    before_.clear();
    for (const finding& f : findings_) before_.push_back(f.count);
    in_launch_.assign(findings_.size(), 0);
  }
  void end_run() {
    before_.resize(findings_.size());
    in_launch_.resize(findings_.size());
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      std::uint64_t& count = findings_[i].count;
      before_[i] = std::min(before_[i], count);  // a finding may have been taken back
      if (in_launch_[i] == 0) in_launch_[i] = count - before_[i];
      count = before_[i];
    }
  }
  void end_launch() {
    for (std::size_t i = 0; i < findings_.size(); ++i) findings_[i].count = before_[i] + in_launch_[i];
  }

  finding& operator[](std::size_t number) { return findings_[number]; }
  std::size_t size() const { return findings_.size(); }
  /// The sites of a finding's accesses.
  site where(std::size_t number) const { return sites_[number].first; }
  site other(std::size_t number) const { return sites_[number].second; }
  std::vector<finding> take() {
    numbers_.clear();
    sites_.clear();
    return std::exchange(findings_, {});
  }

 private:
  // The key with a name that lives as long as the log.
  key kept(key k) {
    k.kernel = *kernels_.insert(std::string(k.kernel)).first;
    return k;
  }

  std::vector<finding> findings_;
  std::vector<std::uint64_t> before_, in_launch_;  // counts: before the launch, and in it
  std::vector<std::pair<site, site>> sites_;
  std::set<std::string> kernels_;  // what the keys' names refer to
  std::map<key, std::size_t> numbers_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
