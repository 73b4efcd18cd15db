#pragma once
// Asks for the path to save a file to.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "viewer/theme.h"

namespace viewer {

class save_dialog {
 public:
  /// Opens it with a file's path to begin with. If endings are given (".gif"), the path must have one of them.
  void ask(const std::filesystem::path& proposal, std::vector<std::string> endings = {});
  /// Draws it while it is open. Returns the path once, when the reader confirms. A name that begins with "~/" lies in
  /// the home folder, a relative one in the current folder.
  std::optional<std::filesystem::path> draw(const theme& look);

 private:
  bool opens_ = false;
  std::string path_;
  std::vector<std::string> endings_;
};

}  // namespace viewer
