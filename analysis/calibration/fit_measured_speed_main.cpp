// Makes models/calibration/measured_speed.json from a table of measured throughputs.
#include <exception>
#include <iostream>

#include "analysis/calibration/measured_speed_file.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"

int main(int count, char** arguments) {
  if (count != 4) {
    std::cerr << "usage: fleetcast_fit_measured_speed MEASURED.csv SUSPICIOUS.csv OUT.json\n";
    return 2;
  }
  try {
    fleetcast::analysis::write_measured_speed(arguments[1], arguments[2], fleetcast::scenarios::built_in_catalog(),
                                              arguments[3]);
    return 0;
  } catch (const fleetcast::models::OutputError& error) {
    std::cerr << error.what() << "\n";
    return 5;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
}
