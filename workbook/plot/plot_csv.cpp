#include "workbook/plot/plot_csv.h"

#include "workbook/plot/csv_file.h"

namespace workbook {

void write_csv(const plot& p, const std::string& path, const plot_view* visible) {
  csv_file file(path);
  const plot_view everything;
  const plot_view& view = visible != nullptr ? *visible : everything;
  std::visit([&](const auto& kind) { kind.write_csv(file, view); }, p);
  file.close();
}

}  // namespace workbook
