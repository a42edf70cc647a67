// SPDX-License-Identifier: Apache-2.0
// What a run of a table is known by: names put together from several columns, held whole, since
// runs of one name are taken as one thing.
#include "cli/report/report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/system/path.h"
#include "core/system/try.h"

// Runs by rate are not measured; runs with several threads are others.
static duet_code name_series(const duet_cli_run_columns *run, duet_cli_text *text,
                             duet_error *error)
{
    const char *threads = strcmp(run->threads, "1") == 0 ? "" : run->threads;
    const char *how = strcmp(run->how, "measured") == 0 ? "" : run->how;
    text->used = 0;
    DUET_TRY(
        duet_cli_text_put(text, run->algorithm[0] != '\0' ? run->algorithm : "all runs", error));
    DUET_TRY(duet_cli_text_put_value(text, " ", run->options, "", error));
    DUET_TRY(duet_cli_text_put_value(text, ", ", threads, " threads", error));
    return duet_cli_text_put_value(text, ", ", how, "", error);
}

// Platforms that say the same in other words have one name.
static duet_code name_platform(const duet_cli_run_columns *run, duet_names *types,
                               duet_cli_text *text, duet_error *error)
{
    char counts[64] = "";
    if (run->platform[0] == '\0' && run->cpus >= 0 && run->gpus >= 0) {
        snprintf(counts, sizeof counts, "%" PRId64 "+%" PRId64, run->cpus, run->gpus);
    }
    return duet_cli_name_platform(run->platform[0] != '\0' ? run->platform : counts, types, text,
                                  error);
}

// Seed 0 says that nothing is random.
static duet_code put_seed(const duet_cli_run_columns *run, duet_cli_text *text, duet_error *error)
{
    return duet_cli_text_put_value(text, ", seed ", strcmp(run->seed, "0") == 0 ? "" : run->seed,
                                   "", error);
}

// Without the folder that any path may begin with.
static const char *plain_path(const char *path)
{
    while (strncmp(path, "./", 2) == 0) {
        path += 2 + strspn(path + 2, "/");
    }
    return path;
}

// A file and an instance's own name count together: files of one name in two folders hold
// instances of one name.
static duet_code put_instance(const duet_cli_run_columns *run, duet_cli_text *text,
                              duet_error *error)
{
    const char *size = run->size[0] != '\0' ? run->size : run->tasks;
    const char *file = plain_path(run->file);
    duet_code code = DUET_OK;
    if (run->instance[0] != '\0') {
        code = duet_cli_text_put(text, run->instance, error);
        DUET_THEN(code, duet_cli_text_put_value(text, " (", file, ")", error));
    } else if (file[0] != '\0') {
        code = duet_cli_text_put(text, file, error);
    } else {
        code = duet_cli_text_put(text, run->family, error);
        DUET_THEN(code, duet_cli_text_put_value(text, "-", size, "", error));
    }
    return code == DUET_OK ? put_seed(run, text, error) : code;
}

static duet_code name_instance(const duet_cli_run_columns *run, duet_cli_run_names *names,
                               duet_error *error)
{
    names->instance.used = 0;
    DUET_TRY(put_instance(run, &names->instance, error));
    return duet_cli_text_put_value(&names->instance, " on ", names->platform.chars, "", error);
}

// A label of the first `length` bytes of a name.
static duet_code add_label(const duet_cli_run_columns *run, const char *name, size_t length,
                           duet_cli_run_names *names, duet_error *error)
{
    if (length == 0) {
        return DUET_OK;
    }
    duet_cli_text *text = &names->label[names->labels++];
    text->used = 0;
    DUET_TRY(duet_cli_text_put_bytes(text, name, length, error));
    return put_seed(run, text, error);
}

// The name of a file without folder and ending.
static duet_code add_stem(const duet_cli_run_columns *run, const char *path,
                          duet_cli_run_names *names, duet_error *error)
{
    const char *name = duet_path_name(path);
    return add_label(run, name, duet_path_stem(name), names, error);
}

// Whether a name may be that of a file: it has a folder, or ends in a dot and letters.
static bool is_path(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strchr(name, '/') != NULL ||
           (dot != NULL && dot[1] != '\0' &&
            strspn(dot + 1, "abcdefghijklmnopqrstuvwxyz") == strlen(dot + 1));
}

// A benchmark of files has their paths in the column of the instance's name.
static duet_code name_labels(const duet_cli_run_columns *run, duet_cli_run_names *names,
                             duet_error *error)
{
    const char *file = plain_path(run->file);
    bool path = file[0] == '\0' && is_path(run->instance);
    const char *name = path ? plain_path(run->instance) : run->instance;
    names->labels = 0;
    names->label[0].used = 0;
    duet_code code = put_instance(run, &names->label[0], error);
    names->labels = 1;
    DUET_THEN(code, add_label(run, file, strlen(file), names, error));
    DUET_THEN(code, add_label(run, name, strlen(name), names, error));
    return code == DUET_OK ? add_stem(run, path ? name : file, names, error) : code;
}

duet_code duet_cli_name_run(const duet_cli_run_columns *run, duet_names *types,
                            duet_cli_run_names *names, duet_error *error)
{
    DUET_TRY(name_series(run, &names->series, error));
    DUET_TRY(name_platform(run, types, &names->platform, error));
    DUET_TRY(name_instance(run, names, error));
    return name_labels(run, names, error);
}

void duet_cli_run_names_free(duet_cli_run_names *names)
{
    duet_cli_text_free(&names->series);
    duet_cli_text_free(&names->platform);
    duet_cli_text_free(&names->instance);
    for (size_t i = 0; i < DUET_INSTANCE_LABELS; i++) {
        duet_cli_text_free(&names->label[i]);
    }
    *names = (duet_cli_run_names){0};
}
