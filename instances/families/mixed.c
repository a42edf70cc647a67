// SPDX-License-Identifier: Apache-2.0
// Family mixed: every seed is a family of its own.
//
// Method: from the seed are drawn how many tasks and kinds there are, the platform, the
// distribution of the times on the first type, how those on each other type follow from them, how
// fine they are, their common divisors, and how many of them are forbidden. Options fix any of
// these and leave the others, and the numbers behind the times, as they were (drawn.h).
// All of it is integer arithmetic (fixed.h): the same on every machine.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/families/drawn.h"
#include "instances/families/shape.h"

enum { MOST_TYPES = 16, MOST_TASKS = 1000000, MOST_TICKS = 1000000, UNITS = 10, DRAWN = -1 };

static const duet_option_spec options[] = {
    {"types", DUET_OPTION_INTEGER, "0", 0, MOST_TYPES, NULL, "",
     "processor types; 0: as many as -m and -k give, else 2 to 5 are drawn"},
    {"n-min", DUET_OPTION_INTEGER, "5", 1, MOST_TASKS, NULL, "", "fewest tasks that are drawn"},
    {"n-max", DUET_OPTION_INTEGER, "1000", 1, MOST_TASKS, NULL, "", "most tasks that are drawn"},
    {"kinds", DUET_OPTION_INTEGER, "0", 0, MOST_TASKS, NULL, "",
     "distinct kinds of tasks; 0: drawn, 2 to as many as tasks"},
    {"distribution", DUET_OPTION_CHOICE, "drawn", 0, 0, "drawn|" DUET_SHAPE_CHOICES, "",
     "of the times on the first type, and on those with correlation none"},
    {"correlation", DUET_OPTION_CHOICE, "drawn", 0, 0, "drawn|" DUET_RELATION_CHOICES, "",
     "of the times on another type with those on the first"},
    {"ticks", DUET_OPTION_INTEGER, "0", 0, MOST_TICKS, NULL, "",
     "ticks of a tenth of a usual time; 0: drawn, 1 to 1000000"},
    {"divisor", DUET_OPTION_INTEGER, "0", 0, MOST_TICKS, NULL, "",
     "a common divisor of the times on each type; 0: drawn, 1 for most types"},
    {"forbidden", DUET_OPTION_INTEGER, "-1", DRAWN, 50, NULL, "%",
     "how many times are forbidden; -1: drawn, none for half of the seeds"},
    {NULL, DUET_OPTION_TEXT, NULL, 0, 0, NULL, NULL, NULL}};

// What has a stream of random numbers of its own; of those below TIMES one for each type.
enum { TYPES, TASKS, KINDS, TICKS, FORBIDDEN, COUNTS, COUNT, SHAPE, DIVISOR, TIMES, ALLOWED };

static duet_random stream(const duet_family_request *request, int choice, size_t type)
{
    return duet_drawn_stream(request, (uint64_t)choice * DUET_MAX_TYPES + type);
}

// The option, or what is drawn where it has its default.
static int64_t choose(const duet_family_request *request, const char *option, int64_t drawn)
{
    int64_t given = duet_family_integer(request, option);
    bool defaulted = given == (strcmp(option, "forbidden") == 0 ? DRAWN : 0);
    return defaulted ? drawn : given;
}

static duet_code draw_platform(duet_family_request *request, duet_error *error)
{
    enum { FEWEST_TYPES = 2, USUAL_TYPES = 5, MOST_CPUS = 64, MOST_GPUS = 8 };
    duet_random random = stream(request, TYPES, 0);
    int64_t drawn = duet_random_between(&random, FEWEST_TYPES, USUAL_TYPES);
    size_t given = request->types;
    request->types = (size_t)choose(request, "types", given > 0 ? (int64_t)given : drawn);
    if (request->types < FEWEST_TYPES || (given > FEWEST_TYPES && given != request->types)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "option types is %zu: expected 0 or 2 to 16, as many as -m and -k "
                              "give processors of",
                              request->types);
    }
    for (size_t t = 0; t < request->types; t++) {
        int64_t *count = t == 0   ? &request->cpus
                         : t == 1 ? &request->gpus
                                  : &request->further[t - 2];
        random = stream(request, COUNT, t);
        drawn = duet_drawn_magnitude(&random, 1, t == 0 ? MOST_CPUS : MOST_GPUS);
        *count = t >= given || *count < 0 ? drawn : *count;
    }
    return DUET_OK;
}

// A family, drawn.
typedef struct mixture {
    duet_family_request *request;
    int64_t kinds;
    int64_t ticks;
    int64_t forbidden; // percent
    duet_time_shape shape;
    duet_relation relation[MOST_TYPES]; // of each type but the first
    int64_t divisor[MOST_TYPES];
    // The times of the kinds.
    duet_fixed *first; // on the first type, in tenths of a usual time
    duet_fixed shortest, longest;
    int64_t *count;
} mixture;

static int64_t processors(const duet_family_request *request, size_t type)
{
    return type == 0 ? request->cpus : type == 1 ? request->gpus : request->further[type - 2];
}

static int64_t draw_divisor(const mixture *m, size_t type)
{
    enum { DIVIDED = 3, USUAL = UNITS / 2 };
    duet_random random = stream(m->request, DIVISOR, type);
    bool divided = duet_random_between(&random, 1, DIVIDED) == 1;
    int64_t drawn = duet_drawn_magnitude(&random, 1, m->ticks * USUAL);
    drawn = duet_min(drawn, MOST_TICKS);
    return choose(m->request, "divisor", divided ? drawn : 1);
}

static void draw_shapes(mixture *m)
{
    duet_family_request *request = m->request;
    for (size_t t = 0; t < request->types; t++) {
        duet_random random = stream(request, SHAPE, t);
        int own = duet_drawn_word(request, "distribution", &random, DUET_SHAPES);
        int relation = duet_drawn_word(request, "correlation", &random, DUET_RELATIONS);
        if (t == 0) {
            m->shape = duet_shape_draw(&random, (duet_shape_kind)own);
        } else {
            m->relation[t] =
                duet_relation_draw(&random, (duet_relation_kind)relation, (duet_shape_kind)own);
        }
        bool equal = t > 0 && m->relation[t].kind == DUET_RELATION_EQUAL;
        m->divisor[t] = equal ? m->divisor[0] : draw_divisor(m, t);
    }
}

static duet_code draw_choices(mixture *m, duet_error *error)
{
    enum { MOST_FORBIDDEN = 50 };
    duet_family_request *request = m->request;
    DUET_TRY(duet_family_check_range(request, "n-min", "n-max", error));
    duet_random random = stream(request, TASKS, 0);
    request->n = duet_drawn_tasks(request, &random);
    random = stream(request, KINDS, 0);
    bool distinct = duet_random_between(&random, 0, 1) == 0;
    int64_t drawn = duet_drawn_magnitude(&random, 2, duet_max(request->n, 2));
    m->kinds = choose(request, "kinds", distinct ? request->n : drawn);
    m->kinds = duet_min(m->kinds, request->n);
    random = stream(request, TICKS, 0);
    m->ticks = choose(request, "ticks", duet_drawn_magnitude(&random, 1, MOST_TICKS));
    random = stream(request, FORBIDDEN, 0);
    bool none = duet_random_between(&random, 0, 1) == 0;
    drawn = duet_random_between(&random, 1, MOST_FORBIDDEN);
    m->forbidden = choose(request, "forbidden", none ? 0 : drawn);
    draw_shapes(m);
    return DUET_OK;
}

// "mixed-100-7-gamma-range-none.peaks-k25-u1000-d3.1.1-f12": tasks and seed; the distribution on
// the first type; the correlation of each other type, with its distribution where it is its own;
// then kinds, ticks, common divisors and forbidden times where there is something to say.
static duet_code set_name(const mixture *m, duet_builder *builder, duet_error *error)
{
    char name[512] = "";
    const duet_family_request *request = m->request;
    duet_drawn_add_words(name, sizeof name, "mixed-%" PRId64 "-%" PRIu64 "-%s", request->n,
                         request->seed, duet_shape_names[m->shape.kind]);
    bool divided = m->divisor[0] > 1;
    for (size_t t = 1; t < request->types; t++) {
        const duet_relation *relation = &m->relation[t];
        bool own = relation->kind == DUET_RELATION_NONE;
        duet_drawn_add_words(name, sizeof name, "-%s%s%s", duet_relation_names[relation->kind],
                             own ? "." : "", own ? duet_shape_names[relation->shape.kind] : "");
        divided = divided || m->divisor[t] > 1;
    }
    if (m->kinds < request->n) {
        duet_drawn_add_words(name, sizeof name, "-k%" PRId64, m->kinds);
    }
    duet_drawn_add_words(name, sizeof name, "-u%" PRId64, m->ticks);
    for (size_t t = 0; divided && t < request->types; t++) {
        duet_drawn_add_words(name, sizeof name, "%s%" PRId64, t == 0 ? "-d" : ".", m->divisor[t]);
    }
    if (m->forbidden > 0) {
        duet_drawn_add_words(name, sizeof name, "-f%" PRId64, m->forbidden);
    }
    return duet_builder_set_name(builder, name, error);
}

// The kinds' times on the first type, and how many tasks each has: one, and what falls to it of
// the others.
static duet_code draw_kinds(mixture *m, duet_error *error)
{
    m->first = duet_alloc((size_t)m->kinds, sizeof *m->first, error);
    m->count = duet_alloc((size_t)m->kinds, sizeof *m->count, error);
    DUET_NEED(m->first != NULL && m->count != NULL);
    duet_random random = stream(m->request, TIMES, 0);
    for (int64_t i = 0; i < m->kinds; i++) {
        duet_fixed value = duet_shape_value(&m->shape, &random);
        m->first[i] = value;
        m->count[i] = 1;
        m->shortest = i == 0 || value < m->shortest ? value : m->shortest;
        m->longest = duet_max(value, m->longest);
    }
    random = stream(m->request, COUNTS, 0);
    for (int64_t j = m->kinds; j < m->request->n; j++) {
        m->count[duet_random_between(&random, 0, m->kinds - 1)]++;
    }
    return DUET_OK;
}

// In whole multiples of the divisor, at least one.
static int64_t in_ticks(const mixture *m, size_t type, duet_fixed value)
{
    int64_t divisor = m->divisor[type];
    duet_int128 scaled = (duet_int128)value * UNITS * m->ticks;
    duet_int128 step = (duet_int128)divisor * DUET_FIXED_ONE;
    int64_t multiples = (int64_t)((scaled + step / 2) / step);
    return multiples > 0 ? multiples * divisor : divisor;
}

// Forbids some of the times, never the one on a type that is drawn among those with processors.
static void forbid(const mixture *m, duet_random *random, duet_read_time *times)
{
    const duet_family_request *request = m->request;
    size_t kept;
    do {
        kept = (size_t)duet_random_between(random, 0, (int64_t)request->types - 1);
    } while (processors(request, kept) == 0);
    for (size_t t = 0; t < request->types; t++) {
        bool drawn = duet_random_between(random, 1, 100) <= m->forbidden;
        times[t].forbidden = drawn && t != kept;
    }
}

static duet_code add_kinds(const mixture *m, duet_builder *builder, duet_error *error)
{
    const duet_family_request *request = m->request;
    duet_random random[MOST_TYPES];
    duet_random allowed = stream(request, ALLOWED, 0);
    for (size_t t = 0; t < request->types; t++) {
        random[t] = stream(request, TIMES, t);
    }
    for (int64_t i = 0; i < m->kinds; i++) {
        char id[24];
        int length = snprintf(id, sizeof id, "t%" PRId64, i);
        duet_read_time times[MOST_TYPES];
        for (size_t t = 0; t < request->types; t++) {
            duet_fixed value = t == 0 ? m->first[i]
                                      : duet_relation_value(&m->relation[t], &random[t],
                                                            m->first[i], m->shortest, m->longest);
            times[t] = (duet_read_time){.value = {in_ticks(m, t, value), 0}};
        }
        forbid(m, &allowed, times);
        const duet_read_kind kind = {id, (size_t)length, m->count[i], times, request->types, 0, 0};
        DUET_TRY(duet_builder_add_kind(builder, &kind, error));
    }
    return DUET_OK;
}

static duet_code generate(duet_family_request *request, duet_builder *builder, duet_error *error)
{
    mixture m = {.request = request};
    duet_code code = draw_choices(&m, error);
    DUET_THEN(code, draw_kinds(&m, error));
    DUET_THEN(code, set_name(&m, builder, error));
    DUET_THEN(code, add_kinds(&m, builder, error));
    duet_free(m.first);
    duet_free(m.count);
    return code;
}

const duet_family duet_family_mixed = {
    .entry = {.name = "mixed",
              .summary = "another family for every seed: distributions, correlation, kinds, "
                         "granularity, forbidden types, size and platform are drawn",
              .reference = "",
              .options = options,
              .handles = DUET_FEATURE_ANY_TYPES},
    .fallback = 0,
    .maximum = MOST_TASKS,
    .generate = generate,
    .platform = draw_platform};
