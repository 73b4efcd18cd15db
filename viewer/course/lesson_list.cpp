#include "viewer/course/lesson_list.h"

#include <imgui.h>

#include "viewer/widgets.h"

namespace viewer {

const workbook::catalogue_entry* draw_lesson_list(const theme& look, const std::vector<workbook::course_part>& course,
                                                  const std::optional<workbook::catalogue_entry>& chosen) {
  label(look, "lesson");
  ImGui::SetNextItemWidth(look.px(240));
  const workbook::catalogue_entry* pressed = nullptr;
  if (ImGui::BeginCombo("##lesson", chosen ? chosen->program().c_str() : "choose one")) {
    for (const workbook::course_part& part : course)
      for (const workbook::catalogue_entry& entry : part.lessons)
        if (ImGui::Selectable(entry.program().c_str(), chosen && chosen->program() == entry.program()))
          pressed = &entry;
    ImGui::EndCombo();
  }
  return pressed;
}

}  // namespace viewer
