# SPDX-License-Identifier: Apache-2.0
# cmake --install: library, headers, command, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS duet_library EXPORT duet-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS duet RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/duet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/duet)
install(EXPORT duet-targets NAMESPACE duet:: DESTINATION ${package_dir})
configure_package_config_file(cmake/duet-config.cmake.in ${PROJECT_BINARY_DIR}/duet-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/duet-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/duet-config.cmake
              ${PROJECT_BINARY_DIR}/duet-config-version.cmake
        DESTINATION ${package_dir})

# Relative to where the file lies, so that the prefix chosen at installation counts.
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/duet.pc.in ${PROJECT_BINARY_DIR}/duet.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/duet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
