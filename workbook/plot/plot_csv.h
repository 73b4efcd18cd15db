#pragma once
// The data of a plot as comma-separated values, for other programs.

#include <string>

#include "workbook/plot/plot_view.h"

namespace workbook {

/// Writes a header and then: of an xy plot a line "series,x,y" per point (and the error bar if there are any), of bars
/// a line per category, of a heat map a line per row with the middles of its cells at the edges, of an access picture
/// a line "lane,address,bytes" per lane. Every number is written so that reading it gives the same number; texts are
/// quoted where RFC 4180 asks for it. With `visible`, only what that view shows. Throws gs::error if the file can't
/// be written.
void write_csv(const plot& p, const std::string& path, const plot_view* visible = nullptr);

}  // namespace workbook
