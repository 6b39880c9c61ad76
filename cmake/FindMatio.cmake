# matio, which writes MAT-files: Matio::Matio.
find_path(Matio_INCLUDE_DIR matio.h)
find_library(Matio_LIBRARY NAMES matio)
mark_as_advanced(Matio_INCLUDE_DIR Matio_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Matio REQUIRED_VARS Matio_LIBRARY Matio_INCLUDE_DIR)
if(Matio_FOUND AND NOT TARGET Matio::Matio)
    add_library(Matio::Matio INTERFACE IMPORTED)
    target_include_directories(Matio::Matio INTERFACE "${Matio_INCLUDE_DIR}")
    target_link_libraries(Matio::Matio INTERFACE "${Matio_LIBRARY}")
endif()
