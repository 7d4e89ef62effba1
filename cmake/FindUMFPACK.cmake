# UMFPACK of SuiteSparse, which ships no CMake package in Debian 12: headers and the library that is loaded at run time.
include(FindPackageHandleStandardArgs)

find_path(UMFPACK_INCLUDE_DIR umfpack.h PATH_SUFFIXES suitesparse)
find_library(UMFPACK_LIBRARY umfpack)
mark_as_advanced(UMFPACK_INCLUDE_DIR UMFPACK_LIBRARY)
find_package_handle_standard_args(UMFPACK REQUIRED_VARS UMFPACK_LIBRARY UMFPACK_INCLUDE_DIR)
