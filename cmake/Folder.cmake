# SPDX-License-Identifier: Apache-2.0
# duet_add_folder(TARGET [EXCEPT NAME...]): every C file of this folder and of those below it becomes part of TARGET.
function(duet_add_folder target)
    cmake_parse_arguments(PARSE_ARGV 1 folder "" "" "EXCEPT")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
    foreach(name IN LISTS folder_EXCEPT)
        list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${name})
    endforeach()
    target_sources(${target} PRIVATE ${sources})
endfunction()
