#pragma once
// The page Machine: what this machine has for the course, what is missing and what that costs.

#include <memory>
#include <optional>

#include "viewer/child_process.h"
#include "viewer/page.h"
#include "viewer/pages/machine_facts.h"

namespace viewer {

class machine_page : public page {
 public:
  std::string_view title() const override { return "Machine"; }
  void draw(context& c) override;
  bool moving() const override { return busy(); }
  bool busy() const override { return !facts_ && failure_.empty(); }

 private:
  void ask(context& c);
  void listen();

  std::unique_ptr<child_process> doctor_;
  std::optional<machine_facts> facts_;
  std::string failure_;
};

}  // namespace viewer
