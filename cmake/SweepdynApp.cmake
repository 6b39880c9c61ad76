# The command line, build/<preset>/bin/sweepdyn.
#
# It finds the shipped models from its own place, <directory of the executable>/SWEEPDYN_MODELS_FROM_BIN. The
# build tree has the same shape as an installed prefix, so one rule serves both and no absolute path enters the binary.

find_package(CLI11 REQUIRED)

file(GLOB app_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/sweepdyn/*.cpp")
add_executable(sweepdyn_cli ${app_sources})
sweepdyn_target(sweepdyn_cli)
target_link_libraries(sweepdyn_cli PRIVATE
    sweepdyn::sweepdyn CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)

file(RELATIVE_PATH models_from_bin
    "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_DATADIR}/sweepdyn/models")
file(RELATIVE_PATH lib_from_bin "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set_target_properties(sweepdyn_cli PROPERTIES
    OUTPUT_NAME sweepdyn
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
    INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
target_compile_definitions(sweepdyn_cli PRIVATE
    SWEEPDYN_VERSION="${PROJECT_VERSION}"
    SWEEPDYN_MODELS_FROM_BIN="${models_from_bin}")

get_filename_component(models_link "${PROJECT_BINARY_DIR}/bin/${models_from_bin}" ABSOLUTE)
get_filename_component(models_link_dir "${models_link}" DIRECTORY)
file(MAKE_DIRECTORY "${models_link_dir}")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/models" "${models_link}" SYMBOLIC)
