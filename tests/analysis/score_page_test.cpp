#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "analysis/calibration/score_html.hpp"
#include "analysis/html_page.hpp"
#include "made_up_score.hpp"

using namespace fleetcast::analysis;

namespace {

const std::set<std::string> void_elements{"meta", "br", "!DOCTYPE"};

/// What is wrong with the nesting of the elements, "" if nothing is. Knows as much HTML as our pages use.
std::string fault_of(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag is not closed";
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" \n/", tag.starts_with('/') ? 1 : 0));
    if (tag.find('<') != std::string::npos) return "a < inside <" + tag;
    if (tag.ends_with('/') || void_elements.contains(name)) continue;
    if (!name.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return "<" + name + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " stays open";
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool contains(const std::string& text, const std::string& part) {
  return count(text, part) > 0;
}

/// Names with everything that could break a page.
Score awkward_score() {
  Score score = made_up::score({0.05, -0.2, 0.4});
  score.scored[0].id = "<script>alert(1)</script>";
  score.scored[0].source = "\"quoted\" & 'single' </title>";
  score.scored[1].kind = "moe \"><b>";
  score.scored[1].grade = fleetcast::models::Grade::extrapolated;
  score.scored[2].unit = "samples/s/GPU";
  score.about = "1 < 2 && 3 > 2\x1b";
  made_up::skip(score, "<i>", "<b>no shape");
  return score;
}

}  // namespace

TEST_CASE("The check of pages notices what is wrong with one") {
  CHECK(fault_of("<p class=\"a\">x<br>y</p><svg><line/></svg>").empty());
  for (const char* broken : {"<p>", "</p>", "<p><b></p></b>", "<p", "<p title=\"<b\">x</p>"})
    CHECK_FALSE(fault_of(broken).empty());
}

TEST_CASE("Pages are well-formed whatever the names of rows, and nothing of them becomes markup") {
  const std::string page = score_html(awkward_score(), "from <here>");
  CHECK(fault_of(page) == "");
  CHECK_FALSE(contains(page, "<script"));
  CHECK_FALSE(contains(page, "<b>no shape"));
  CHECK_FALSE(contains(page, "\x1b"));
  CHECK(contains(page, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  CHECK(contains(page, "from &lt;here&gt;"));
  CHECK(fault_of(calibration_html(made_up::calibration(), "x")) == "");
}

TEST_CASE("A page needs nothing from elsewhere and has no not-a-number in it") {
  for (const std::string& page : {score_html(awkward_score(), "x"), calibration_html(made_up::calibration(), "x")}) {
    for (const char* part : {"http://", "https://", "url(", "@import", "src=", "href=", "nan", "inf\"", "-inf"})
      CHECK_MESSAGE(!contains(page, part), part);
    CHECK(contains(page, "prefers-color-scheme: dark"));
  }
}

TEST_CASE("A page has a point for every row, a picture for every unit, and hollow points for what is extrapolated") {
  const std::string page = score_html(awkward_score(), "x");
  CHECK(count(page, "<g class=\"point") == 3);
  CHECK(count(page, "measured, tokens/s/GPU</text>") == 1);
  CHECK(count(page, "measured, samples/s/GPU</text>") == 1);
  CHECK(count(page, " hollow") == 1);
  CHECK(contains(page, "All 3 rows"));
  CHECK(contains(page, "histogram of the relative errors"));
}

TEST_CASE("The page of a score without rows says so and has no picture") {
  Score score = made_up::score({});
  made_up::skip(score, "s1", "no shape");
  const std::string page = score_html(score, "x");
  CHECK(fault_of(page) == "");
  CHECK(contains(page, "Nothing could be predicted"));
  CHECK(contains(page, "no shape"));
  CHECK_FALSE(contains(page, "<svg"));
}

TEST_CASE("The page of a calibration shows every parameter before and after the fit") {
  const std::string page = calibration_html(made_up::calibration(), "x");
  CHECK(count(page, "class=\"prior\"") == 2);
  CHECK(count(page, "class=\"posterior\"") == 1);  // the other is fixed
  for (const char* part : {"bytes per weight", "nothing (the fit itself)", "FP8 over BF16", "whole source left out"})
    CHECK_MESSAGE(contains(page, part), part);
}
