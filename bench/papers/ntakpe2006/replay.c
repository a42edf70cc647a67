// SPDX-License-Identifier: Apache-2.0
// A schedule simulated by another program, such as tests/simgrid/replay_moldable.c: it is given the
// instance and the solution as files, and says "simulated SECONDS".
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "bench/run/process.h"

enum { PATH_SIZE = 512 };

typedef struct files {
    char folder[PATH_SIZE];
    char instance[PATH_SIZE + 16];
    char solution[PATH_SIZE + 16];
    char answer[PATH_SIZE + 16];
} files;

static duet_code create_files(files *f, duet_error *error)
{
    duet_code code = duet_process_folder("replay", f->folder, sizeof f->folder, error);
    snprintf(f->instance, sizeof f->instance, "%s/instance.json", f->folder);
    snprintf(f->solution, sizeof f->solution, "%s/solution.json", f->folder);
    snprintf(f->answer, sizeof f->answer, "%s/answer", f->folder);
    return code;
}

static void remove_files(const files *f)
{
    if (f->folder[0] != '\0') {
        unlink(f->instance);
        unlink(f->solution);
        unlink(f->answer);
        rmdir(f->folder);
    }
}

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
    files f = {.folder = ""};
    const char *const words[] = {program, f.instance, f.solution, NULL};
    duet_process process = {.words = words, .output = f.answer};
    *makespan = 0;
    duet_code code = create_files(&f, error);
    code = code == DUET_OK ? duet_write_instance(f.instance, "json", instance, error) : code;
    code = code == DUET_OK ? duet_write_solution(f.solution, instance, solution, error) : code;
    code = code == DUET_OK ? duet_process_run(&process, error) : code;
    if (code == DUET_OK && process.well) {
        *makespan = read_answer(f.answer);
    }
    remove_files(&f);
    return code;
}
