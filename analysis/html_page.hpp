#pragma once
// Pages that need nothing but themselves: no script, no font, no image from elsewhere; light and dark.
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::analysis {

/// Safe between tags and inside a quoted attribute. Control characters become '?'.
std::string html_text(std::string_view text);

/// A whole page. `title` and `footer` are texts, `body` is HTML.
std::string html_page(std::string_view title, const std::string& body, std::string_view footer);

/// A column of a table. Cells are HTML.
struct HtmlColumn {
  std::string head;          ///< text
  bool figure = false;       ///< set flush right
  bool unbroken = false;     ///< a name that stays on one line
  std::string details = {};  ///< text shown when pointing at the head; may be empty
};
std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<std::string>>& rows);

/// A part of the page with a heading. `heading` and `about` (may be empty) are texts, `content` is HTML.
std::string html_section(std::string_view heading, std::string_view about, const std::string& content);
/// The same, closed until it is asked for.
std::string html_folded(std::string_view heading, const std::string& content);

}  // namespace fleetcast::analysis
