# KLU of SuiteSparse, which ships no CMake package in Debian 12: the target KLU::KLU.
include(FindPackageHandleStandardArgs)

find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
set(klu_parts "")
foreach(part amd colamd btf suitesparseconfig)
  find_library(KLU_${part}_LIBRARY ${part})
  list(APPEND klu_parts KLU_${part}_LIBRARY)
  mark_as_advanced(KLU_${part}_LIBRARY)
endforeach()
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_LIBRARY KLU_INCLUDE_DIR ${klu_parts})

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU UNKNOWN IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES IMPORTED_LOCATION ${KLU_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${KLU_INCLUDE_DIR})
  foreach(part IN LISTS klu_parts)
    set_property(TARGET KLU::KLU APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${${part}})
  endforeach()
endif()
