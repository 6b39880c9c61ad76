# What every target of ours shares. All of it is private: nothing here reaches a user's compile.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

# A newer compiler brings new warnings; they must not stop somebody's first build. So SWEEPDYN_WERROR acts
# with the compilers that CI runs, and elsewhere the warnings stay warnings.
set(sweepdyn_werror OFF)
if(SWEEPDYN_WERROR)
    if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
            OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 20))
        set(sweepdyn_werror ON)
    endif()
endif()

function(sweepdyn_target target)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow
        $<$<BOOL:${sweepdyn_werror}>:-Werror>
        # g++ 12 sees overlapping copies in "..." + std::string where there are none (GCC bug 105651).
        $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
        # __FILE__ and std::source_location name files from the repository's root, on every machine.
        "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
endfunction()

# A third of what a test costs to compile is reading the headers that all tests share: with SWEEPDYN_PRECOMPILE, as in the presets, they
# are read once. Not for the library and the command line: there a file that forgets an include must not compile.
function(sweepdyn_precompile target)
    if(SWEEPDYN_PRECOMPILE)
        target_precompile_headers(${target} ${ARGN})
        # What g++ 12 sees in std::string, as above, counts as ours when it was precompiled.
        target_compile_options(${target} PRIVATE
            $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow>)
    endif()
endfunction()
