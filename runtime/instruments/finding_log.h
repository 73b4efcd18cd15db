#pragma once
// finding_log: findings as they come, each kept once for the lines it happens at.

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/finding.h"
#include "runtime/instruments/site.h"

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
    key kept = k;
    kept.kernel = *kernels_.insert(std::string(k.kernel)).first;
    return numbers_[kept] = findings_.size() - 1;
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
  std::vector<finding> findings_;
  std::vector<std::pair<site, site>> sites_;
  std::set<std::string> kernels_;  // what the keys' names refer to
  std::map<key, std::size_t> numbers_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
