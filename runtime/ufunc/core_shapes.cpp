#include "runtime/ufunc/core_shapes.h"

#include <fmt/format.h>

#include <vector>

#include "runtime/core/error.h"
#include "runtime/ufunc/broadcast.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

constexpr std::size_t unknown = static_cast<std::size_t>(-1);

std::string call_text(const layout& core_layout) { return fmt::format("a call with the layout {}", core_layout.text); }

// Sets the extents of operand k's dimensions, or compares them with those that another operand has set.
class extent_matcher {
 public:
  explicit extent_matcher(const layout& core_layout) : layout_(core_layout) {
    for (std::size_t d = 0; d < core_layout.dimension_count; ++d)
      extents_[d] = core_layout.dimensions[d].fixed > 0 ? core_layout.dimensions[d].fixed : unknown;
  }

  void match(std::size_t k, const shape& s) {
    const layout::operand& operand = layout_.operands[k];
    if (s.rank() < operand.rank)
      throw error(call_text(layout_), fmt::format("the array for {} has the shape {}", operand.text, to_string(s)),
                  fmt::format("give one of {} dimension{} or more", operand.rank, operand.rank == 1 ? "" : "s"));
    for (std::size_t d = 0; d < operand.rank; ++d) {
      const std::size_t number = operand.dimensions[d], extent = s[s.rank() - operand.rank + d];
      if (extents_[number] == unknown) {
        extents_[number] = extent;
        decided_by_[number] = {operand.text, s};
      } else if (extents_[number] != extent) {
        refuse(number, extent, operand.text, s);
      }
    }
  }
  const auto& extents() const { return extents_; }

 private:
  struct decision {
    std::string_view text;
    shape whole;
  };

  [[noreturn]] void refuse(std::size_t number, std::size_t extent, std::string_view text, const shape& s) const {
    const layout::dimension& dimension = layout_.dimensions[number];
    if (dimension.fixed > 0)
      throw error(call_text(layout_), fmt::format("the array for {} has the shape {}", text, to_string(s)),
                  fmt::format("give one whose extent is {} where the layout says so", dimension.fixed));
    const decision& earlier = decided_by_[number];
    throw error(call_text(layout_),
                fmt::format("{} is {} in {} of shape {}, and {} in {} of shape {}", dimension.name, extents_[number],
                            earlier.text, to_string(earlier.whole), extent, text, to_string(s)),
                "dimensions of one name have one extent; they are never repeated");
  }

  const layout& layout_;
  std::array<std::size_t, layout::max_dimensions> extents_{};
  std::array<decision, layout::max_dimensions> decided_by_;
};

shape broadcast_outer(const layout& core_layout, const std::vector<shape>& outer) {
  std::vector<const shape*> outer_shapes;
  for (const shape& s : outer) outer_shapes.push_back(&s);
  try {
    return broadcast(outer_shapes);
  } catch (const error& failure) {
    throw error(fmt::format("{}: the outer dimensions, {}", call_text(core_layout), failure.asked()), failure.found(),
                failure.advice());
  }
}

[[noreturn]] void refuse_output(const shape& result, const shape& out) {
  throw error(fmt::format("an output of shape {}", to_string(out)),
              fmt::format("the result's shape is {}", to_string(result)),
              "give all outputs of a call the same outer dimensions");
}

}  // namespace

core_shapes match_core_shapes(const layout& core_layout, std::span<const shape> inputs,
                              std::span<const shape> outputs) {
  extent_matcher matcher(core_layout);
  std::vector<shape> outer;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    matcher.match(k, inputs[k]);
    outer.push_back(outer_shape(inputs[k], core_layout.operands[k].rank));
  }
  core_shapes call{broadcast_outer(core_layout, outer), {}};
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    const std::size_t k = core_layout.inputs + j;
    matcher.match(k, outputs[j]);
    call.extents = matcher.extents();
    const shape result = operand_shape(core_layout, call, k);
    if (result == outputs[j]) continue;
    if (j > 0) refuse_output(result, outputs[j]);
    check_out_shape(result, outputs[0]);  // the first output may repeat the result; the other outputs follow it
    call.loop = outer_shape(outputs[0], core_layout.operands[k].rank);
  }
  call.extents = matcher.extents();
  return call;
}

shape operand_shape(const layout& core_layout, const core_shapes& call, std::size_t k) {
  shape whole = call.loop;
  const layout::operand& operand = core_layout.operands[k];
  for (std::size_t d = 0; d < operand.rank; ++d) whole.push_back(call.extents[operand.dimensions[d]]);
  return whole;
}

shape outer_shape(const shape& s, std::size_t rank) {
  shape outer;
  for (std::size_t d = 0; d + rank < s.rank(); ++d) outer.push_back(s[d]);
  return outer;
}

void refuse_shared_outputs() {
  throw error("a call with several outputs", "two of them share memory", "give each output an array of its own");
}

}  // namespace gs::inline GS_FLAVOUR::detail
