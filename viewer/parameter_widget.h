#pragma once
// A lesson's parameter as a widget: a field and a slider for a whole number, a slider for a real one, a list for a
// choice.

#include <string>

#include "viewer/theme.h"
#include "workbook/parameters.h"

namespace viewer {

/// Its name, then the widget, `width` pixels wide in all; a tip says what it means and its range. `text` is its value
/// as it would be typed on the command line, and may be wrong while it is being typed; then `error` says why.
/// True when the reader has finished a valid change.
bool edit(const theme& look, const workbook::parameter& p, std::string& text, std::string& error, float width);

}  // namespace viewer
