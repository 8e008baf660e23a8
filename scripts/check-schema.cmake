# cmake -DPROGRAM=... -DEXAMPLES=DIR -P check-schema.cmake
#
# Fails when what `limber schema` prints is not JSON, or when a key at the top of an example is not
# among the properties of the schema.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} schema OUTPUT_VARIABLE schema RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "`limber schema` ended with ${code}")
endif()

string(JSON count ERROR_VARIABLE mistake LENGTH "${schema}" properties)
if(mistake)
  message(FATAL_ERROR "The schema is not what it should be: ${mistake}")
endif()
set(known "")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  string(JSON key MEMBER "${schema}" properties ${i})
  list(APPEND known ${key})
endforeach()

file(GLOB examples ${EXAMPLES}/*/*.yaml)
if(NOT examples)
  message(FATAL_ERROR "No examples in ${EXAMPLES}")
endif()
foreach(example IN LISTS examples)
  file(STRINGS ${example} lines REGEX "^[A-Za-z_]+:")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ":.*" "" key "${line}")
    if(NOT key IN_LIST known)
      message(SEND_ERROR "${example}: the key '${key}' is not in the schema")
    endif()
  endforeach()
endforeach()
