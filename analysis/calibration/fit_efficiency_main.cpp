// Makes models/calibration/efficiency.json from a table of measured throughputs.
#include <exception>
#include <fstream>
#include <iostream>

#include "analysis/calibration/efficiency_file.hpp"
#include "scenarios/catalog_reader.hpp"

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: fleetcast_fit_efficiency MEASURED.csv SUSPICIOUS.csv OUT.json\n";
    return 2;
  }
  try {
    const std::string text =
        fleetcast::analysis::efficiency_file(arguments[1], arguments[2], fleetcast::scenarios::built_in_catalog());
    std::ofstream file{arguments[3], std::ios::binary};
    file << text;
    file.close();
    if (file) return 0;
    std::cerr << arguments[3] << " could not be written\n";
    return 5;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
