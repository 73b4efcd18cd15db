#pragma once
// A simulation as an animation, or as numbered pictures.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "viewer/pages/simulation_runner.h"
#include "workbook/picture/picture.h"

namespace viewer {

/// Draws the fields of each frame beside each other and writes them, by a thread of its own.
class simulation_recording {
 public:
  struct target {
    std::filesystem::path file;  ///< wave.gif: one animation; wave.png: pictures wave-0001.png, wave-0002.png, ...
    double seconds = 0.05;       ///< of a frame, in an animation
    workbook::look look = {};
  };
  struct progress {
    std::size_t frames = 0;    ///< written
    bool ended = false;        ///< nothing is written any more: after finish(), or a problem
    std::string problem = {};  ///< why nothing more could be written
  };

  /// Begins. `wake` is called from the thread whenever progress() has something new.
  simulation_recording(target where, std::function<void()> wake);
  /// Ends it after the frame that is being written: what was added and isn't written yet is left out.
  ~simulation_recording();
  simulation_recording(const simulation_recording&) = delete;
  simulation_recording& operator=(const simulation_recording&) = delete;

  /// Whether another frame may be added: a few may wait to be written.
  bool has_room() const;
  void add(std::shared_ptr<const simulation_frame> frame);
  /// No frame follows; those that were added are written still.
  void finish();

  progress state() const;
  const std::filesystem::path& file() const;

 private:
  struct writer;
  std::unique_ptr<writer> writer_;
};

/// The picture of the n-th frame, n from 1: wave.png, 12 -> wave-0012.png.
std::filesystem::path numbered_picture(const std::filesystem::path& file, std::size_t n);

}  // namespace viewer
