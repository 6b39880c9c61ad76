# SUNDIALS 6, if it is there: adaptive and stiff integration (src/sim/sundials.cpp, src/sim/dae.cpp). Only these of its libraries are linked,
# by name, so that the installed package holds no path and asks for neither MPI nor OpenMP, as SUNDIALS' own package would.

option(SWEEPDYN_WITH_SUNDIALS "Adaptive and stiff integration, where SUNDIALS is found" ON)

function(sweepdyn_link_sundials target)
    find_path(SUNDIALS_INCLUDE_DIR sundials/sundials_config.h)
    mark_as_advanced(SUNDIALS_INCLUDE_DIR)
    set(version "")
    if(SUNDIALS_INCLUDE_DIR)
        file(STRINGS "${SUNDIALS_INCLUDE_DIR}/sundials/sundials_config.h" version REGEX "define SUNDIALS_VERSION_MAJOR 6$")
    endif()
    set(libraries "")
    foreach(name cvode arkode ida nvecserial sunmatrixdense sunlinsoldense)
        find_library(SUNDIALS_${name}_LIBRARY sundials_${name})
        mark_as_advanced(SUNDIALS_${name}_LIBRARY)
        if(NOT version OR NOT SUNDIALS_${name}_LIBRARY)
            message(STATUS "SUNDIALS 6 not found: no adaptive integration (Debian: libsundials-dev)")
            return()
        endif()
        list(APPEND libraries "$<BUILD_INTERFACE:${SUNDIALS_${name}_LIBRARY}>" "$<INSTALL_INTERFACE:sundials_${name}>")
    endforeach()
    target_include_directories(${target} PRIVATE "${SUNDIALS_INCLUDE_DIR}")
    target_link_libraries(${target} PRIVATE ${libraries})
    set_source_files_properties(
        "${PROJECT_SOURCE_DIR}/src/sim/sundials.cpp" "${PROJECT_SOURCE_DIR}/src/sim/dae.cpp" PROPERTIES
        COMPILE_DEFINITIONS SWEEPDYN_WITH_SUNDIALS)
endfunction()

if(SWEEPDYN_WITH_SUNDIALS)
    sweepdyn_link_sundials(sweepdyn)
endif()
