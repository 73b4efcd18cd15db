#include "runtime/inspect/compile_command.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::inspecting {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct database_entry {
  fs::path directory, file;
  words arguments;
};

std::vector<database_entry> read_database(const fs::path& path) {
  const std::string asked = "read how the sources were compiled from " + path.string();
  const std::string text = read_file(path);
  if (text.empty())
    throw machine_error(asked, "there is no such file",
                        "configure the build again with CMAKE_EXPORT_COMPILE_COMMANDS=ON");
  std::vector<database_entry> entries;
  try {
    for (const auto& json : nlohmann::json::parse(text)) {
      database_entry entry{json.at("directory").get<std::string>(), json.at("file").get<std::string>(), {}};
      entry.arguments = json.contains("arguments") ? json["arguments"].get<words>()
                                                   : split_command(json.at("command").get<std::string>());
      entry.file = fs::weakly_canonical(entry.directory / entry.file);
      if (!entry.arguments.empty()) entries.push_back(std::move(entry));
    }
  } catch (const nlohmann::json::exception& problem) {
    throw machine_error(asked, problem.what(), "configure the build again");
  }
  return entries;
}

bool is_nvcc(const database_entry& entry) {
  return fs::path(entry.arguments[0]).filename().string().starts_with("nvcc");
}

bool is_clang(const database_entry& entry) {
  return fs::path(entry.arguments[0]).filename().string().find("clang") != std::string::npos;
}

bool is_checked(const database_entry& entry) {
  for (const std::string& argument : entry.arguments)
    if (argument == "-DGRIDSTRIDE_CHECKED=1") return true;
  return false;
}

// The same file may be compiled in both flavours; this library's own flavour is the one that runs.
const database_entry& entry_of(const std::vector<database_entry>& entries, const fs::path& build_folder,
                               const fs::path& source) {
#if defined(GRIDSTRIDE_CHECKED) && GRIDSTRIDE_CHECKED
  constexpr bool checked = true;
#else
  constexpr bool checked = false;
#endif
  const fs::path wanted = fs::weakly_canonical(source);
  const database_entry* found = nullptr;
  for (const database_entry& entry : entries)
    if (entry.file == wanted && (!found || is_checked(entry) == checked)) found = &entry;
  if (!found)
    throw machine_error("inspect the types in " + source.string(),
                        "the build in " + build_folder.string() + " doesn't compile that file",
                        "call inspect_types from the source file that holds the functions, and build it there");
  if (!fs::exists(wanted))
    throw machine_error("inspect the types in " + source.string(), "the file is gone",
                        "build again where the sources are");
  return *found;
}

// Options of nvcc that have nothing to say to g++, or say it through -Xcompiler.
words host_options(const words& options) {
  words host;
  const auto add_list = [&](std::string_view list) {
    while (!list.empty()) {
      const std::size_t comma = list.find(',');
      host.emplace_back(list.substr(0, comma));
      list = comma == list.npos ? std::string_view{} : list.substr(comma + 1);
    }
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view option = options[i];
    const bool has_value = option == "-D" || option == "-I" || option == "-isystem" || option == "-include";
    if (option == "-DGRIDSTRIDE_CUDA=1") continue;
    if (has_value && i + 1 < options.size()) {
      host.push_back(options[i]);
      host.push_back(options[++i]);
    } else if (option.starts_with("-Xcompiler=")) {
      add_list(option.substr(11));
    } else if (option == "-Xcompiler" && i + 1 < options.size()) {
      add_list(options[++i]);
    } else if (option.starts_with("-D") || option.starts_with("-I") || option.starts_with("-isystem") ||
               option.starts_with("-std=")) {
      host.push_back(options[i]);
    }
  }
  return host;
}

// CMake hands nvcc its include folders in a file: --options-file includes.rsp.
words with_option_files(const words& options, const fs::path& directory) {
  words all;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == "--options-file" && i + 1 < options.size()) {
      const words more = split_command(read_file(directory / options[++i]));
      all.insert(all.end(), more.begin(), more.end());
    } else {
      all.push_back(options[i]);
    }
  }
  return all;
}

// What g++ can take of clang's options: none of those that only clang's inner program takes, as its precompiled
// headers, nor those that choose its libraries or how it matches templates.
words without_those_of_clang(const words& options) {
  words kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == "-Xclang" || options[i] == "-mllvm")
      ++i;
    else if (!options[i].starts_with("-mllvm=") && !options[i].starts_with("-fveclib") &&
             options[i] != "-fno-relaxed-template-template-args")
      kept.push_back(options[i]);
  }
  return kept;
}

// What decides the program's types stays; what only decides its speed, its warnings or where the output goes does not.
words typing_options(const words& options) {
  words kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string_view option = options[i];
    if (option == "-o" || option == "-MF" || option == "-MT" || option == "-MQ" || option == "-x") {
      ++i;
    } else if (option == "-c" || option == "-S" || option.starts_with("-M") || option.starts_with("-o") ||
               option.starts_with("-O") || option.starts_with("-g") ||
               (option.starts_with("-W") && !option.starts_with("-Wp,")) || option.starts_with("-pedantic") ||
               option.starts_with("-fsanitize") || option.starts_with("-fno-sanitize") || option.starts_with("-flto") ||
               option.starts_with("-fprofile") || option == "--coverage" || option == "-w" || option == "-save-temps") {
    } else {
      kept.push_back(options[i]);
    }
  }
  return kept;
}

}  // namespace

std::vector<std::string> split_command(const std::string& line) {
  words result;
  std::optional<std::string> word;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\0' && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (word) result.push_back(std::move(*word));
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      // Within double quotes a backslash quotes only these.
      const char next = line[i + 1];
      if (quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`') *word += c;
      *word += next;
      ++i;
    } else {
      *word += c;
    }
  }
  if (word) result.push_back(std::move(*word));
  return result;
}

compile_command inspection_command(const fs::path& build_folder, const fs::path& source) {
  const std::vector<database_entry> entries = read_database(build_folder / "compile_commands.json");
  const database_entry& entry = entry_of(entries, build_folder, source);

  std::string compiler = entry.arguments[0];
  words options(entry.arguments.begin() + 1, entry.arguments.end());
  if (is_nvcc(entry)) {
    options = host_options(with_option_files(options, entry.directory));
    compiler = "g++";
    for (const database_entry& other : entries)
      if (!is_nvcc(other)) compiler = other.arguments[0];
  }
  if (is_clang(entry)) {  // whose dumps are others: g++ is asked beside it
    options = without_those_of_clang(options);
    compiler = "g++";
  }
  options = typing_options(options);
  // The source is named once, at the end.
  std::erase_if(options, [&](const std::string& option) {
    return !option.starts_with("-") && fs::weakly_canonical(entry.directory / option) == entry.file;
  });

  compile_command command{entry.directory, {compiler}};
  command.arguments.insert(command.arguments.end(), options.begin(), options.end());
  for (const char* option :
       {"-x", "c++", "-O0", "-S", "-o", "/dev/null", "-Wdouble-promotion", "-fno-pretty-templates",
        "-ftrack-macro-expansion=0", "-fmessage-length=0", "-ftabstop=1", "-fdiagnostics-color=never",
        "-fdump-tree-lower-lineno-uid-asmname-raw=stdout", "-fdump-rtl-expand=stdout"})
    command.arguments.emplace_back(option);
  command.arguments.push_back(entry.file.string());
  return command;
}

}  // namespace gs::inline GS_FLAVOUR::inspecting
