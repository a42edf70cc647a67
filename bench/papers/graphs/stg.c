// SPDX-License-Identifier: Apache-2.0
// Files of the Standard Task Graph Set (Tobita, Kasahara, "A standard task graph set for fair
// evaluation of multiprocessor scheduling algorithms", J. Scheduling 5(5), 2002). They are not
// part of Duet: whoever has them names their folder.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/graphs/graphs.h"
#include "core/memory.h"

const char *const duet_stg_generator[DUET_STG_GENERATORS] = {"layrpred", "layrprob", "samepred",
                                                             "sameprob"};

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool is_stg(const char *name)
{
    static const char ending[] = ".stg";
    size_t length = strlen(name);
    size_t tail = sizeof ending - 1;
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static duet_code add_file(duet_graph_files *files, const char *folder, const char *name,
                          duet_error *error)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof((duet_graph_case *)NULL)->path) {
        return duet_error_set(error, DUET_E_USAGE, "--stg %.100s: expected a shorter path", folder);
    }
    duet_code code =
        duet_grow(&files->path, files->count, &files->capacity, sizeof *files->path, error);
    char *copy = code == DUET_OK ? duet_copy_string(path, error) : NULL;
    if (copy == NULL) {
        return DUET_E_MEMORY;
    }
    files->path[files->count++] = copy;
    return DUET_OK;
}

duet_code duet_graph_files_find(const char *folder, duet_graph_files *files, duet_error *error)
{
    *files = (duet_graph_files){.count = 0};
    if (folder == NULL) {
        return DUET_OK;
    }
    DIR *stream = opendir(folder);
    if (stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, folder, 0, 0, "cannot read the folder: %s",
                                 strerror(errno));
    }
    duet_code code = DUET_OK;
    for (const struct dirent *entry; code == DUET_OK && (entry = readdir(stream)) != NULL;) {
        code = is_stg(entry->d_name) ? add_file(files, folder, entry->d_name, error) : DUET_OK;
    }
    closedir(stream);
    if (code == DUET_OK && files->count == 0) {
        return duet_error_set_at(
            error, DUET_E_INPUT, folder, 0, 0,
            "no file *.stg: expected a folder with the 180 graphs of 300 tasks "
            "of the Standard Task Graph Set");
    }
    if (code == DUET_OK) {
        qsort(files->path, files->count, sizeof *files->path, by_name);
    }
    return code;
}

void duet_graph_files_free(duet_graph_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        duet_free(files->path[i]);
    }
    duet_free(files->path);
    *files = (duet_graph_files){.count = 0};
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
