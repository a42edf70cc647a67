# SPDX-License-Identifier: Apache-2.0
# cmake --install, in the parts that become packages (cmake/Package.cmake): library, command, dev (headers,
# CMake package, pkg-config file, examples), python and doc.
include(CMakePackageConfigHelpers)
set(DUET_INSTALL_PYTHONDIR lib/python3/dist-packages CACHE STRING
    "Where the Python module goes, below the prefix")

install(TARGETS duet_library EXPORT duet-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(DUET_WITH_STARPU)
    install(TARGETS duet_starpu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT starpu)
endif()

install(TARGETS duet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(PROGRAMS scripts/duet_check.py RENAME duet-check DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
install(FILES cli/completion/duet.bash RENAME duet
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
install(FILES cli/completion/_duet
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT command)
install(DIRECTORY bench/peers DESTINATION ${CMAKE_INSTALL_DATADIR}/duet COMPONENT command
        FILES_MATCHING PATTERN "*.py" PATTERN "*.txt" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY docs/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/duet COMPONENT command)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
# As they lie in the source, so that their links hold.
install(FILES README.md CHANGELOG.md CITATION.cff CONTRIBUTING.md LICENSE SECURITY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.schema.json" PATTERN "*.csv" PATTERN "*.bib")
install(FILES instances/data/kernel-timings.csv DESTINATION ${CMAKE_INSTALL_DOCDIR}/instances/data COMPONENT doc)
if(PROJECT_IS_TOP_LEVEL AND TARGET manual)
    foreach(section 1 7)
        install(DIRECTORY ${PROJECT_BINARY_DIR}/man/
                DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT command
                FILES_MATCHING PATTERN "*.${section}")
    endforeach()
    install(FILES ${PROJECT_BINARY_DIR}/man/libduet.3
            DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT dev OPTIONAL) # the target duet_library does not make it
endif()

install(DIRECTORY include/duet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev
        PATTERN "*.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)

# The CMake package and the pkg-config file. The latter's paths are relative to where it lies, so that the prefix chosen
# at installation counts. A shared library carries what it needs; a static one names it for those who link it.
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/duet)
set(private_needs "")
if(NOT BUILD_SHARED_LIBS)
    list(TRANSFORM DUET_STATIC_NEEDS REPLACE "^([^-].*)" "-l\\1" OUTPUT_VARIABLE flags)
    list(JOIN flags " " flags)
    set(private_needs "Libs.private: ${flags}\n")
    if(DUET_STATIC_GSL)
        string(APPEND private_needs "Requires.private: gsl\n")
    endif()
endif()
install(EXPORT duet-targets NAMESPACE duet:: DESTINATION ${package_dir} COMPONENT dev)
configure_package_config_file(cmake/duet-config.cmake.in ${PROJECT_BINARY_DIR}/duet-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/duet-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/duet-config.cmake ${PROJECT_BINARY_DIR}/duet-config-version.cmake
        DESTINATION ${package_dir} COMPONENT dev)
configure_file(cmake/duet.pc.in ${PROJECT_BINARY_DIR}/duet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/duet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

if(BUILD_SHARED_LIBS) # else it has nothing to load
    install(DIRECTORY python/duet DESTINATION ${DUET_INSTALL_PYTHONDIR} COMPONENT python
            PATTERN "__pycache__" EXCLUDE)
    install(FILES examples/python_solve.py examples/walkthrough.py examples/notebook.py
            DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT python)
endif()
