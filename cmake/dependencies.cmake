# Third-party libraries, found once and under one name each. Layers name them in LINKS; why each: docs/dependencies.md
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)

find_package(fmt REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(KLU REQUIRED)
# OpenBLAS carries LAPACK; the serial build of it is in tools/packages.txt.
set(BLA_VENDOR OpenBLAS)
find_package(LAPACK REQUIRED)

# Used inside the library's sources only and header-only: whoever links the installed library does not need them.
set(DAEDALUS_HEADER_ONLY Eigen3::Eigen nlohmann_json::nlohmann_json CLI11::CLI11)
