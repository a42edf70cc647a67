// SPDX-License-Identifier: Apache-2.0
#include "cli/report/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

static duet_code put_byte(duet_cli_text *text, char byte, duet_error *error)
{
    duet_code code = duet_grow(&text->chars, text->used, &text->capacity, 1, error);
    if (code == DUET_OK) {
        text->chars[text->used] = byte;
    }
    return code;
}

static duet_code put(duet_cli_text *text, const char *more, duet_error *error)
{
    for (; *more != '\0'; more++) {
        duet_code code = put_byte(text, *more, error);
        if (code != DUET_OK) {
            return code;
        }
        text->used++;
    }
    return put_byte(text, '\0', error);
}

// A value between what stands before and after it; nothing where it is empty.
static duet_code put_value(duet_cli_text *text, const char *before, const char *value,
                           const char *after, duet_error *error)
{
    if (value[0] == '\0') {
        return DUET_OK;
    }
    duet_code code = put(text, before, error);
    code = code == DUET_OK ? put(text, value, error) : code;
    return code == DUET_OK ? put(text, after, error) : code;
}

// Runs by rate are not measured; runs with several threads are others.
static duet_code name_series(const duet_cli_run_columns *run, duet_cli_text *text,
                             duet_error *error)
{
    const char *threads = strcmp(run->threads, "1") == 0 ? "" : run->threads;
    const char *how = strcmp(run->how, "measured") == 0 ? "" : run->how;
    text->used = 0;
    duet_code code = put(text, run->algorithm[0] != '\0' ? run->algorithm : "all runs", error);
    code = code == DUET_OK ? put_value(text, " ", run->options, "", error) : code;
    code = code == DUET_OK ? put_value(text, ", ", threads, " threads", error) : code;
    return code == DUET_OK ? put_value(text, ", ", how, "", error) : code;
}

static duet_code name_platform(const duet_cli_run_columns *run, duet_cli_text *text,
                               duet_error *error)
{
    char counts[64] = "";
    if (run->platform[0] == '\0' && run->cpus >= 0 && run->gpus >= 0) {
        snprintf(counts, sizeof counts, "%" PRId64 " cpu + %" PRId64 " gpu", run->cpus, run->gpus);
    }
    text->used = 0;
    return put(text, run->platform[0] != '\0' ? run->platform : counts, error);
}

// A file and an instance's own name count together: files of one name in two folders hold
// instances of one name.
static duet_code name_instance(const duet_cli_run_columns *run, const char *platform,
                               duet_cli_text *text, duet_error *error)
{
    const char *size = run->size[0] != '\0' ? run->size : run->tasks;
    text->used = 0;
    duet_code code = DUET_OK;
    if (run->instance[0] != '\0') {
        code = put(text, run->instance, error);
        code = code == DUET_OK ? put_value(text, " (", run->file, ")", error) : code;
    } else if (run->file[0] != '\0') {
        code = put(text, run->file, error);
    } else {
        code = put(text, run->family, error);
        code = code == DUET_OK ? put_value(text, "-", size, "", error) : code;
    }
    code = code == DUET_OK ? put_value(text, ", seed ", run->seed, "", error) : code;
    return code == DUET_OK ? put_value(text, " on ", platform, "", error) : code;
}

// What a table from elsewhere would call it: by its own name, or that of its file, without folder
// and ending.
static duet_code name_alias(const duet_cli_run_columns *run, const char *platform,
                            duet_cli_run_names *names, duet_error *error)
{
    duet_cli_text *text = &names->alias;
    const char *slash = strrchr(run->file, '/');
    text->used = 0;
    if (run->instance[0] == '\0' && run->file[0] == '\0') {
        return put(text, names->instance.chars, error);
    }
    duet_code code = put(text,
                         run->instance[0] != '\0' ? run->instance
                         : slash != NULL          ? slash + 1
                                                  : run->file,
                         error);
    char *dot = code == DUET_OK && run->instance[0] == '\0' ? strrchr(text->chars, '.') : NULL;
    if (dot != NULL && dot != text->chars) {
        *dot = '\0';
        text->used = (size_t)(dot - text->chars);
    }
    code = code == DUET_OK ? put_value(text, ", seed ", run->seed, "", error) : code;
    return code == DUET_OK ? put_value(text, " on ", platform, "", error) : code;
}

duet_code duet_cli_name_run(const duet_cli_run_columns *run, duet_cli_run_names *names,
                            duet_error *error)
{
    duet_code code = name_series(run, &names->series, error);
    code = code == DUET_OK ? name_platform(run, &names->platform, error) : code;
    code =
        code == DUET_OK ? name_instance(run, names->platform.chars, &names->instance, error) : code;
    return code == DUET_OK ? name_alias(run, names->platform.chars, names, error) : code;
}

void duet_cli_run_names_free(duet_cli_run_names *names)
{
    duet_free(names->series.chars);
    duet_free(names->platform.chars);
    duet_free(names->instance.chars);
    duet_free(names->alias.chars);
    *names = (duet_cli_run_names){0};
}
