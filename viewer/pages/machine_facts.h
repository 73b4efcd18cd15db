#pragma once
// What `./gridstride doctor --json` says, read for people.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viewer {

struct machine_facts {
  /// A title and its lines, each a name and a value: "Processor", {"cores", "8"}.
  struct group {
    std::string title;
    std::vector<std::pair<std::string, std::string>> lines = {};
  };
  struct package {
    std::string name, group, why, cost;
    std::optional<bool> installed;  ///< nothing: not known
  };
  std::vector<group> groups = {};
  std::vector<package> packages = {};
  std::vector<std::string> costs = {};  ///< what is missing, and what that costs; a sentence each
};

/// Throws gs::error if this isn't a document of doctor's.
machine_facts read_machine_facts(std::string_view json);

}  // namespace viewer
