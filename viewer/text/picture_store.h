#pragma once
// Pictures from files, as textures of the size they are shown in.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "viewer/plot/texture.h"

namespace viewer {

class picture_store {
 public:
  struct picture {
    ImTextureID texture = nullptr;  ///< null: the file isn't there or is no PNG
    float width = 0, height = 0;    ///< of the file, in pixels
  };

  /// The PNG file, made smaller to be shown `width` pixels wide, or as large as it is where that is smaller. Files are
  /// read once.
  picture find(const std::filesystem::path& file, float width);

 private:
  struct entry;
  std::map<std::string, std::shared_ptr<entry>> entries_;
};

}  // namespace viewer
