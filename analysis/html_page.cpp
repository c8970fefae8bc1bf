#include "analysis/html_page.hpp"

namespace fleetcast::analysis {

namespace {

/// Colours of the kinds (k0 to k7) are apart for the colour-blind too: after Okabe and Ito, darkened for white paper.
constexpr std::string_view style_sheet = R"(
:root { color-scheme: light dark; --paper: #fff; --card: #f6f7f9; --ink: #1b2430; --soft: #5d6875; --rule: #dde2e8;
  --accent: #2563a8; --band: #2563a826; --k0: #0072b2; --k1: #d55e00; --k2: #008f68; --k3: #b5548a; --k4: #a87b00;
  --k5: #4a3fae; --k6: #7a4a21; --k7: #5d6875; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #12171d; --card: #1a2129; --ink: #e4e9ef; --soft: #98a4b1; --rule: #2c3641; --accent: #6fb1f0;
    --band: #6fb1f030; --k0: #56b4e9; --k1: #ff8c42; --k2: #2fcf9f; --k3: #e48fc0; --k4: #f0c542; --k5: #a79cf7;
    --k6: #c99a6b; --k7: #98a4b1; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.5;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main, footer { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
main { padding-top: 32px; }
h1 { font-size: 15px; font-weight: 600; color: var(--soft); margin: 0 0 8px; }
h2 { font-size: 18px; margin: 40px 0 4px; }
h3 { font-size: 13px; font-weight: 600; color: var(--soft); margin: 24px 0 4px; }
p { margin: 4px 0; max-width: 78ch; }
.answer { font-size: 24px; line-height: 1.35; font-weight: 600; max-width: 44ch; margin: 0 0 10px; }
.soft { color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 24px 0; }
.tile { flex: 1 1 130px; background: var(--card); border-radius: 10px; padding: 12px 16px; }
.tile b { display: block; font-size: 26px; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
.figures { display: flex; flex-wrap: wrap; gap: 20px; margin-top: 12px; align-items: flex-start; }
figure { flex: 1 1 440px; min-width: 0; margin: 0; background: var(--card); border-radius: 10px; padding: 16px; }
figcaption { font-weight: 600; margin-bottom: 6px; }
figcaption small { display: block; font-weight: 400; color: var(--soft); font-size: 13px; }
svg { display: block; width: 100%; height: auto; }
svg text { fill: var(--soft); font-size: 12px; font-family: inherit; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.identity { stroke: var(--ink); stroke-width: 1.2; }
.band { fill: var(--band); }
.bar { fill: var(--accent); }
.bar.far { opacity: .45; }
.marker { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 4 3; }
.point circle { fill: currentColor; fill-opacity: .55; stroke: currentColor; stroke-width: 1; }
.point.hollow circle { fill: var(--card); fill-opacity: .2; }
.point line { stroke: currentColor; stroke-width: 1.4; opacity: 0; }
.point.few line { opacity: .4; }
.point:hover line { opacity: 1; }
.point:hover circle { fill-opacity: 1; stroke: var(--ink); stroke-width: 2; }
.k0 { color: var(--k0); } .k1 { color: var(--k1); } .k2 { color: var(--k2); } .k3 { color: var(--k3); }
.k4 { color: var(--k4); } .k5 { color: var(--k5); } .k6 { color: var(--k6); } .k7 { color: var(--k7); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; font-size: 13px; color: var(--soft); margin-top: 4px; }
.legend i { display: inline-block; width: 10px; height: 10px; border-radius: 50%; background: currentColor;
  margin-right: 6px; }
.legend i.open { background: none; border: 1.5px solid var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 4px; font-size: 14px; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: 13px; border-bottom: 1px solid var(--soft);
  vertical-align: bottom; }
td { border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: break-word; }
th, td { padding: 5px 14px 5px 0; }
td.figure, th.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.unbroken { white-space: nowrap; }
td svg { width: 170px; display: inline-block; vertical-align: middle; }
td .meter { display: inline-block; height: 9px; border-radius: 2px; background: var(--accent); vertical-align: middle; }
td .meter.wide { opacity: .35; border-radius: 0 2px 2px 0; }
.meters { white-space: nowrap; }
.prior { stroke: var(--soft); stroke-width: 2; opacity: .6; }
.posterior { stroke: var(--accent); stroke-width: 6; stroke-linecap: round; opacity: .55; }
.value { fill: var(--accent); }
details { margin-top: 32px; }
summary { cursor: pointer; font-size: 18px; font-weight: 600; }
dt { font-weight: 600; margin-top: 10px; }
dd { margin: 0; max-width: 90ch; }
footer { color: var(--soft); font-size: 13px; padding-top: 32px; padding-bottom: 32px; }
@media print { .scroll { overflow: visible; } figure, .tile { break-inside: avoid; } }
)";

std::string replacement(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "?" : std::string(1, c);
  }
}

std::string cell(const char* tag, const HtmlColumn& column, const std::string& content, bool head) {
  std::string open = "<" + std::string{tag} +
                     (column.figure     ? " class=\"figure\""
                      : column.unbroken ? " class=\"unbroken\""
                                        : "");
  if (head && !column.details.empty()) open += " title=\"" + html_text(column.details) + "\"";
  return open + ">" + content + "</" + tag + ">";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string safe;
  for (const char c : text) safe += replacement(c);
  return safe;
}

std::string html_page(std::string_view title, const std::string& body, std::string_view footer) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<title>" +
         html_text(title) + "</title>\n<style>" + std::string{style_sheet} + "</style>\n</head>\n<body>\n<main>\n<h1>" +
         html_text(title) + "</h1>\n" + body + "</main>\n<footer>" + html_text(footer) +
         "</footer>\n</body>\n</html>\n";
}

std::string html_table(const std::vector<HtmlColumn>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const HtmlColumn& column : columns) html += cell("th", column, html_text(column.head), true);
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) html += cell("td", columns[i], row.at(i), false);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table></div>\n";
}

std::string html_section(std::string_view heading, std::string_view about, const std::string& content) {
  std::string html = "<section>\n<h2>" + html_text(heading) + "</h2>\n";
  if (!about.empty()) html += "<p class=\"soft\">" + html_text(about) + "</p>\n";
  return html + content + "</section>\n";
}

std::string html_folded(std::string_view heading, const std::string& content) {
  return "<details>\n<summary>" + html_text(heading) + "</summary>\n" + content + "</details>\n";
}

}  // namespace fleetcast::analysis
