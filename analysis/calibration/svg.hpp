#pragma once
// Elements of an inline SVG picture. Lengths are in pixels of the picture.
#include <string>
#include <string_view>

namespace fleetcast::analysis {

/// With two decimals at most, always with a point.
std::string svg_number(double value);

std::string svg_line(std::string_view css, double x1, double y1, double x2, double y2);
std::string svg_rectangle(std::string_view css, double x, double y, double width, double height,
                          std::string_view title = "");
std::string svg_circle(std::string_view css, double x, double y, double radius);
/// `anchor`: start, middle, end. `text` is escaped.
std::string svg_text(std::string_view text, double x, double y, std::string_view anchor);
/// Read from bottom to top.
std::string svg_text_upwards(std::string_view text, double x, double y);
/// The picture; `label` says to those who cannot see it what it shows.
std::string svg_picture(double width, double height, std::string_view label, const std::string& content);

}  // namespace fleetcast::analysis
