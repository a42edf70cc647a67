// SPDX-License-Identifier: Apache-2.0
// A dynamic program over the ideals of a task graph, which is run again where a proof says that it
// refutes the guess. docs/theory/graphs.md has the argument. Includes no solver header: this is
// what an outsider trusts.
#include "check/proof/graph/ideals.h"

#include <inttypes.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum {
    HEADS = 1 << 14, // Lists of ideals by their hash.
    STEP = 8         // Units of work of a task that is looked at.
};

// The states of one ideal, none of which is dominated.
typedef struct group {
    duet_proof_ideal done;
    int32_t first; // Its first entry; -1: none.
    int32_t next;  // The next group of the same hash; -1: none.
} group;

typedef struct entry {
    size_t at;    // The place of its times: per processor, then per task that waits and column.
    int32_t next; // The next entry of the group; -1: none.
} entry;

// The states of one number of tasks.
typedef struct level {
    group *group;
    size_t groups;
    entry *entry;
    size_t entries;
    int64_t *time;
    size_t times;
    int64_t states; // Entries that are not dominated.
} level;

// The program with its levels.
typedef struct levels {
    duet_proof_ideals of;
    int32_t *head; // Per hash, the first group of `next`; -1: none.
    level now, next;
} levels;

// --- states of a number of tasks -----------------------------------------------------------------

static size_t hash_of(const duet_proof_ideal *done)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int32_t i = 0; i < DUET_PROOF_IDEAL_WORDS; i++) {
        hash = (hash ^ done->word[i] ^ done->word[i] >> 32) * UINT64_C(0x100000001B3);
        hash ^= hash >> 31;
    }
    return (size_t)(hash % HEADS);
}

// The group of s->of.to.
static duet_code find_group(levels *s, group **out, duet_error *error)
{
    int32_t *head = &s->head[hash_of(&s->of.to.done)];
    for (int32_t i = *head; i >= 0; i = s->next.group[i].next) {
        if (memcmp(&s->next.group[i].done, &s->of.to.done, sizeof s->of.to.done) == 0) {
            *out = &s->next.group[i];
            return DUET_OK;
        }
    }
    DUET_TRY(duet_vec_push(s->next.group, s->next.groups, error,
                           (group){.done = s->of.to.done, .first = -1, .next = *head}));
    *head = (int32_t)s->next.groups - 1;
    *out = &s->next.group[*head];
    return DUET_OK;
}

// Takes the states off the group that the state dominates. Returns whether one dominates it.
static bool is_dominated(levels *s, group *of)
{
    size_t times = duet_proof_ideals_times(&s->of, &s->of.to);
    for (int32_t *link = &of->first; *link >= 0;) {
        const entry *other = &s->next.entry[*link];
        const int64_t *time = s->next.time + other->at;
        bool no_later = true;
        bool no_earlier = true;
        size_t i = 0;
        for (; i < times && (no_later || no_earlier); i++) {
            no_later = no_later && time[i] <= s->of.to.time[i];
            no_earlier = no_earlier && time[i] >= s->of.to.time[i];
        }
        if (no_later || duet_watch_spend(s->of.state->watch, (int64_t)i + STEP)) {
            return true;
        }
        if (no_earlier) {
            *link = other->next;
            s->next.states--;
        } else {
            link = &s->next.entry[*link].next;
        }
    }
    return false;
}

static duet_code check_memory(const levels *s, duet_error *error)
{
    size_t bytes = duet_vec_bytes(s->now.time) + duet_vec_bytes(s->next.time) +
                   duet_vec_bytes(s->now.entry) + duet_vec_bytes(s->next.entry) +
                   duet_vec_bytes(s->now.group) + duet_vec_bytes(s->next.group);
    if (bytes > s->of.state->watch->context->memory_limit / 4 || s->next.entries >= INT32_MAX) {
        return duet_error_set(error, DUET_E_LIMIT, "states of ideals take more than the memory");
    }
    return DUET_OK; // growing takes the old room, too
}

static duet_code keep(levels *s, duet_error *error)
{
    group *of;
    size_t times = duet_proof_ideals_times(&s->of, &s->of.to);
    DUET_TRY(check_memory(s, error));
    DUET_TRY(find_group(s, &of, error));
    if (is_dominated(s, of)) {
        return DUET_OK;
    }
    DUET_TRY(duet_vec_reserve(s->next.time, s->next.times + times, error));
    DUET_TRY(
        duet_vec_push(s->next.entry, s->next.entries, error, (entry){s->next.times, of->first}));
    memcpy(s->next.time + s->next.times, s->of.to.time, times * sizeof *s->of.to.time);
    of->first = (int32_t)s->next.entries - 1;
    s->next.times += times;
    s->next.states++;
    return DUET_OK;
}

static duet_code go_on(levels *s, const group *of, duet_error *error)
{
    duet_watch *watch = s->of.state->watch;
    int64_t work = STEP * ((int64_t)s->of.tasks + s->of.slots);
    s->of.from.done = of->done;
    duet_proof_ideals_list_waiting(&s->of, &s->of.from);
    for (int32_t at = of->first; at >= 0 && !watch->stopped; at = s->now.entry[at].next) {
        s->of.from.time = s->now.time + s->now.entry[at].at;
        int32_t count = duet_proof_ideals_list_steps(&s->of);
        for (int32_t i = 0; i < count && !duet_watch_spend(watch, work); i++) {
            if (duet_proof_ideals_append(&s->of, &s->of.step[i])) {
                DUET_TRY(keep(s, error));
            }
        }
    }
    return DUET_OK;
}

// The states with a task more.
static duet_code make_next(levels *s, int64_t most, duet_error *error)
{
    for (int32_t i = 0; i < HEADS; i++) {
        s->head[i] = -1;
    }
    for (size_t i = 0; i < s->now.groups; i++) {
        DUET_TRY(duet_check_spend(s->of.state->watch, (int64_t)STEP * s->of.tasks, error));
        DUET_TRY(go_on(s, &s->now.group[i], error));
    }
    DUET_TRY(duet_check_stopped(s->of.state->watch, error));
    if (s->next.states > most) {
        return duet_error_set(error, DUET_E_INPUT,
                              "%" PRId64 " states of an equal number of tasks: expected at most "
                              "%" PRId64,
                              s->next.states, most);
    }
    level old = s->now;
    s->now = s->next;
    s->next = (level){.group = old.group, .entry = old.entry, .time = old.time};
    return DUET_OK;
}

static void free_levels(levels *s)
{
    duet_arena_free(&s->of.arena);
    duet_free(s->head);
    level *both[] = {&s->now, &s->next};
    for (int i = 0; i < 2; i++) {
        duet_free(both[i]->group);
        duet_free(both[i]->entry);
        duet_free(both[i]->time);
    }
}

static duet_code begin(levels *s, duet_error *error)
{
    DUET_TRY(duet_proof_ideals_measure(&s->of, error));
    size_t slots = (size_t)s->of.slots;
    s->head = duet_alloc(HEADS, sizeof *s->head, error);
    DUET_NEED(s->head);
    DUET_TRY(duet_vec_push(s->now.group, s->now.groups, error, (group){.first = 0, .next = -1}));
    DUET_TRY(duet_vec_push(s->now.entry, s->now.entries, error, (entry){0, -1}));
    DUET_TRY(duet_vec_reserve(s->now.time, slots, error));
    memset(s->now.time, 0, slots * sizeof *s->now.time);
    return DUET_OK;
}

duet_code duet_proof_graph_ideals(duet_proof_graph_state *state, int64_t most,
                                  const duet_proof_graph_prices *prices, duet_error *error)
{
    levels s = {.of = {.state = state, .prices = *prices}};
    if (state->closed) {
        return DUET_OK;
    }
    duet_code code = begin(&s, error);
    for (int32_t size = 0; code == DUET_OK && size < s.of.tasks && s.now.groups > 0; size++) {
        code = make_next(&s, most, error);
    }
    if (code == DUET_OK && s.now.groups > 0) {
        code = duet_error_set(error, DUET_E_INPUT, "%s",
                              "a state of all tasks is left: the ideals do not refute the guess");
    }
    state->closed = code == DUET_OK;
    free_levels(&s);
    return code;
}
