#pragma once
// edits: changes of a text that leave its lines where they are.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dialect {

class edit_list {
 public:
  explicit edit_list(std::string_view text) : text_(text) {}

  /// Puts `replacement`, which has no line's end, in the place of [begin, end). The ends of the lines that were there
  /// follow it. No two may overlap.
  void replace(std::size_t begin, std::size_t end, std::string replacement);
  void insert(std::size_t at, std::string added) { replace(at, at, std::move(added)); }
  /// Whether something of [begin, end) is to be replaced.
  bool touches(std::size_t begin, std::size_t end) const;

  std::string result() const { return result(0, text_.size()); }
  /// Of a part of the text.
  std::string result(std::size_t begin, std::size_t end) const;

 private:
  struct edit {
    std::size_t begin, end;
    std::string replacement;
  };
  std::string_view text_;
  std::vector<edit> edits_;
};

}  // namespace dialect
