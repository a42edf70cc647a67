// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/hands.h"

#include <string.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/beside.h"

struct duet_types_hands {
    duet_context context;
    struct hand {
        bool made;
        bool called; // since `s` learned from it
        duet_exact exact;
        duet_types types;
    } seat[DUET_PARTS]; // the first is empty
};

// The patterns of a program go over to another one of the same classes.
static duet_code copy_patterns(const duet_generation *from, duet_generation *to, duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t i = 0; i < duet_configuration_patterns(from) && code == DUET_OK; i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(from, i);
        size_t index;
        code = duet_generation_add(to, pattern.type, pattern.part, pattern.parts, &index, error);
    }
    return code;
}

static duet_code create_program(const duet_types *s, duet_types *out, duet_error *error)
{
    duet_code code = duet_generation_create(&out->classes, out->divisible, &out->program, error);
    for (size_t i = 0; i < duet_generation_counts(s->program) && code == DUET_OK; i++) {
        const duet_branching_row *row = &duet_generation_rows(s->program)[2 * i];
        code = duet_generation_count(out->program, row->type, row->time, row->release, error);
    }
    return code == DUET_OK ? copy_patterns(s->program, out->program, error) : code;
}

static duet_code copy_state(const duet_types *s, duet_types *out, duet_error *error)
{
    size_t types = s->classes.types;
    size_t counts = s->program == NULL ? 0 : duet_generation_counts(s->program);
    out->leading = s->leading;
    DUET_TRY(duet_types_create_state(out, s->classes.guess, error));
    out->gain = duet_alloc(counts, sizeof *out->gain, error);
    DUET_NEED(out->gain);
    memcpy(out->divisible, s->divisible, types * sizeof *out->divisible);
    return s->program == NULL ? DUET_OK : create_program(s, out, error);
}

static duet_code create_hand(duet_types *s, struct hand *hand, duet_error *error)
{
    hand->made = true;
    hand->types.exact = &hand->exact;
    duet_code code = duet_exact_create_beside(s->exact, &s->hands->context, &hand->exact, error);
    return code == DUET_OK ? copy_state(s, &hand->types, error) : code;
}

static duet_code create_hands(duet_types *s, duet_error *error)
{
    s->hands = duet_alloc(1, sizeof *s->hands, error);
    return s->hands == NULL ? DUET_E_MEMORY : DUET_OK;
}

duet_code duet_types_hand(duet_types *s, size_t seat, duet_types **out, duet_error *error)
{
    *out = s;
    if (seat == 0) {
        return DUET_OK;
    }
    duet_code code = s->hands == NULL ? create_hands(s, error) : DUET_OK;
    if (code != DUET_OK) {
        return code;
    }
    s->hands->context = *s->exact->context;
    s->hands->context.progress = NULL; // the caller expects one thread's calls
    struct hand *hand = &s->hands->seat[seat];
    if (!hand->made) {
        code = create_hand(s, hand, error);
    }
    if (code == DUET_OK && !hand->called) {
        hand->called = true;
        code = duet_exact_follow(&hand->exact, s->exact, error);
    }
    *out = &hand->types;
    return code;
}

void duet_types_learn(duet_types *s, size_t last)
{
    for (size_t i = 1; i < DUET_PARTS && s->hands != NULL; i++) {
        struct hand *hand = &s->hands->seat[i];
        if (hand->called && i <= last) {
            duet_exact_learn(s->exact, &hand->exact);
        }
        hand->called = false;
    }
}

void duet_types_free_hands(duet_types *s)
{
    for (size_t i = 1; i < DUET_PARTS && s->hands != NULL; i++) {
        struct hand *hand = &s->hands->seat[i];
        if (hand->made) {
            duet_types_free(&hand->types);
            duet_exact_free_beside(&hand->exact);
        }
    }
    duet_free(s->hands);
    s->hands = NULL;
}

// A job under way.
typedef struct crew {
    duet_types_job *job;
    duet_succession series;
    duet_types_share at[DUET_PARTS];
    duet_code code[DUET_PARTS];
    duet_error error[DUET_PARTS];
} crew;

static bool do_share(void *of, size_t i)
{
    crew *c = of;
    c->code[i] = c->job(&c->at[i], &c->error[i]);
    return c->code[i] != DUET_OK || duet_exact_is_closed(c->at[i].types->exact);
}

// Each hand has its own schedules and tables: with very many tasks one has to do.
static size_t count_shares(const duet_types *s, int64_t effort, int64_t least)
{
    int64_t most = s->exact->best->tasks <= DUET_LEVEL_MOST_TASKS ? DUET_PARTS : 1;
    int64_t count = duet_min(effort / least, most);
    return (size_t)duet_max(count, 1);
}

duet_code duet_types_together(duet_types *s, int64_t effort, int64_t least, duet_types_job *job,
                              duet_error *error)
{
    crew c = {.job = job};
    size_t count = count_shares(s, effort, least);
    for (size_t i = 0; i < count; i++) {
        int64_t own = effort / (int64_t)(count - i);
        c.at[i] = (duet_types_share){.seat = i, .effort = own, .series = &c.series};
        c.error[i] = (duet_error)DUET_ERROR_INIT;
        effort -= own;
        DUET_TRY(duet_types_hand(s, i, &c.at[i].types, error));
    }
    size_t last = duet_tasks_until(&c.series, count, do_share, &c);
    duet_code code = DUET_OK;
    for (size_t i = 0; i < count && i <= last && code == DUET_OK; i++) {
        code = c.code[i];
        if (code != DUET_OK) {
            duet_error_set(error, code, "%s", c.error[i].message);
        }
    }
    duet_types_learn(s, last);
    return code;
}
