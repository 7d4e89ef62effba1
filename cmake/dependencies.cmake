# Third-party libraries, found once and under one name each. Layers name them in LINKS; why each: docs/dependencies.md
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)

find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(KLU REQUIRED)
# Under the GPL, unlike the rest: for a program that must not be, build without it.
option(DAEDALUS_UMFPACK "Use UMFPACK for matrices with heavy fill, if it is found" ON)
if(DAEDALUS_UMFPACK)
  find_package(UMFPACK)
endif()
# Machine code is made for x86-64 only; elsewhere tapes are interpreted.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  find_package(asmjit REQUIRED)
endif()
# OpenBLAS carries LAPACK; the serial build of it is in tools/packages.txt. Like UMFPACK it is loaded when it is needed.
set(BLA_VENDOR OpenBLAS)
find_package(LAPACK REQUIRED)

# The name under which a shared library is loaded at run time: its soname, or its file where there is none.
function(daedalus_soname libraries result)
  list(GET libraries 0 library)
  set(name ${library})
  if(CMAKE_OBJDUMP)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
    if(headers MATCHES "SONAME +([^ \n]+)")
      set(name ${CMAKE_MATCH_1})
    endif()
  endif()
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# Used inside the library's sources only and header-only: whoever links the installed library does not need them.
set(DAEDALUS_HEADER_ONLY Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11)
