# SPDX-License-Identifier: Apache-2.0
# Run by the build: cmake -DDUET=COMMAND -DSOURCE=FOLDER -DOUT=FOLDER -P ManPages.cmake
# Every page that the command knows, from its own tables, and libduet.3 from the comments of the headers.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})

execute_process(COMMAND ${DUET} help --man OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" pages "${pages}")
foreach(page IN LISTS pages)
    execute_process(COMMAND ${DUET} help --man ${page} OUTPUT_FILE ${OUT}/${page}
                    COMMAND_ERROR_IS_FATAL ANY)
endforeach()

file(READ ${SOURCE}/include/duet/version.h text)
string(REGEX MATCH "DUET_VERSION_DATE \"([0-9-]+)\"" match "${text}")
set(DATE ${CMAKE_MATCH_1})
if(DEFINED ENV{SOURCE_DATE_EPOCH})
    string(TIMESTAMP DATE "%Y-%m-%d" UTC)
endif()
foreach(part MAJOR MINOR PATCH)
    string(REGEX MATCH "DUET_VERSION_${part} ([0-9]+)" match "${text}")
    list(APPEND VERSION ${CMAKE_MATCH_1})
endforeach()
list(JOIN VERSION "." VERSION)

# What would part a list of CMake's is kept as other characters in between.
string(ASCII 1 semicolon)
string(ASCII 2 open)
string(ASCII 3 close)

# A text of a header as roff: no comment signs, no line that begins with a request.
function(to_roff text result)
    string(REGEX REPLACE "(^|\n)///? ?" "\\1" text "${text}")
    string(REPLACE "\\" "\\e" text "${text}")
    string(REPLACE "-" "\\-" text "${text}")
    string(REPLACE "::" "" text "${text}")
    string(REGEX REPLACE "`" "" text "${text}")
    string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
    string(REPLACE "${semicolon}" ";" text "${text}")
    string(REPLACE "${open}" "[" text "${text}")
    string(REPLACE "${close}" "]" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

set(HEADERS "")
foreach(header instance graph moldable io generate params solve solution simulate bus size replan bound certificate check registry
        options custom report error allocator version)
    file(READ ${SOURCE}/include/duet/${header}.h text)
    string(REPLACE ";" "${semicolon}" text "${text}")
    string(REPLACE "[" "${open}" text "${text}")
    string(REPLACE "]" "${close}" text "${text}")
    string(APPEND HEADERS "\n.SH <duet/${header}.h>")
    string(REGEX MATCHALL "(///[^\n]*\n)+DUET_API [^${semicolon}]*${semicolon}" functions "${text}")
    foreach(function IN LISTS functions)
        string(FIND "${function}" "DUET_API " at)
        string(SUBSTRING "${function}" 0 ${at} words)
        string(SUBSTRING "${function}" ${at} -1 declaration)
        string(REGEX REPLACE "^DUET_API |\n *DUET_PRINTF[^\n]*\\)|${semicolon}$" "" declaration
               "${declaration}")
        string(REGEX REPLACE "[ \n]+" " " declaration "${declaration}")
        to_roff("${declaration}" declaration)
        string(STRIP "${words}" words)
        to_roff("${words}" words)
        string(APPEND HEADERS "\n.TP\n\\fB${declaration}\\fR\n${words}")
    endforeach()
endforeach()
configure_file(${SOURCE}/docs/libduet.3.in ${OUT}/libduet.3 @ONLY NEWLINE_STYLE UNIX)
