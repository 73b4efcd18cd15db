#include "viewer/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <system_error>

namespace viewer {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == text.npos ? std::string_view() : text.substr(first, last - first + 1);
}

}  // namespace

settings::settings(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file_, none)) return;
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    const std::string_view entry = line;
    const auto sign = entry.find('=');
    const auto name = trimmed(entry.substr(0, sign));
    if (sign == entry.npos || name.empty())
      not_understood_ += line + '\n';
    else
      values_.insert_or_assign(std::string(name), std::string(trimmed(entry.substr(sign + 1))));
  }
}

std::string settings::text(std::string_view name, std::string_view otherwise) const {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second : std::string(otherwise);
}

double settings::number(std::string_view name, double otherwise) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return otherwise;
  const std::string& text = found->second;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value : otherwise;
}

void settings::set(std::string_view name, std::string_view value) {
  std::string line(trimmed(value));  // a value is one line
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  const auto found = values_.find(name);
  if (found != values_.end() && found->second == line) return;
  values_.insert_or_assign(std::string(name), std::move(line));
  changed_ = true;
}

void settings::set(std::string_view name, double value) { set(name, fmt::format("{}", value)); }

bool settings::save() {
  if (!changed_ || file_.empty()) return true;
  std::error_code failed;
  std::filesystem::create_directories(file_.parent_path(), failed);
  auto half = file_;
  half += ".new";
  {
    std::ofstream out(half);
    out << not_understood_;
    for (const auto& [name, value] : values_) out << name << " = " << value << '\n';
    out.close();
    if (!out) {
      std::filesystem::remove(half, failed);
      return false;
    }
  }
  std::filesystem::rename(half, file_, failed);
  changed_ = static_cast<bool>(failed);
  return !changed_;
}

}  // namespace viewer
