# SPDX-License-Identifier: Apache-2.0
# The manual and the reference. The pages are made by the command itself, which therefore has to run here.
if(NOT CMAKE_CROSSCOMPILING)
    set(man_folder ${PROJECT_BINARY_DIR}/man)
    file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/duet/*.h)
    add_custom_command(OUTPUT ${man_folder}/libduet.3
        COMMAND ${CMAKE_COMMAND} -DDUET=$<TARGET_FILE:duet> -DSOURCE=${PROJECT_SOURCE_DIR}
                -DOUT=${man_folder} -P ${PROJECT_SOURCE_DIR}/cmake/ManPages.cmake
        DEPENDS duet ${public_headers} docs/libduet.3.in cmake/ManPages.cmake
        COMMENT "Making the pages of the manual" VERBATIM)
    add_custom_target(manual ALL DEPENDS ${man_folder}/libduet.3)
endif()

# The reference of the headers, in reference/html of the build folder.
find_program(DOXYGEN doxygen)
mark_as_advanced(DOXYGEN)
if(DOXYGEN)
    file(READ docs/Doxyfile doxyfile)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/Doxyfile
         CONTENT "${doxyfile}\nOUTPUT_DIRECTORY = \"${PROJECT_BINARY_DIR}/reference\"\n" @ONLY)
    add_custom_target(reference
        COMMAND ${CMAKE_COMMAND} -E env DUET_VERSION=${PROJECT_VERSION}
                ${DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        COMMENT "Making the reference in ${PROJECT_BINARY_DIR}/reference/html" VERBATIM)
endif()

# The source of a release, from the last commit.
add_custom_target(dist
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/dist.sh ${PROJECT_BINARY_DIR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
