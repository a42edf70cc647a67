// SPDX-License-Identifier: Apache-2.0
// What `duet bench ratios` runs on every instance: algorithms, the choices of their options,
// bounds.
#include <stdio.h>
#include <string.h>

#include "bench/ratios/ratios.h"
#include "bench/run/args.h"
#include "core/system/assert.h"
#include "core/system/try.h"

static duet_ratios_algorithm *add(duet_ratios_settings *s, const char *name, duet_error *error)
{
    if (s->algorithm_count == DUET_RATIOS_MAX_ALGORITHMS) {
        duet_error_set(error, DUET_E_USAGE,
                       "-a: expected at most %d algorithms, options and bounds",
                       DUET_RATIOS_MAX_ALGORITHMS);
        return NULL;
    }
    duet_ratios_algorithm *added = &s->algorithm[s->algorithm_count++];
    *added = (duet_ratios_algorithm){.name = name};
    return added;
}

duet_code duet_ratios_add(duet_ratios_settings *settings, const char *name, duet_error *error)
{
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        if (strcmp(settings->algorithm[a].name, name) == 0) {
            return duet_error_set(error, DUET_E_USAGE, "-a: '%s' is given twice", name);
        }
    }
    return add(settings, name, error) == NULL ? error->code : DUET_OK;
}

duet_code duet_ratios_add_folder(duet_ratios_settings *settings, const char *folder,
                                 const char *name, duet_error *error)
{
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        if (strcmp(settings->algorithm[a].name, name) == 0) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--solutions: '%s' is the name of another folder or algorithm: "
                                  "expected one of its own",
                                  name);
        }
    }
    duet_ratios_algorithm *added = add(settings, name, error);
    if (added == NULL) {
        return error->code;
    }
    added->folder = folder;
    return DUET_OK;
}

static duet_code add_choice(duet_ratios_settings *s, const char *name, const char *option,
                            duet_error *error)
{
    duet_ratios_algorithm *added = add(s, name, error);
    if (added == NULL) {
        return error->code;
    }
    int length = snprintf(added->option, sizeof added->option, "%s", option);
    DUET_ASSERT(length >= 0 && (size_t)length < sizeof added->option);
    (void)length;
    // The paper's six-index table takes as long as all the others together.
    added->is_sparse = strcmp(option, "table=published") == 0;
    DUET_TRY(duet_options_create(&added->options, error));
    return duet_options_add(added->options, option, error);
}

// Every choice of an option but the default.
static duet_code add_choices(duet_ratios_settings *s, const char *name,
                             const duet_option_spec *spec, duet_error *error)
{
    duet_code code = DUET_OK;
    for (const char *at = spec->choices; *at != '\0' && code == DUET_OK;) {
        char option[DUET_RATIOS_OPTION];
        size_t length = strcspn(at, "|");
        bool fallback = strlen(spec->fallback) == length && memcmp(at, spec->fallback, length) == 0;
        snprintf(option, sizeof option, "%s=%.*s", spec->name, (int)length, at);
        code = fallback ? DUET_OK : add_choice(s, name, option, error);
        at += length + (at[length] == '|');
    }
    return code;
}

duet_code duet_ratios_add_variants(duet_ratios_settings *settings, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t algorithms = settings->each_option ? settings->algorithm_count : 0;
    for (size_t a = 0; a < algorithms; a++) {
        const char *name = settings->algorithm[a].name;
        const duet_algorithm *found =
            settings->algorithm[a].folder == NULL ? duet_bench_find_algorithm(name) : NULL;
        const duet_option_spec *options = found == NULL ? NULL : found->entry.options;
        for (const duet_option_spec *o = options; o != NULL && o->name != NULL; o++) {
            if (o->type == DUET_OPTION_CHOICE && code == DUET_OK) {
                code = add_choices(settings, name, o, error);
            }
        }
    }
    for (size_t b = 0; settings->bounds && b < duet_bound_count() && code == DUET_OK; b++) {
        duet_ratios_algorithm *added = add(settings, duet_bound_entry(b)->name, error);
        if (added == NULL) {
            return error->code;
        }
        added->is_bound = true;
        snprintf(added->option, sizeof added->option, "bound");
    }
    return code;
}

void duet_ratios_settings_free(duet_ratios_settings *settings)
{
    for (size_t a = 0; a < settings->algorithm_count; a++) {
        duet_options_free(settings->algorithm[a].options);
        settings->algorithm[a].options = NULL;
    }
}

const char *duet_ratios_option_text(const duet_ratios_settings *settings, size_t algorithm)
{
    const char *own = settings->algorithm[algorithm].option;
    if (settings->algorithm[algorithm].folder != NULL) {
        return "";
    }
    return own[0] != '\0' ? own : settings->option_text;
}

const duet_options *duet_ratios_options(const duet_ratios_settings *settings, size_t algorithm)
{
    const duet_options *own = settings->algorithm[algorithm].options;
    return own != NULL ? own : settings->options;
}

char *duet_ratios_label(const duet_ratios_settings *settings, size_t algorithm,
                        char buffer[DUET_RATIOS_LABEL])
{
    const duet_ratios_algorithm *a = &settings->algorithm[algorithm];
    snprintf(buffer, DUET_RATIOS_LABEL, "%s%s%s", a->name, a->option[0] == '\0' ? "" : " ",
             a->option);
    return buffer;
}
