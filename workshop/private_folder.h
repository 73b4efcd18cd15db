#pragma once
// private_folder: a temporary folder that is removed with its owner.

#include <filesystem>

#include "runtime/host/descriptor.h"

namespace workshop {

class private_folder {
 public:
  /// An empty folder with a unique name, in the system's folder for temporary files. The first call also removes those
  /// whose owners were killed. Throws gs::machine_error if it can't be created.
  private_folder();
  ~private_folder();
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// For a program that is about to end: removes the folders of all owners in this process.
  static void remove_all();

 private:
  std::filesystem::path path_;
  gs::detail::descriptor lock_;  // on the folder itself: if another program can take it, the owner is gone
};

}  // namespace workshop
