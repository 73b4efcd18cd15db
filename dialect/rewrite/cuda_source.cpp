#include "dialect/rewrite/cuda_source.h"

#include <deque>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "dialect/rewrite/device_architecture.h"
#include "dialect/rewrite/device_clock.h"
#include "dialect/rewrite/device_variables.h"
#include "dialect/rewrite/dropped_results.h"
#include "dialect/rewrite/edits.h"
#include "dialect/rewrite/kernel_names.h"
#include "dialect/rewrite/launches.h"
#include "dialect/rewrite/own_names.h"
#include "dialect/rewrite/shared_declarations.h"
#include "dialect/rewrite/tokens.h"
#include "dialect/rewrite/warp_steps.h"

namespace dialect {
namespace {

namespace fs = std::filesystem;

// A header of the learner's, or one of the sources.
struct unit {
  fs::path path;
  std::string text;
  std::string included_as = {};  // empty: a source
  token_streams streams = {};
};

std::optional<std::string> read(const fs::path& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// The name in `#include "name"`; empty if the directive is another.
std::string included_name(const directive& d) {
  const bool is_include = d.tokens.size() == 2 && d.tokens[0].is("include") && d.tokens[1].kind == token_kind::text;
  return is_include ? std::string(d.tokens[1].text.substr(1, d.tokens[1].text.size() - 2)) : "";
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char letter : name) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += letter;
  }
  return text + '"';
}

class program_rewriter {
 public:
  program_rewriter(const std::vector<source_text>& sources, const header_folders& headers)
      : beside_sources_(headers.beside_sources) {
    for (const source_text& source : sources) {
      units_.push_back({source.path, source.text});
      if (beside_sources_) folders_.push_back(source.path.parent_path());
    }
    folders_.insert(folders_.end(), headers.others.begin(), headers.others.end());
  }

  rewritten_program run() {
    for (std::size_t k = 0; k < units_.size(); ++k) read_unit(units_[k]);  // which adds headers behind them
    for (const unit& u : units_) {
      kernels_.add(u.streams.code);
      for (const directive& d : u.streams.directives) kernels_.add(d.tokens);
    }
    rewritten_program program;
    for (const unit& u : units_)
      (u.included_as.empty() ? program.sources : program.headers)
          .push_back({u.included_as.empty() ? u.path : fs::path(u.included_as), rewritten(u)});
    return program;
  }

 private:
  void read_unit(unit& u) {
    u.streams = read_tokens(u.text);
    for (const directive& d : u.streams.directives)
      if (const std::string name = included_name(d); !name.empty()) find_header(u, name);
  }

  const unit* find_header(const unit& from, const std::string& name) {
    std::vector<fs::path> folders;
    if (beside_sources_) folders.push_back(from.path.parent_path());
    folders.insert(folders.end(), folders_.begin(), folders_.end());
    for (const fs::path& folder : folders) {
      const fs::path file = (folder / name).lexically_normal();
      for (const unit& known : units_)
        if (known.path == file) return known.included_as.empty() ? nullptr : &known;
      if (auto text = read(file)) {
        units_.push_back(
            {file, std::move(*text), ".included_" + std::to_string(units_.size()) + "_" + file.filename().string()});
        return &units_.back();
      }
    }
    return nullptr;
  }

  std::string rewritten(const unit& u) {
    edit_list edits(u.text);
    rewrite(u, u.streams.code, false, edits);
    rewrite_device_architecture(u.streams.code, u.streams.directives, edits);
    for (const directive& d : u.streams.directives) {
      if (const std::string name = included_name(d); name.empty())
        rewrite(u, d.tokens, true, edits);
      else if (const unit* const header = find_header(u, name))
        edits.replace(d.tokens[1].begin, d.tokens[1].end(), quoted(header->included_as));
    }
    return "#line 1 " + quoted(u.path.string()) + "\n" + edits.result();
  }

  void rewrite(const unit& u, const token_list& tokens, bool is_directive, edit_list& edits) const {
    if (is_directive && (tokens.empty() || !tokens[0].is("define"))) return;
    refuse_assembly(tokens, edits);
    rewrite_shared_declarations(u.text, tokens, is_directive, edits);
    rewrite_attributes(tokens, edits);
    rewrite_device_clock(tokens, edits);
    refuse_unsynchronized_steps(tokens, edits);
    rewrite_launches(u.text, tokens, kernels_, edits);
    rewrite_launch_calls(u.text, tokens, edits);
    if (!is_directive) mark_device_variables(tokens, edits);
    mark_dropped_results(u.text, tokens, is_directive, edits);
    rename_own_names(tokens, edits);
  }

  const bool beside_sources_;
  std::deque<unit> units_;  // whose addresses stay while others are added
  std::vector<fs::path> folders_;
  kernel_names kernels_;
};

}  // namespace

rewritten_program rewrite_program(const std::vector<source_text>& sources, const header_folders& headers) {
  return program_rewriter(sources, headers).run();
}

bool is_cuda_name(const fs::path& file) { return file.extension() == ".cu" || file.extension() == ".CU"; }

}  // namespace dialect
