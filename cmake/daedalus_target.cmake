# One function for every folder under src/: daedalus_layer(name LINKS …) makes the object library daedalus_<name>.
# Sources are globbed so that adding a method or a function touches no build file.

find_program(DAEDALUS_CCACHE ccache)
if(DAEDALUS_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # These allowances (and -fpch-preprocess in tests/) are what ccache asks for to cache compilations with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${DAEDALUS_CCACHE})
endif()

add_library(daedalus_flags INTERFACE)
target_include_directories(daedalus_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
# -ffp-contract=off: interpreter, compiled kernels and C++ residuals must round alike.
target_compile_options(daedalus_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -ffp-contract=off
  $<$<CONFIG:Release>:-O2>)
if(DAEDALUS_SANITIZE)
  target_compile_options(daedalus_flags INTERFACE -fsanitize=${DAEDALUS_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all -D_GLIBCXX_ASSERTIONS)
  target_link_options(daedalus_flags INTERFACE -fsanitize=${DAEDALUS_SANITIZE})
endif()
if(DAEDALUS_TIDY)
  find_program(DAEDALUS_CLANG_TIDY NAMES clang-tidy-14 clang-tidy REQUIRED)
  # -fopenmp and other flags that only g++ knows must not stop clang's front end.
  set(CMAKE_CXX_CLANG_TIDY ${DAEDALUS_CLANG_TIDY} --extra-arg=-Wno-unknown-warning-option --quiet)
endif()

set(DAEDALUS_LAYERS "" CACHE INTERNAL "object libraries that make up the library")
set(DAEDALUS_LINKS "" CACHE INTERNAL "third-party libraries that the layers use")

function(daedalus_layer name)
  cmake_parse_arguments(L "" "" "LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(daedalus_${name} OBJECT ${sources})
  target_link_libraries(daedalus_${name} PUBLIC daedalus_flags ${L_LINKS})
  list(FILTER L_LINKS EXCLUDE REGEX "^daedalus_")
  set(DAEDALUS_LAYERS ${DAEDALUS_LAYERS} daedalus_${name} CACHE INTERNAL "")
  set(DAEDALUS_LINKS ${DAEDALUS_LINKS} ${L_LINKS} CACHE INTERNAL "")
endfunction()
