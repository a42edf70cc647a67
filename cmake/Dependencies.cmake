# SPDX-License-Identifier: Apache-2.0
# Finds the libraries Duet builds on and gathers them in duet_dependencies; cairo, which one of the two shared
# libraries does without, in duet_cairo. Each optional one that is wanted and missing stops the configuration with the
# package to install and the option to turn off; where its option is AUTO, it is left out with a word.
# They are linked with, no more: what a part means to the compiler reaches only the files that name it (Folder.cmake),
# so that all others are compiled alike in every build. duet_parts names all parts that are there, but for cairo.

add_library(duet_dependencies INTERFACE)
add_library(duet_cairo INTERFACE)
add_library(duet_parts INTERFACE)
find_package(PkgConfig QUIET)
find_package(Threads REQUIRED)
target_link_libraries(duet_dependencies INTERFACE Threads::Threads m)

# Sets DUET_WITH_... of the caller to OFF where that was for us to find out.
macro(duet_missing name package)
    if(NOT DUET_WITH_${name} STREQUAL "AUTO")
        message(FATAL_ERROR "${name} was not found: install ${package}, "
                            "or configure with -DDUET_WITH_${name}=OFF (or AUTO: where it is there)")
    endif()
    message(STATUS "Left out: ${name} (${package})")
    set(DUET_WITH_${name} OFF)
endmacro()

# A library that pkg-config knows, for a target.
macro(duet_use_module name module package target)
    if(DUET_WITH_${name})
        if(PkgConfig_FOUND)
            pkg_check_modules(${name} QUIET IMPORTED_TARGET ${module})
        endif()
        if(${name}_FOUND)
            target_link_libraries(${target} INTERFACE $<LINK_ONLY:PkgConfig::${name}>)
        else()
            duet_missing(${name} ${package})
        endif()
    endif()
endmacro()

duet_use_module(GSL gsl "libgsl-dev and pkg-config" duet_dependencies)
duet_use_module(CAIRO cairo "libcairo2-dev and pkg-config" duet_cairo)

if(DUET_WITH_GLPK)
    find_path(GLPK_INCLUDE_DIR glpk.h)
    find_library(GLPK_LIBRARY glpk)
    if(NOT GLPK_INCLUDE_DIR OR NOT GLPK_LIBRARY)
        duet_missing(GLPK libglpk-dev)
    endif()
endif()
if(DUET_WITH_GLPK)
    target_link_libraries(duet_dependencies INTERFACE ${GLPK_LIBRARY})
endif()

# OpenBLAS is nothing to build with: `duet measure` opens what is there when it runs.
if(DUET_WITH_OPENBLAS)
    set(DUET_WITH_OPENBLAS ON) # AUTO, too
endif()

if(DUET_WITH_OPENMP)
    find_package(OpenMP COMPONENTS C)
    if(NOT OpenMP_C_FOUND)
        duet_missing(OPENMP "a compiler with OpenMP (GCC, or Clang with libomp-dev)")
    endif()
endif()
if(DUET_WITH_OPENMP)
    target_link_libraries(duet_dependencies INTERFACE $<LINK_ONLY:OpenMP::OpenMP_C>)
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

# What the compiler is told of each part, beside its name: options, and where headers are.
set(DUET_OPTIONS_OPENMP ${OpenMP_C_FLAGS})
set(DUET_HEADERS_GLPK ${GLPK_INCLUDE_DIR})
set(DUET_HEADERS_GSL ${GSL_INCLUDE_DIRS})
set(DUET_HEADERS_CAIRO ${CAIRO_INCLUDE_DIRS})
set(DUET_HEADERS_MPI ${MPI_C_INCLUDE_DIRS})
foreach(part GLPK GSL OPENBLAS OPENMP MPI)
    if(DUET_WITH_${part})
        target_compile_definitions(duet_parts INTERFACE DUET_WITH_${part})
    endif()
endforeach()
