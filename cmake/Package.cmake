# SPDX-License-Identifier: Apache-2.0
# Debian packages: cpack -G DEB in the build folder. One per part of cmake/Install.cmake.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME duet)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR Duet)
set(CPACK_PACKAGE_CONTACT "Duet <duet@localhost>" CACHE STRING "Who maintains the packages")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "optimal or proven schedules for CPU+GPU machines")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library command dev python doc)
set(library_package libduet${PROJECT_VERSION_MAJOR})
set(library_needed "${library_package} (= ${PROJECT_VERSION})")
if(NOT BUILD_SHARED_LIBS) # libduet.a is part of dev, and the Python module has nothing to load
    list(REMOVE_ITEM CPACK_COMPONENTS_ALL library python)
    set(library_needed "")
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

function(duet_package component name section depends text)
    string(TOUPPER ${component} component)
    set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_SECTION ${section} PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_DESCRIPTION
"Given tasks, each with a time on each type of processor, Duet looks for the
schedule that ends first: of independent tasks, of task graphs, or of moldable
tasks. Every schedule comes with a lower bound, most with a certificate that a
small checker confirms.
.
This is the ${text}." PARENT_SCOPE)
endfunction()

duet_package(library ${library_package} libs "" "shared library")
duet_package(command duet science "" "command, with its manual and completion for bash and zsh")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "libcairo2, libopenblas0-serial | libblas.so.3, liblapack.so.3") # PNG and PDF; duet measure
duet_package(dev libduet-dev libdevel "${library_needed}"
             "part for programs that embed the library: headers and examples")
duet_package(python python3-duet python "python3:any, ${library_needed}"
             "Python module")
duet_package(doc duet-doc doc "" "documentation")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "python3:any") # what duet-check needs
set(CPACK_DEBIAN_DOC_PACKAGE_RECOMMENDS "libduet-dev, python3-duet") # the examples that it links to
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS libcairo2) # pictures as PNG and PDF
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)

# What the licence of the binaries is depends on what they are linked with.
set(copyleft "")
foreach(part GLPK GSL)
    if(DUET_WITH_${part})
        list(APPEND copyleft ${part})
    endif()
endforeach()
list(JOIN copyleft " and " copyleft)
set(binary_licence "")
if(copyleft)
    set(binary_licence "Comment: The programs and the library are linked with ${copyleft}, which are under
 the GNU General Public License, version 3 or later: as a whole, these binaries
 may be passed on under that licence alone, whose text is in
 /usr/share/common-licenses/GPL-3. A build without them (DUET_WITH_GLPK=OFF,
 DUET_WITH_GSL=OFF) is free of that.
")
endif()
file(STRINGS include/duet/version.h release_line REGEX "DUET_VERSION_DATE")
string(REGEX MATCH "[0-9]+-[0-9]+-[0-9]+" release_date "${release_line}")
configure_file(cmake/debian-copyright.in ${PROJECT_BINARY_DIR}/debian/copyright @ONLY)
set(at @)
configure_file(cmake/PackageFiles.cmake.in ${PROJECT_BINARY_DIR}/debian/PackageFiles.cmake @ONLY)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/debian/PackageFiles.cmake)
include(CPack)
