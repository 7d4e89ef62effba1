# Installs the program, the static library, the public headers and a package: find_package(daedalus) gives
# daedalus::daedalus.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/daedalus)

install(TARGETS daedalus_core EXPORT daedalus_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/daedalus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc")
if(TARGET daedalus_cli)
  install(TARGETS daedalus_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/daedalus FILES_MATCHING PATTERN "*.mo"
  PATTERN "*.mech" PATTERN "*.urdf" PATTERN "*.lagrange")

install(EXPORT daedalus_targets NAMESPACE daedalus:: DESTINATION ${package_dir})
configure_package_config_file(cmake/daedalus-config.cmake.in daedalus-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(daedalus-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/daedalus-config.cmake ${PROJECT_BINARY_DIR}/daedalus-config-version.cmake
  cmake/FindKLU.cmake DESTINATION ${package_dir})
