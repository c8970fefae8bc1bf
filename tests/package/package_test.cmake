# Installs a build into a folder of its own, looks at what is there, and builds and runs the project `consumer` on it.
#   cmake -D build=... -D config=... -D version=... -D compiler=... -D launcher=... -D generator=... -P package_test.cmake
cmake_minimum_required(VERSION 3.25)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(work ${build}/tests/package)
set(prefix ${work}/installed)
file(REMOVE_RECURSE ${work})

# Runs a command, which must succeed; its standard output is left in `said`.
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "exit status ${status} of: ${ARGN}\n${out}\n${err}")
  endif()
  set(said "${out}" PARENT_SCOPE)
endfunction()

function(expect pattern)
  if(NOT said MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern} in:\n${said}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${prefix})
foreach(file bin/fleetcast include/fleetcast/sim/kernel/event_queue.hpp include/fleetcast/analysis/summary.hpp
        share/fleetcast/scenario.schema.json share/fleetcast/gallery/quickstart.json share/fleetcast/catalog/gpus.json)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

run(${prefix}/bin/fleetcast --version)
expect("^fleetcast ${version} \\(commit [0-9a-z]+, Boost [0-9.]+, HDF5 [0-9.]+\\)\n$")
run(${prefix}/bin/fleetcast run ${prefix}/share/fleetcast/gallery/quickstart.json --replicates 10 --quiet --json)
string(JSON expected GET "${said}" strategies 0 cost_usd mean)

# The headers and targets of the installation alone: nothing here names the sources.
run(${CMAKE_COMMAND} -S ${here}/consumer -B ${work}/consumer -G ${generator} -DCMAKE_BUILD_TYPE=${config}
    -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_CXX_COMPILER_LAUNCHER=${launcher})
run(${CMAKE_COMMAND} --build ${work}/consumer)
run(${work}/consumer/consumer ${prefix}/share/fleetcast/gallery/quickstart.json)
expect("^base: ([0-9.]+) USD\n")

# The program and the library give the same answer: the first ten digits, enough to tell any two trials apart.
string(REGEX REPLACE "^base: ([0-9.]+) USD.*" "\\1" computed "${said}")
string(SUBSTRING ${expected} 0 11 expected)
string(SUBSTRING ${computed} 0 11 computed)
if(NOT computed STREQUAL expected)
  message(FATAL_ERROR "the program says ${expected}, the library ${computed}")
endif()
