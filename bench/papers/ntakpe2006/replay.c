// SPDX-License-Identifier: Apache-2.0
// A schedule simulated by another program, such as tests/simgrid/replay_moldable.c: it is given the
// instance and the solution as files, and says "simulated SECONDS".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "bench/run/process.h"
#include "core/system/try.h"

// The files of a replay.
enum { INSTANCE, SOLUTION, ANSWER };
static const char *const names[DUET_PROCESS_FILES] = {"instance.json", "solution.json", "answer"};

// What stands behind "simulated", in ticks; 0: nothing does.
static int64_t read_answer(const char *path)
{
    static const double ticks = 1e6; // per second
    static const char word[] = "simulated ";
    char line[256];
    const char *at = NULL;
    FILE *file = fopen(path, "r");
    while (file != NULL && at == NULL && fgets(line, sizeof line, file) != NULL) {
        at = strstr(line, word); // behind what it says of itself
    }
    if (file != NULL) {
        fclose(file);
    }
    double seconds = at == NULL ? 0 : strtod(at + sizeof word - 1, NULL);
    return seconds > 0 && seconds < (double)DUET_MAX_WORK / ticks ? llround(seconds * ticks) : 0;
}

duet_code duet_ntakpe_replay(const char *program, const duet_instance *instance,
                             const duet_solution *solution, int64_t *makespan, duet_error *error)
{
    duet_process_files f = {.folder = ""};
    const char *const words[] = {program, f.path[INSTANCE], f.path[SOLUTION], NULL};
    duet_process process = {.words = words, .output = f.path[ANSWER]};
    *makespan = 0;
    duet_code code = duet_process_files_create("replay", names, &f, error);
    DUET_THEN(code, duet_write_instance(f.path[INSTANCE], "json", instance, error));
    code =
        code == DUET_OK ? duet_write_solution(f.path[SOLUTION], instance, solution, error) : code;
    DUET_THEN(code, duet_process_run(&process, error));
    if (code == DUET_OK && process.well) {
        *makespan = read_answer(f.path[ANSWER]);
    }
    duet_process_files_remove(&f);
    return code;
}
