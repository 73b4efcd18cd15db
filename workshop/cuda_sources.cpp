#include "workshop/cuda_sources.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dialect/rewrite/cuda_source.h"

namespace workshop {
namespace {

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// The dialect's compiler flags and precompiled header; what is linked stays, with the dialect's library before it.
compilation_parts cuda_parts(compilation_parts parts, const std::string& asked) {
  compilation_parts cuda =
      read_parts(build_folder(parts.flavour) / "dialect/parts.json", asked, parts.flavour, "cuda_parts");
  if (!parts.headers.empty()) parts.headers.erase(parts.headers.begin());  // the precompiled one
  append(cuda.headers, parts.headers);
  append(cuda.link, parts.link);
  append(cuda.readable, parts.readable);
  return cuda;
}

}  // namespace

bool is_cuda(const std::vector<source_file>& sources) {
  return std::ranges::any_of(sources, [](const source_file& source) { return dialect::is_cuda_name(source.path); });
}

void compile_as_cuda(compile_request& request, cuda_headers headers) {
  request.parts = cuda_parts(std::move(request.parts), request.purpose);
  std::vector<dialect::source_text> texts;
  std::vector<source_file*> rewritten;
  for (source_file& source : request.sources)
    if (!is_c_name(source.path)) {
      texts.push_back({source.path, source.text});
      rewritten.push_back(&source);
    }
  dialect::header_folders folders{.beside_sources = headers == cuda_headers::beside_sources};
  if (folders.beside_sources) folders.others = request.include_folders;
  dialect::rewritten_program program = dialect::rewrite_program(texts, folders);
  for (std::size_t k = 0; k < rewritten.size(); ++k) {
    std::string& text = program.sources[k].text;
    // Compiled under its own name, it needs no #line, by which g++ would show the line before.
    if (request.shown_folder.empty()) text.erase(0, text.find('\n') + 1);
    rewritten[k]->text = std::move(text);
  }
  for (dialect::source_text& header : program.headers)
    request.headers.push_back({std::move(header.path), std::move(header.text)});
}

}  // namespace workshop
