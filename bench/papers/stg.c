// SPDX-License-Identifier: Apache-2.0
// Files of the Standard Task Graph Set (Tobita, Kasahara, "A standard task graph set for fair
// evaluation of multiprocessor scheduling algorithms", J. Scheduling 5(5), 2002). They are not
// part of Duet: whoever has them names their folder.
#include <errno.h>
#include <string.h>

#include "bench/papers/papers.h"
#include "core/system/try.h"

const char *const duet_stg_generator[DUET_STG_GENERATORS] = {"layrpred", "layrprob", "samepred",
                                                             "sameprob"};

static duet_code is_stg(const void *state, const char *path, bool *wanted, duet_error *error)
{
    const char *dot = strrchr(path, '.');
    *wanted = dot != NULL && strcmp(dot, ".stg") == 0;
    if (*wanted && strlen(path) >= sizeof((duet_paper_case *)NULL)->from) {
        return duet_error_set(error, DUET_E_USAGE, "--stg %.100s: expected a shorter path",
                              (const char *)state);
    }
    return DUET_OK;
}

duet_code duet_stg_find(const char *folder, duet_folder *files, duet_error *error)
{
    *files = (duet_folder){.count = 0};
    if (folder == NULL) {
        return DUET_OK;
    }
    DUET_TRY(duet_folder_read(folder, is_stg, folder, files, error));
    if (files->count == 0) {
        return duet_error_set_at(error, DUET_E_INPUT, folder, 0, 0,
                                 "no file *.stg: expected a folder with the 180 graphs of 300 "
                                 "or 1,002 tasks of the Standard Task Graph Set");
    }
    return DUET_OK;
}

duet_code duet_stg_generator_of(const char *path, size_t *generator, duet_error *error)
{
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0, "cannot read: %s",
                                 strerror(errno));
    }
    size_t found = DUET_STG_GENERATORS;
    char line[512];
    while (found == DUET_STG_GENERATORS && fgets(line, sizeof line, stream) != NULL) {
        for (size_t g = 0; g < DUET_STG_GENERATORS && line[0] == '#'; g++) {
            found = strstr(line, duet_stg_generator[g]) != NULL ? g : found;
        }
    }
    fclose(stream);
    *generator = found;
    return found < DUET_STG_GENERATORS
               ? DUET_OK
               : duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                   "no comment names the generator: expected layrpred, layrprob, "
                                   "samepred or sameprob, as in the set's files of 300 tasks");
}
