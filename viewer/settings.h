#pragma once
// What the viewer remembers between starts: a small text file of lines "name = value".

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace viewer {

class settings {
 public:
  settings() = default;
  /// Reads the file if it is there. What can't be understood is left alone and written back as it was.
  explicit settings(std::filesystem::path file);

  std::string text(std::string_view name, std::string_view otherwise = "") const;
  double number(std::string_view name, double otherwise) const;
  void set(std::string_view name, std::string_view value);
  void set(std::string_view name, double value);

  /// Writes the file if something has changed: under another name first, so that it is never half written.
  /// False if it can't be written: the viewer says so once and goes on.
  bool save();

 private:
  std::filesystem::path file_;
  std::map<std::string, std::string, std::less<>> values_;
  std::string not_understood_;
  bool changed_ = false;
};

}  // namespace viewer
