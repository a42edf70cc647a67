// SPDX-License-Identifier: Apache-2.0
// The options of every reader of instances.
#include "instances/formats/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/registry.h>

#include "core/instance/clock.h"
#include "core/instance/moment.h"
#include "core/instance/unit.h"
#include "core/options.h"
#include "core/system/struct_size.h"
#include "core/system/try.h"
#include "instances/families/distribution.h"

const duet_option_spec *duet_reading_options(void)
{
    static const duet_option_spec options[] = {
        {"gpu", DUET_OPTION_TEXT, "", 0, 0, "", "",
         "of files with one time per task: a CPU takes so many times as long as a GPU; "
         "gamma:mean:sd:seed draws the factor for each kind of task"},
        {"latency", DUET_OPTION_TEXT, "", 0, 0, "", "",
         "of edges with data: time that they take whatever their size"},
        {"per-unit", DUET_OPTION_TEXT, "", 0, 0, "", "",
         "of edges with data: time per unit (byte) between two processors"},
        {"edges", DUET_OPTION_BOOLEAN, "true", 0, 0, "", "",
         "false: leave the edges out, so that tasks are independent"},
        {"data", DUET_OPTION_BOOLEAN, "true", 0, 0, "", "",
         "of StarPU's records: false: leave out what tasks hand to each other, so that edges cost "
         "nothing"},
        {"merge", DUET_OPTION_SHARE, "10%", 0, DUET_BILLION, "", "",
         "of StarPU's records: devices of one sort become one type where no times of theirs differ "
         "by more than so much of their mean"},
        {"merged", DUET_OPTION_CHOICE, "mean", 0, 0, "mean|least", "",
         "the times of such a type: the mean of its devices, or the least, as 'duet bound' has it"},
        {"sched", DUET_OPTION_CHOICE, "auto", 0, 0, "auto|types|nodes|strict", "",
         "of --trace F.rec: types gives each task a type and a priority, nodes a memory node of "
         "the "
         "type, strict a worker, its place there, and prefetches; auto: types or nodes, which the "
         "machine with a bus says"},
        {"time", DUET_OPTION_TEXT, "", 0, 0, "", "",
         "of graphs and workflows: the time of tasks that have none"},
        {"dates", DUET_OPTION_CHOICE, "clear", 0, 0, "clear|dmy|mdy", "",
         "of dates such as 3/4/2026: day or month first; clear refuses those that may be either"},
        {"ignore", DUET_OPTION_TEXT, "", 0, 0, "", "",
         "names of fields that are passed over, with commas between, such as release,cores"},
        {"mixed_sets", DUET_OPTION_BOOLEAN, "false", 0, 0, "", "",
         "of moldable tasks that follow laws: whether one may use processors of several types at "
         "once"},
        {0}};
    return options;
}

// --- values --------------------------------------------------------------------------------------

static duet_code refuse(const char *option, const char *expected, const char *text,
                        duet_error *error)
{
    return duet_error_set(error, DUET_E_USAGE, "option %s: expected %s, got '%s'", option, expected,
                          text);
}

static bool read_decimal(const char *text, size_t length, duet_long_decimal *value)
{
    return duet_decimal_read(text, length, &value->value, &value->tail) == DUET_DECIMAL_OK;
}

static const char *text_of(const duet_options *options, const char *name)
{
    return duet_option_text(options, duet_reading_options(), name);
}

static duet_code take_time(const duet_options *options, const char *name, duet_read_time *time,
                           duet_error *error)
{
    const char *text = text_of(options, name);
    duet_long_decimal value = {{0, 0}, DUET_DECIMAL_NO_TAIL};
    if (duet_option_given(options, name) && !read_decimal(text, strlen(text), &value)) {
        return refuse(name, "a number of at least 0", text, error);
    }
    *time = (duet_read_time){.value = value.value, .tail = value.tail};
    return DUET_OK;
}

// --- factors -------------------------------------------------------------------------------------

// "15" or "0.5" up to the next ':', which it takes; false where it is no number above 0.
static bool take_positive(const char **text, double *number)
{
    size_t length = strcspn(*text, ":");
    duet_long_decimal value;
    if (!read_decimal(*text, length, &value) || value.value.mantissa == 0) {
        return false;
    }
    *number = (double)value.value.mantissa * pow(10, -value.value.places);
    *text += length + ((*text)[length] == ':');
    return true;
}

// "15:15:1" behind "gamma:".
static duet_code take_gamma(const char *text, duet_reading *reading, duet_error *error)
{
    enum { most_digits = 19 };
    const char *at = text + strlen("gamma:");
    bool good = take_positive(&at, &reading->mean) && take_positive(&at, &reading->deviation);
    size_t digits = strspn(at, "0123456789");
    good = good && digits > 0 && digits <= most_digits && at[digits] == '\0';
    double variation = good ? reading->deviation / reading->mean : 0;
    if (!good || variation < 0.01 || variation > 10 || reading->mean > 1e9) {
        return refuse("gpu",
                      "gamma:mean:sd:seed with a mean of at most 10^9, a standard deviation of "
                      "0.01 to 10 times that, and a whole number as seed",
                      text, error);
    }
    duet_random_seed(&reading->random, strtoull(at, NULL, 10));
    reading->other = DUET_OTHER_DRAWN;
    return duet_distribution_check(DUET_GAMMA, error);
}

static duet_code take_factor(const duet_options *options, duet_reading *reading, duet_error *error)
{
    const char *text = text_of(options, "gpu");
    if (!duet_option_given(options, "gpu")) {
        return DUET_OK;
    }
    reading->other = DUET_OTHER_FACTOR;
    if (strncmp(text, "gamma:", strlen("gamma:")) == 0) {
        return take_gamma(text, reading, error);
    }
    if (!read_decimal(text, strlen(text), &reading->factor) ||
        reading->factor.value.mantissa == 0) {
        return refuse("gpu", "a number above 0 or gamma:mean:sd:seed", text, error);
    }
    return DUET_OK;
}

// The factor of the next kind. What is drawn has six decimal places, so that times of few places
// stay exact, and is at least 10^-6.
static duet_long_decimal next_factor(void *user)
{
    enum { places = 6 };
    duet_reading *reading = user;
    if (reading->other == DUET_OTHER_FACTOR) {
        return reading->factor;
    }
    double drawn =
        duet_gamma_quantile(reading->mean, reading->deviation, duet_random_unit(&reading->random));
    duet_decimal value = {(int64_t)(drawn * 1e6 + 0.5), places};
    value.mantissa += value.mantissa == 0;
    while (value.places > 0 && value.mantissa % 10 == 0) {
        value.mantissa /= 10;
        value.places--;
    }
    return (duet_long_decimal){value, DUET_DECIMAL_NO_TAIL};
}

// --- busy processors -----------------------------------------------------------------------------

static duet_code refuse_busy(const char *text, duet_error *error)
{
    return duet_error_set(
        error, DUET_E_USAGE,
        "busy processors: expected a time of at least 0 for each processor of a "
        "type, as in gpu=3,0, a length such as 1h20m, or with a start a day and a "
        "time, got '%.80s'",
        text);
}

// The seconds of a length such as "1h 20m", or from the start to a day and a time, which is in the
// zone of the start where it names none. False: it is neither, or before the start.
static bool read_seconds(const char *text, const duet_clock *start, duet_long_decimal *seconds)
{
    duet_clock clock;
    duet_read_time length = {.forbidden = false};
    if (!duet_clock_read(text, &clock)) {
        bool good = duet_duration_read(text, strlen(text), &length);
        *seconds = (duet_long_decimal){length.value, length.tail};
        return good;
    }
    if (!start->known || (clock.zone[0] != '\0' && start->zone[0] == '\0')) {
        return false;
    }
    const duet_decimal passed = {duet_clock_between(start, &clock), 0};
    *seconds = (duet_long_decimal){passed, DUET_DECIMAL_NO_TAIL};
    return passed.mantissa >= 0;
}

// Until when a processor is busy, in the unit of the instance.
static duet_code take_until(const char *text, size_t length, const duet_builder *builder,
                            duet_long_decimal *until, duet_error *error)
{
    char own[80];
    duet_unit unit;
    duet_long_decimal seconds;
    if (read_decimal(text, length, until)) {
        return DUET_OK;
    }
    snprintf(own, sizeof own, "%.*s", (int)(length < sizeof own ? length : 0), text);
    if (!read_seconds(own, duet_builder_start(builder), &seconds)) {
        return refuse_busy(text, error);
    }
    const char *name = duet_builder_time_unit(builder);
    if (name == NULL || !duet_unit_find(name, &unit)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "busy processors, '%.60s': expected a number, or --unit to "
                              "say " DUET_UNIT_NAMES ": no unit of time is known",
                              own);
    }
    return duet_unit_of_seconds(seconds, unit, until) ? DUET_OK : refuse_busy(text, error);
}

// The type whose name stands before "=", which *at moves behind.
static duet_code take_busy_type(const char **at, duet_builder *builder, bool *said, size_t *type,
                                duet_error *error)
{
    char name[256];
    size_t length = strcspn(*at, "=,");
    size_t types = duet_builder_types(builder);
    if ((*at)[length] != '=' || length >= sizeof name) {
        return refuse_busy(*at, error);
    }
    memcpy(name, *at, length);
    name[length] = '\0';
    *type = duet_builder_find_type(builder, name);
    if (*type == types) {
        return duet_error_set(error, DUET_E_USAGE,
                              "busy processors: no processor type '%.60s'; expected one of the "
                              "%zu types of the file, such as '%.60s'",
                              name, types, types == 0 ? "cpu" : duet_builder_type_name(builder, 0));
    }
    if (said[*type]) {
        return duet_error_set(error, DUET_E_USAGE,
                              "busy processors: type '%.60s' twice; expected all of its times "
                              "together, as in gpu=3,0",
                              name);
    }
    *at += length + 1;
    said[*type] = true;
    duet_builder_clear_busy(builder, *type);
    return DUET_OK;
}

// "gpu=3,0,cpu=2"
static duet_code take_busy(const char *text, duet_builder *builder, duet_error *error)
{
    size_t type = 0;
    bool said[DUET_MAX_TYPES] = {false};
    const char *at = text;
    do {
        size_t length = strcspn(at, ",");
        if (at == text || memchr(at, '=', length) != NULL) {
            DUET_TRY(take_busy_type(&at, builder, said, &type, error));
            length = strcspn(at, ",");
        }
        duet_long_decimal value;
        DUET_TRY(take_until(at, length, builder, &value, error));
        const duet_read_time until = {.value = value.value, .tail = value.tail};
        DUET_TRY(duet_builder_add_busy(builder, type, &until, error));
        at += length;
    } while (*at++ == ',');
    return DUET_OK;
}

// --- the whole -----------------------------------------------------------------------------------

enum { MOST_DIGITS = 18 }; // of any number that fits

duet_code duet_reading_limits(const duet_read_params *params, duet_read_params *known,
                              duet_context *limits, duet_memory_scope *scope, duet_error *error)
{
    const duet_read_params none = DUET_READ_PARAMS_INIT;
    duet_params started = DUET_PARAMS_INIT;
    duet_code code = DUET_OK;
    *known = none;
    *scope = (duet_memory_scope){.meter = NULL};
    if (params != NULL) {
        code = duet_struct_take(known, sizeof *known, DUET_SIZE_UNTIL(duet_read_params, user),
                                params, "duet_read_params", error);
    }
    if (code == DUET_OK && (known->digits < 0 || known->digits > MOST_DIGITS)) {
        code = duet_error_set(error, DUET_E_USAGE,
                              "duet_read_params: digits %d: expected 1 to %d, or 0 for all",
                              known->digits, MOST_DIGITS);
    }
    started.time_limit = known->time_limit;
    started.cancel = known->cancel;
    DUET_THEN(code, duet_context_init(limits, &started, error));
    return code == DUET_OK ? duet_memory_begin(scope, known->memory_limit, error) : code;
}

duet_code duet_reading_create(const duet_options *options, duet_reading *reading, duet_error *error)
{
    const duet_option_spec *table = duet_reading_options();
    *reading = (duet_reading){.transfer = false};
    DUET_TRY(duet_options_check(options, table, "reading", error));
    DUET_TRY(take_factor(options, reading, error));
    DUET_TRY(take_time(options, "latency", &reading->latency, error));
    DUET_TRY(take_time(options, "time", &reading->time, error));
    DUET_TRY(take_time(options, "per-unit", &reading->per_unit, error));
    reading->drop = !duet_option_boolean(options, table, "edges")  ? DUET_DROP_EDGES
                    : !duet_option_boolean(options, table, "data") ? DUET_DROP_DATA
                                                                   : DUET_DROP_NOTHING;
    reading->merge = duet_option_billionths(options, table, "merge");
    reading->merged = (duet_reading_merged)duet_option_choice(options, table, "merged");
    reading->sched = (duet_sched_form)duet_option_choice(options, table, "sched");
    reading->dates = (duet_date_order)duet_option_choice(options, table, "dates");
    reading->has_time = duet_option_given(options, "time");
    reading->ignored = duet_option_given(options, "ignore") ? text_of(options, "ignore") : NULL;
    if (duet_option_given(options, "mixed_sets")) {
        bool mixed = duet_option_boolean(options, table, "mixed_sets");
        reading->mixed_sets = mixed ? DUET_MIXED_YES : DUET_MIXED_NO;
    }
    reading->transfer =
        duet_option_given(options, "latency") || duet_option_given(options, "per-unit");
    return DUET_OK;
}

void duet_reading_begin(const duet_reading *reading, duet_builder *builder)
{
    if (reading->drop == DUET_DROP_EDGES) {
        duet_builder_drop_edges(builder);
    }
    duet_builder_set_sched(builder, reading->sched);
    if (reading->transfer) {
        duet_builder_set_uniform_transfer(builder, &reading->latency, &reading->per_unit);
    }
}

duet_code duet_reading_note(const duet_reading *reading, const duet_options *options, bool dated,
                            duet_builder *builder, duet_error *error)
{
    static const char no_data[] = "no edge says how much data it has";
    static const char no_records[] = "the file is none of StarPU's records";
    const struct {
        const char *name;
        bool used;
        const char *why;
    } asked[] = {{"latency", duet_builder_has_data(builder), no_data},
                 {"per-unit", duet_builder_has_data(builder), no_data},
                 {"edges", duet_builder_has_edges(builder), "there are no edges"},
                 {"data", reading->records, no_records},
                 {"merge", reading->records, no_records},
                 {"merged", reading->records, no_records},
                 {"dates", dated, "there are no dates"},
                 {"mixed_sets", duet_builder_is_moldable(builder), "no task is moldable"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        char notice[120];
        snprintf(notice, sizeof notice, "-O %s= is not used: %s", asked[i].name, asked[i].why);
        if (duet_option_given(options, asked[i].name) && !asked[i].used) {
            DUET_TRY(duet_builder_add_notice(builder, notice, error));
        }
    }
    return DUET_OK;
}

duet_code duet_reading_end(duet_reading *reading, duet_builder *builder, duet_error *error)
{
    if (reading->mixed_sets != DUET_MIXED_AS_SAID) {
        duet_builder_set_mixed_sets(builder, reading->mixed_sets == DUET_MIXED_YES);
    }
    if (reading->other != DUET_OTHER_NONE) {
        DUET_TRY(duet_builder_add_other_time(builder, next_factor, reading, error));
    }
    return reading->busy == NULL ? DUET_OK : take_busy(reading->busy, builder, error);
}
