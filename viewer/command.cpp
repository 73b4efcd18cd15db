#include "viewer/command.h"

#include <imgui.h>

namespace viewer {

int command(int, char**) { return ImGui::GetVersion() != nullptr ? 0 : 3; }

}  // namespace viewer
