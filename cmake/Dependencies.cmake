# SPDX-License-Identifier: Apache-2.0
# Finds the libraries Duet builds on and gathers them in duet_dependencies. Each optional one that is wanted and missing
# stops the configuration with the package to install and the option to turn off; where its option is AUTO, it is left
# out with a word. They are linked with, no more: what a part means to the compiler reaches only the files that name it
# (Folder.cmake), so that all others are compiled alike in every build.
# Who links an installed libduet.a needs the same: DUET_STATIC_NEEDS has names of libraries and flags of the linker,
# DUET_STATIC_GSL those of GSL, which pkg-config knows.

add_library(duet_dependencies INTERFACE)
find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)
target_link_libraries(duet_dependencies INTERFACE Threads::Threads m ${CMAKE_DL_LIBS})
set(DUET_STATIC_NEEDS -pthread m ${CMAKE_DL_LIBS})
set(DUET_STATIC_GSL "")

# Sets DUET_WITH_... of the caller to OFF where that was for us to find out.
macro(duet_missing name package)
    if(NOT DUET_WITH_${name} STREQUAL "AUTO")
        message(FATAL_ERROR "${name} was not found: install ${package}, "
                            "or configure with -DDUET_WITH_${name}=OFF (or AUTO: where it is there)")
    endif()
    message(STATUS "Left out: ${name} (${package})")
    set(DUET_WITH_${name} OFF)
endmacro()

if(DUET_WITH_GSL)
    if(PkgConfig_FOUND)
        pkg_check_modules(GSL QUIET IMPORTED_TARGET gsl)
    endif()
    if(NOT GSL_FOUND)
        duet_missing(GSL "libgsl-dev and pkg-config")
    endif()
endif()
if(DUET_WITH_GSL)
    target_link_libraries(duet_dependencies INTERFACE $<LINK_ONLY:PkgConfig::GSL>)
    set(DUET_STATIC_GSL gsl gslcblas)
endif()

if(DUET_WITH_GLPK)
    find_path(GLPK_INCLUDE_DIR glpk.h)
    find_library(GLPK_LIBRARY glpk)
    if(NOT GLPK_INCLUDE_DIR OR NOT GLPK_LIBRARY)
        duet_missing(GLPK libglpk-dev)
    endif()
endif()
if(DUET_WITH_GLPK)
    target_link_libraries(duet_dependencies INTERFACE ${GLPK_LIBRARY})
    list(PREPEND DUET_STATIC_NEEDS glpk)
endif()

# These are nothing to build with: what is there is opened when the command or the library runs (core/system/loader.h).
foreach(part CAIRO OPENBLAS ZLIB LZMA ZSTD)
    if(DUET_WITH_${part})
        set(DUET_WITH_${part} ON) # AUTO, too
    endif()
endforeach()

if(DUET_WITH_OPENMP)
    find_package(OpenMP COMPONENTS C)
    if(NOT OpenMP_C_FOUND)
        duet_missing(OPENMP "a compiler with OpenMP (GCC, or Clang with libomp-dev)")
    endif()
endif()
if(DUET_WITH_OPENMP)
    target_link_libraries(duet_dependencies INTERFACE $<LINK_ONLY:OpenMP::OpenMP_C>)
    list(PREPEND DUET_STATIC_NEEDS ${OpenMP_C_FLAGS})
endif()

# Only the harness uses it, and only where mpirun started the command: duet_bench links it. That adds
# 1.5 ms to the 8 ms of processor time that the command takes to start, which a module loaded on demand
# would not be worth.
if(DUET_WITH_MPI)
    find_package(MPI COMPONENTS C QUIET)
    if(NOT MPI_C_FOUND)
        duet_missing(MPI libopenmpi-dev)
    endif()
endif()

# The library knows nothing of it: libduet_starpu, a library beside it, uses both.
if(DUET_WITH_STARPU)
    if(PkgConfig_FOUND)
        pkg_search_module(STARPU QUIET IMPORTED_TARGET starpu-1.4 starpu-1.3)
    endif()
    if(NOT STARPU_FOUND)
        duet_missing(STARPU "libstarpu-dev and pkg-config")
    endif()
endif()

# What the compiler is told of each part, beside its name: options, and where headers are.
set(DUET_OPTIONS_OPENMP ${OpenMP_C_FLAGS})
set(DUET_HEADERS_GLPK ${GLPK_INCLUDE_DIR})
set(DUET_HEADERS_GSL ${GSL_INCLUDE_DIRS})
set(DUET_HEADERS_MPI ${MPI_C_INCLUDE_DIRS})

# The tests need two libraries more. Without them a build has none, but for one that asks for tests by ON.
if(DUET_BUILD_TESTS STREQUAL "AUTO" AND NOT PROJECT_IS_TOP_LEVEL)
    set(DUET_BUILD_TESTS OFF)
endif()
if(DUET_BUILD_TESTS)
    if(PkgConfig_FOUND)
        pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
        pkg_check_modules(JANSSON QUIET IMPORTED_TARGET jansson)
    endif()
    if(CMOCKA_FOUND AND JANSSON_FOUND)
        set(DUET_BUILD_TESTS ON)
    elseif(DUET_BUILD_TESTS STREQUAL "AUTO")
        message(STATUS "Left out: tests (libcmocka-dev, libjansson-dev and pkg-config)")
        set(DUET_BUILD_TESTS OFF)
    else()
        message(FATAL_ERROR "The tests need libcmocka-dev, libjansson-dev and pkg-config: install them, "
                            "or configure with -DDUET_BUILD_TESTS=OFF (or AUTO: where they are there)")
    endif()
endif()
