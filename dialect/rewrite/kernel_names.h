#pragma once
// kernel_names: which kernels a program has.

#include <map>
#include <string>

#include "dialect/rewrite/tokens.h"

namespace dialect {

/// How often a name is a kernel's.
class kernel_names {
 public:
  /// Those that a source defines or declares.
  void add(const token_list& code);
  /// Whether the name stands for one function alone, no template and without another of its name.
  bool is_one_function(const std::string& name) const;

 private:
  struct use {
    unsigned definitions = 0, declarations = 0;
    bool is_template = false, has_defaults = false;
  };
  std::map<std::string, use> uses_;
};

}  // namespace dialect
