#pragma once
// private_folder: a folder for one program, gone with its owner.

#include <filesystem>

#include "runtime/host/descriptor.h"

namespace workshop {

class private_folder {
 public:
  /// An empty folder with a name of its own, in the system's folder for temporary files. Before the first one, those
  /// are removed whose owners were killed. Throws gs::machine_error if it can't be made.
  private_folder();
  ~private_folder();
  private_folder(const private_folder&) = delete;
  private_folder& operator=(const private_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// For a program that is about to end: removes the folders of all owners there are.
  static void remove_all();

 private:
  std::filesystem::path path_;
  gs::detail::descriptor lock_;  // of the folder itself: who can have it knows that its owner is gone
};

}  // namespace workshop
