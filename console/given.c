// SPDX-License-Identifier: Apache-2.0
#include "console/given.h"

#include <stdio.h>
#include <string.h>

#include "console/given_time.h"
#include "console/platform.h"
#include "console/print.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/solution/finer.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

bool duet_cli_gives(const duet_cli_args *args)
{
    return args->now != NULL || args->fix != NULL || args->without != NULL;
}

// --- --without -----------------------------------------------------------------------------------

static duet_code refuse_without(const char *text, duet_error *error)
{
    return duet_error_set(error, DUET_E_USAGE,
                          "--without: expected processors by type, counted from 0, such as gpu=1 "
                          "or gpu=0,2,cpu=4-7, got '%.60s'",
                          text);
}

// A number below 2^31 of digits alone; *text goes behind it.
static bool read_number(const char **text, int32_t *number)
{
    int64_t value = 0;
    const char *at = *text;
    while (*at >= '0' && *at <= '9' && value <= INT32_MAX) {
        value = 10 * value + (*at++ - '0');
    }
    bool good = at > *text && value <= INT32_MAX;
    *number = (int32_t)value;
    *text = at;
    return good;
}

static duet_code read_type(const duet_instance *instance, const char **text, int32_t *type,
                           duet_error *error)
{
    size_t length = strcspn(*text, "=,");
    if ((*text)[length] != '=') {
        return DUET_OK;
    }
    for (size_t t = 0; t < instance->types; t++) {
        const char *name = instance->type_names[t];
        if (strlen(name) == length && strncmp(name, *text, length) == 0) {
            *type = (int32_t)t;
            *text += length + 1;
            return DUET_OK;
        }
    }
    char names[200];
    return duet_error_set(
        error, DUET_E_USAGE, "--without: no processor type '%.*s': expected one of %s",
        (int)duet_min(length, 60), *text, duet_cli_type_names(instance, names, sizeof names));
}

static duet_code read_without(const char *text, const duet_instance *instance,
                              duet_processor_range **list, size_t *count, duet_error *error)
{
    const char *all = text;
    int32_t type = -1;
    while (text != NULL && *text != '\0') {
        duet_processor_range range;
        DUET_TRY(read_type(instance, &text, &type, error));
        range.type = type;
        bool good = type >= 0 && read_number(&text, &range.first);
        range.last = range.first;
        if (good && *text == '-') {
            text++;
            good = read_number(&text, &range.last) && range.last >= range.first;
        }
        good = good && (*text == '\0' || (*text == ',' && text[1] != '\0'));
        if (!good) {
            return refuse_without(all, error);
        }
        if (range.last >= instance->processors[type]) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--without: no processor %d of type %s: expected 0 to %lld",
                                  (int)range.last, instance->type_names[type],
                                  (long long)instance->processors[type] - 1);
        }
        DUET_TRY(duet_vec_push(*list, *count, error, range));
        text += *text == ',';
    }
    return DUET_OK;
}

// --- ends ----------------------------------------------------------------------------------------

void duet_cli_note_end(const duet_cli_args *args, const char *why)
{
    if (!args->quiet) {
        duet_cli_print(stderr,
                       "duet: note: %s: %s: without --now this end is not used, and all tasks are "
                       "planned anew; --now T keeps what has run by then as it was\n",
                       args->start_from, why);
    }
}

// The first entry whose end is half a tick or more beside what its start and its time say.
static void note_ends(const duet_cli_args *args, const duet_instance *instance,
                      const duet_replan_desc *desc)
{
    bool found = false;
    for (size_t i = 0; i < desc->plans && !found; i++) {
        const duet_fix *entry = &desc->plan[i];
        int64_t end;
        if (entry->ranges == 0 || entry->start == DUET_FORBIDDEN || entry->end == DUET_FORBIDDEN) {
            continue;
        }
        size_t kind = duet_instance_kind_of(instance, entry->task);
        int64_t scale = duet_finer_scale(desc->finer);
        int64_t time = instance->moldable == NULL
                           ? duet_time(instance, kind, (size_t)entry->range[0].type)
                           : duet_moldable_duration(
                                 instance, kind, (duet_processor_set){entry->range, entry->ranges});
        found = time != DUET_FORBIDDEN && !__builtin_mul_overflow(time, scale, &end) &&
                !__builtin_add_overflow(end, entry->start, &end) &&
                (end - (scale + 1) / 2 >= entry->end || entry->end - (scale + 1) / 2 >= end);
        if (found) {
            char id[64];
            char text[32];
            char why[160];
            duet_instance_task_id(instance, entry->task, id, sizeof id);
            snprintf(why, sizeof why, "task '%s' ends at a wrong time; expected its start + %s", id,
                     duet_instance_format_time(instance, time, text));
            duet_cli_note_end(args, why);
        }
    }
}

// --- all of it -----------------------------------------------------------------------------------

typedef struct giving {
    const duet_cli_args *args;
    duet_fixes *plan, *fix;
    duet_fix *planned, *fixed; // in the ticks of the description
    duet_processor_range *without;
    duet_replan_desc desc;
} giving;

// An instant with up to nine places more than ticks; the fewest that it needs.
static duet_code read_now(const char *text, const duet_instance *instance, duet_int128 *now,
                          int *places, duet_error *error)
{
    duet_int128 unit = duet_finer_scale(DUET_FINER_PLACES);
    duet_decimal_fault fault = duet_decimal_read_finer(text, strlen(text), instance->decimals, now);
    if (fault == DUET_DECIMAL_SYNTAX) { // a length, or a day and a time
        duet_cli_given_time given;
        DUET_TRY(duet_cli_read_given_time("--now", text, instance, &given, error));
        *now = given.ticks * unit;
        fault = DUET_DECIMAL_OK;
    }
    if (fault == DUET_DECIMAL_OK && *now < 0) {
        fault = DUET_DECIMAL_NEGATIVE;
    }
    if (fault != DUET_DECIMAL_OK) {
        return duet_error_set(error, DUET_E_USAGE, "--now %.60s: expected %s", text,
                              duet_decimal_expected(fault));
    }
    for (*places = 0; *now % unit != 0; unit /= 10) {
        ++*places;
    }
    return DUET_OK;
}

static bool raise(int64_t *time, int64_t scale)
{
    return *time == DUET_FORBIDDEN || !__builtin_mul_overflow(*time, scale, time);
}

// Copies entries into finer ticks.
static duet_code copy_entries(const duet_fixes *from, int finer, duet_fix **to, size_t *count,
                              duet_error *error)
{
    int own = 0;
    const duet_fix *fix = from == NULL ? NULL : duet_fixes_entries(from, count, &own);
    *to = duet_alloc(*count, sizeof **to, error);
    DUET_NEED(*to);
    int64_t scale = duet_finer_scale(finer - own);
    for (size_t i = 0; i < *count; i++) {
        (*to)[i] = fix[i];
        if (!raise(&(*to)[i].start, scale) || !raise(&(*to)[i].end, scale)) {
            return duet_error_set(error, DUET_E_LIMIT, "a time is too long for finer ticks");
        }
    }
    return DUET_OK;
}

static duet_code read_all(giving *g, duet_instance *instance, duet_error *error)
{
    const duet_cli_args *args = g->args;
    duet_read_params params = DUET_READ_PARAMS_INIT;
    duet_int128 now = 0;
    size_t unused;
    int now_places = 0;
    int plan_places = 0;
    int fix_places = 0;
    params.time_limit = duet_cli_params_left(args).time_limit;
    if (args->start_from != NULL) {
        DUET_TRY(duet_read_fixes(args->start_from, &params, instance, &g->plan, error));
        (void)duet_fixes_entries(g->plan, &unused, &plan_places);
    }
    if (args->fix != NULL) {
        DUET_TRY(duet_read_fixes(args->fix, &params, instance, &g->fix, error));
        (void)duet_fixes_entries(g->fix, &unused, &fix_places);
    }
    DUET_TRY(duet_cli_require_platform(args->files[0], instance, error));
    if (args->now != NULL) {
        DUET_TRY(read_now(args->now, instance, &now, &now_places, error));
    }
    int finer = duet_max(plan_places, fix_places);
    finer = duet_max(now_places, finer);
    g->desc.finer = finer;
    if (args->now != NULL) {
        g->desc.now =
            (int64_t)(now / (duet_finer_scale(DUET_FINER_PLACES) / duet_finer_scale(finer)));
    }
    DUET_TRY(copy_entries(g->plan, finer, &g->planned, &g->desc.plans, error));
    DUET_TRY(copy_entries(g->fix, finer, &g->fixed, &g->desc.fixes, error));
    DUET_TRY(read_without(args->without, instance, &g->without, &g->desc.withouts, error));
    g->desc.plan = g->planned;
    g->desc.fix = g->fixed;
    g->desc.without = g->without;
    return DUET_OK;
}

// How many of the files are standard input.
static int count_dashes(const duet_cli_args *args)
{
    const char *const read[] = {args->file_count > 0 ? args->files[0] : NULL, args->start_from,
                                args->fix};
    int dashes = 0;
    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        dashes += read[i] != NULL && strcmp(read[i], "-") == 0;
    }
    return dashes;
}

duet_code duet_cli_give(const duet_cli_args *args, bool hints, duet_instance **instance,
                        duet_solution **plan, duet_error *error)
{
    giving g = {.args = args,
                .desc = {.struct_size = sizeof(duet_replan_desc), .now = DUET_FORBIDDEN}};
    duet_instance *made = NULL;
    if (args->now != NULL && args->start_from == NULL) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--now: expected --start-from, the plan that is under way");
    }
    if (count_dashes(args) > 1) {
        return duet_error_set(error, DUET_E_USAGE,
                              "expected at most one '-', standard input is read once");
    }
    if (args->start_from != NULL && args->now == NULL && !hints) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--start-from: expected --now; without it a plan is a hint for "
                              "'duet solve' alone");
    }
    if (!duet_cli_gives(args)) {
        return DUET_OK;
    }
    duet_code code = read_all(&g, *instance, error);
    if (code == DUET_OK && args->now == NULL && args->start_from != NULL) {
        note_ends(args, *instance, &g.desc);
    }
    DUET_THEN(code, duet_replan(*instance, &g.desc, &made, plan, error));
    if (code == DUET_OK) {
        duet_instance_free(*instance);
        *instance = made;
    }
    duet_fixes_free(g.plan);
    duet_fixes_free(g.fix);
    duet_free(g.planned);
    duet_free(g.fixed);
    duet_free(g.without);
    return code;
}
