#include "workshop/build_parts.h"

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"

#ifndef GRIDSTRIDE_BUILD_DIR
#error "link gridstride_build_folders"
#endif

namespace workshop {

namespace fs = std::filesystem;

std::string to_string(flavour f) { return f == flavour::plain ? "plain" : f == flavour::checked ? "checked" : "cuda"; }

namespace {

// The installed command's folder; empty: this is a build.
fs::path installed_folder() {
  const char* const folder = std::getenv("GRIDSTRIDE_INSTALLED");
  return folder != nullptr ? folder : "";
}

// As it stands within the quotation marks of JSON.
std::string in_json(const fs::path& path) {
  const std::string quoted = nlohmann::json(path.string()).dump();
  return quoted.substr(1, quoted.size() - 2);
}

// An installed description names its files from {installed} on, so that a prefix may be moved.
std::string with_installed_folder(std::string text) {
  constexpr std::string_view mark = "{installed}";
  const std::string folder = in_json(installed_folder());
  for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += folder.size())
    text.replace(at, mark.size(), folder);
  return text;
}

}  // namespace

fs::path build_folder(flavour f) {
  if (const fs::path installed = installed_folder(); !installed.empty()) return installed / to_string(f);
  switch (f) {
    case flavour::plain:
      break;
    case flavour::checked:
      return GRIDSTRIDE_CHECKED_BUILD_DIR;
    case flavour::cuda:
      return GRIDSTRIDE_CUDA_BUILD_DIR;
  }
  return GRIDSTRIDE_BUILD_DIR;
}

fs::path built(const fs::path& file, const std::string& asked, flavour f, const std::string& target) {
  if (fs::exists(file)) return file;
  if (!installed_folder().empty())
    throw gs::machine_error(asked, "there is no " + file.string(), "install Gridstride again: ./gridstride install");
  const std::string preset = f == flavour::plain ? build_folder(f).filename().string() : to_string(f);
  throw gs::machine_error(
      asked, "there is no " + file.string(),
      "build it: cmake --preset " + preset + " && cmake --build --preset " + preset + " --target " + target);
}

fs::path confine_program() {
  return built(build_folder(flavour::plain) / "workshop/gridstride-confine", "run a program in a sandbox",
               flavour::plain, "gridstride-confine");
}

fs::path stepping_script() {
  const fs::path installed = installed_folder();
  return installed.empty() ? fs::path(GRIDSTRIDE_SOURCE_DIR) / "runtime/instruments/stepping.gdb"
                           : installed / "stepping.gdb";
}

compilation_parts read_parts(const fs::path& description, const std::string& asked, flavour f,
                             const std::string& target) {
  built(description, asked, f, target);
  compilation_parts parts;
  parts.flavour = f;
  try {
    const auto document = nlohmann::json::parse(with_installed_folder(gs::detail::read_text_file(description, asked)));
    parts.compiler = document.at("compiler");
    parts.linker = document.at("linker");
    const auto strings = [&](const char* name) { return document.at(name).get<std::vector<std::string>>(); };
    for (const std::string& word : strings("headers")) parts.headers.emplace_back(word);
    parts.flags = strings("flags");
    // CMake's lists have empty elements where a generator expression evaluated to nothing.
    const auto add = [](std::vector<std::string>& list, const std::string& prefix, const std::string& word) {
      if (!word.empty()) list.push_back(prefix + word);
    };
    std::erase(parts.flags, "");
    for (const std::string& word : strings("definitions")) add(parts.flags, "-D", word);
    for (const std::string& word : strings("include_folders")) {
      if (word.empty() || word == "/usr/include") continue;
      parts.flags.push_back("-I");
      parts.flags.push_back(word);
    }
    for (const std::string& word : strings("objects")) {
      if (!word.ends_with(".o")) continue;  // CMake lists the precompiled header among the objects
      add(parts.link, "", word);
      parts.readable.emplace_back(word);
    }
    for (const std::string& word : strings("link")) add(parts.link, "", word);
    for (const std::string& word : strings("readable")) parts.readable.emplace_back(word);
  } catch (const nlohmann::json::exception& problem) {
    throw gs::machine_error(asked, description.string() + ": " + problem.what(), "configure the build again");
  }
  for (const fs::path& needed : parts.readable) built(needed, asked, f, target);
  for (const std::string& word : parts.link)  // a library that a newer one has replaced, among them
    if (word.starts_with('/')) built(word, asked, f, target);
  return parts;
}

}  // namespace workshop
