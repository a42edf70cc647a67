# SPDX-License-Identifier: Apache-2.0
# In a build with DUET_TUNING, which debug builds are, the constants of all tuning.h become variables, so that
# `duet COMMAND --tuning NAME=VALUE` measures one without an edit. Each tuning.h gets a namesake in the build folder, found before it,
# which includes it and then lets every name stand for its variable.

# These keep their values: they are sizes of arrays, or stand in tables that the compiler fills.
set(DUET_TUNING_FIXED
    DUET_ALLOCATION_CLASSES DUET_BOUND_NODE_STEPS DUET_BOUND_PROGRAM_TASKS DUET_BOUND_ROOT_STEPS
    DUET_BOUND_SHAVED_TASKS DUET_BOUND_TIMED_TASKS DUET_BUS_WEIGHTS DUET_CHAINS_SPINE DUET_CHOOSE_CANDIDATES
    DUET_ENERGY_BATCH DUET_ENERGY_CANDIDATES DUET_ENERGY_THREADS DUET_EXACT_CACHE DUET_EXACT_FIRST_EFFORT DUET_EXACT_FIRST_FILL
    DUET_EXACT_PROOF_ALLOCATIONS DUET_EXACT_PROOF_NODES DUET_EXACT_PROOF_PATTERNS DUET_GRAPH_SEARCHES
    DUET_GRAPH_SEARCH_MOST_SEARCHES DUET_IDLE_PARTS DUET_PATTERNS_MOST_WORDS DUET_POOL_CANDIDATES
    DUET_POOL_CHOICES DUET_POOL_MOST_BANNED DUET_PSEUDOCOST_DEPTHS DUET_REFUTE_COLOCATED_TASKS
    DUET_REFUTE_SHIFTED_TASKS DUET_ROUND_ALLOCATIONS DUET_ROUND_DIVES DUET_ROUND_FAST_GROWTH DUET_ROUND_GROWTH
    DUET_ROUND_MOST DUET_ROUND_NODES DUET_ROUND_PACK DUET_ROUND_PATTERNS DUET_SUBPROBLEM_LARGEST_GRAPH
    DUET_SUBPROBLEM_LEAST_GRAPH DUET_SUBPROBLEM_LEAST_TASKS DUET_SUBPROBLEM_TASKS DUET_SUBPROBLEM_WORK
    DUET_SWEEP_TASKS)

# Sets `names` to the constants that a header defines and that may change.
function(duet_tuned_names header)
    file(READ ${header} text)
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX MATCHALL "DUET_[A-Z0-9_]+ =[ \n]|#define DUET_[A-Z0-9_]+ " found "${text}")
    list(TRANSFORM found REPLACE "#define | =[ \n]| " "")
    list(REMOVE_ITEM found ${DUET_TUNING_FIXED})
    set(names ${found} PARENT_SCOPE)
endfunction()

# duet_tune(TARGET FLAGS): writes the namesakes, which all targets that use FLAGS see, and the table of variables, which joins TARGET.
function(duet_tune target flags)
    set(folder ${PROJECT_BINARY_DIR}/tuned)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/heuristics/tuning.h
         ${PROJECT_SOURCE_DIR}/lp/tuning.h ${PROJECT_SOURCE_DIR}/solvers/tuning.h)
    set(includes "")
    set(variables "")
    set(rows "")
    foreach(header IN LISTS headers)
        set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
        duet_tuned_names(${PROJECT_SOURCE_DIR}/${header})
        string(APPEND includes "#include \"${PROJECT_SOURCE_DIR}/${header}\"\n")
        set(declared "")
        set(replaced "")
        foreach(name IN LISTS names)
            string(APPEND declared "extern __typeof__(${name}) duet_tuned_${name};\n")
            string(APPEND replaced "#undef ${name}\n#define ${name} duet_tuned_${name}\n")
            string(APPEND variables "__typeof__(${name}) duet_tuned_${name} = ${name};\n")
            string(APPEND rows "    {\"${name}\", KIND(duet_tuned_${name}), &duet_tuned_${name}},\n")
        endforeach()
        file(CONFIGURE OUTPUT ${folder}/${header} @ONLY CONTENT
"#include \"${PROJECT_SOURCE_DIR}/${header}\"
#ifndef DUET_TUNED
${declared}${replaced}#endif
")
    endforeach()
    file(CONFIGURE OUTPUT ${folder}/tuned.c @ONLY CONTENT
"#define DUET_TUNED
${includes}#include \"core/system/tuned.h\"
${variables}
#define KIND(variable) _Generic(variable, double: DUET_TUNED_REAL, int64_t: DUET_TUNED_LONG, uint64_t: DUET_TUNED_LONG, default: DUET_TUNED_INT)
const duet_tuned_constant duet_tuned_constants[] = {
${rows}    {NULL, DUET_TUNED_INT, NULL}};
")
    target_sources(${target} PRIVATE ${folder}/tuned.c)
    set_source_files_properties(${folder}/tuned.c TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS -w)
    target_include_directories(${flags} BEFORE INTERFACE ${folder})
    # A constant that fits a smaller type needs no word; a variable would.
    target_compile_options(${flags} INTERFACE -Wno-conversion -Wno-sign-conversion -Wno-sign-compare)
    target_compile_definitions(${flags} INTERFACE DUET_TUNING)
endfunction()
