# cmake --install: headers, library, command line, models, and the package that find_package(sweepdyn) reads.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sweepdyn")

install(TARGETS sweepdyn EXPORT sweepdyn-targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/sweepdyn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models/" DESTINATION "${CMAKE_INSTALL_DATADIR}/sweepdyn/models")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

if(TARGET sweepdyn_cli)
    install(TARGETS sweepdyn_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(EXPORT sweepdyn-targets NAMESPACE sweepdyn:: DESTINATION "${package_dir}")
configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/sweepdyn-config.cmake.in" "${PROJECT_BINARY_DIR}/sweepdyn-config.cmake"
    INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/sweepdyn-config-version.cmake"
    COMPATIBILITY SameMinorVersion) # while the version is 0.x; SameMajorVersion from 1.0
install(FILES
    "${PROJECT_BINARY_DIR}/sweepdyn-config.cmake" "${PROJECT_BINARY_DIR}/sweepdyn-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindLAPACKE.cmake" "${PROJECT_SOURCE_DIR}/cmake/FindMatio.cmake"
    DESTINATION "${package_dir}")
