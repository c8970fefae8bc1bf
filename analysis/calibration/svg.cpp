#include "analysis/calibration/svg.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "analysis/html_page.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

std::string attribute(std::string_view name, double value) {
  return " " + std::string{name} + "=\"" + svg_number(value) + "\"";
}

std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : " " + std::string{name} + "=\"" + html_text(value) + "\"";
}

}  // namespace

std::string svg_number(double value) {
  models::require(std::isfinite(value), "a place in a picture is finite");
  std::array<char, 400> text{};
  constexpr int decimals = 2;
  const double safe = std::abs(value) < 0.005 ? 0.0 : value;
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), safe, std::chars_format::fixed, decimals).ptr};
}

std::string svg_line(std::string_view css, double x1, double y1, double x2, double y2) {
  return "<line" + attribute("class", css) + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
         attribute("y2", y2) + "/>";
}

std::string svg_rectangle(std::string_view css, double x, double y, double width, double height,
                          std::string_view title) {
  const std::string open = "<rect" + attribute("class", css) + attribute("x", x) + attribute("y", y) +
                           attribute("width", width) + attribute("height", height);
  return title.empty() ? open + "/>" : open + "><title>" + html_text(title) + "</title></rect>";
}

std::string svg_circle(std::string_view css, double x, double y, double radius) {
  return "<circle" + attribute("class", css) + attribute("cx", x) + attribute("cy", y) + attribute("r", radius) + "/>";
}

std::string svg_text(std::string_view text, double x, double y, std::string_view anchor) {
  return "<text" + attribute("x", x) + attribute("y", y) + attribute("text-anchor", anchor) + ">" + html_text(text) +
         "</text>";
}

std::string svg_text_upwards(std::string_view text, double x, double y) {
  return "<text transform=\"translate(" + svg_number(x) + " " + svg_number(y) +
         ") rotate(-90)\" text-anchor=\"middle\">" + html_text(text) + "</text>";
}

std::string svg_picture(double width, double height, std::string_view label, const std::string& content) {
  return "<svg viewBox=\"0 0 " + svg_number(width) + " " + svg_number(height) + "\" role=\"img\"" +
         attribute("aria-label", label) + ">" + content + "</svg>";
}

}  // namespace fleetcast::analysis
