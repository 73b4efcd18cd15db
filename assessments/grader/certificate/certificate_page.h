#pragma once
// A certificate as a page to print and hang up: A4, landscape.

#include <filesystem>
#include <string>

#include "assessments/grader/certificate/certificate.h"
#include "workbook/picture/canvas.h"

namespace grader {

/// Paints the page, 842 x 595 points, on a canvas. Returns the letters of the holder's name that no font here has.
std::string paint_page(workbook::canvas& d, const signed_certificate& c);

/// Writes the page as SVG, PDF or PNG, depending on the file's extension. Everything is drawn, letters included: it
/// looks the same where the fonts are missing. Returns the letters of the holder's name that no font here has; boxes
/// stand in their place. Throws gs::error for another extension, or if the file can't be written.
std::string write_page(const signed_certificate& c, const std::filesystem::path& file);

}  // namespace grader
