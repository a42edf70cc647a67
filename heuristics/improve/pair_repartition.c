// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/pair_repartition.h"

#include "core/memory.h"

enum { CHOSEN = DUET_PAIR_REPARTITION_TASKS, HALF = CHOSEN / 2, DEALS = 1 << HALF };

// A deal of half the chosen tasks.
typedef struct deal {
    int64_t work[2];  // on a and on b
    uint32_t members; // those on a
} deal;

typedef struct list {
    deal *deals; // work on a rises, work on b falls
    size_t count;
} list;

struct duet_pair_repartitioner {
    deal room[3][DEALS];
    list half[2];
    deal *spare;
    int64_t task[CHOSEN];
    int64_t time[2][CHOSEN]; // on a and on b
    size_t tasks;
    size_t drawn[2];  // of them from a and from b
    int64_t fixed[2]; // work of the tasks that stay
    int64_t work;
};

duet_code duet_pair_repartitioner_create(duet_pair_repartitioner **out, duet_error *error)
{
    *out = duet_alloc(1, sizeof **out, error);
    return *out == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_pair_repartitioner_free(duet_pair_repartitioner *splitter)
{
    duet_free(splitter);
}

int64_t duet_pair_repartitioner_work(const duet_pair_repartitioner *splitter)
{
    return splitter->work;
}

// Brings up to `wanted` tasks of a lane that may run on `type` to the end of its list: all of them
// where it has no more than that, else random ones. Returns how many.
static size_t draw(const duet_task_lists *lanes, duet_task_list *lane, size_t type, size_t wanted,
                   duet_random *random)
{
    bool sample = lane->count > wanted;
    size_t left = lane->count; // those from here on are drawn
    size_t tries = sample ? 2 * wanted : left;
    for (size_t i = 0; i < tries && left > 0 && lane->count - left < wanted; i++) {
        size_t pick = tries - 1 - i;
        if (sample) {
            pick = (size_t)duet_random_between(random, 0, (int64_t)left - 1);
        }
        int64_t task = lane->task[pick];
        if (duet_task_lists_time(lanes, task, type) != DUET_FORBIDDEN) {
            lane->task[pick] = lane->task[--left];
            lane->task[left] = task;
        }
    }
    return lane->count - left;
}

// Chooses the tasks that are dealt anew.
static void choose(duet_pair_repartitioner *s, const duet_task_lists *lanes, const size_t pair[2],
                   duet_random *random)
{
    size_t count[2] = {lanes->at[pair[0]].count, lanes->at[pair[1]].count};
    size_t wanted[2] = {HALF, HALF};
    for (size_t p = 0; p < 2; p++) {
        if (count[1 - p] < HALF) {
            wanted[p] = CHOSEN - count[1 - p];
        }
    }
    s->tasks = 0;
    for (size_t p = 0; p < 2; p++) {
        duet_task_list *own = &lanes->at[pair[p]];
        size_t other = (size_t)lanes->at[pair[1 - p]].type;
        size_t drawn = draw(lanes, own, other, wanted[p], random);
        s->drawn[p] = drawn;
        s->fixed[p] = own->load;
        for (size_t i = own->count - drawn; i < own->count; i++) {
            size_t to = s->tasks++;
            s->task[to] = own->task[i];
            for (size_t q = 0; q < 2; q++) {
                size_t type = (size_t)lanes->at[pair[q]].type;
                s->time[q][to] = duet_task_lists_time(lanes, own->task[i], type);
            }
            s->fixed[p] -= s->time[p][to];
        }
    }
}

// All deals of some chosen tasks whose works are within `room`: one task at a time, the list with
// it on a and the list with it on b are merged.
static void list_deals(duet_pair_repartitioner *s, size_t first, size_t tasks,
                       const int64_t room[2], list *out)
{
    deal *from = out->deals;
    deal *to = s->spare;
    size_t count = 1;
    from[0] = (deal){{0, 0}, 0};
    for (size_t b = 0; b < tasks && count > 0; b++) {
        int64_t on_a = s->time[0][first + b];
        int64_t on_b = s->time[1][first + b];
        size_t kept = 0;
        for (size_t i = 0, j = 0; i < count || j < count;) {
            // i: the next deal that gets the task on b; j: on a.
            deal next;
            int64_t with = j < count ? from[j].work[0] + on_a : INT64_MAX;
            if (i < count &&
                (from[i].work[0] < with ||
                 (from[i].work[0] == with && from[i].work[1] + on_b <= from[j].work[1]))) {
                next = (deal){{from[i].work[0], from[i].work[1] + on_b}, from[i].members};
                i++;
            } else {
                next = (deal){{with, from[j].work[1]}, from[j].members | 1U << b};
                j++;
            }
            if (next.work[0] > room[0]) {
                break;
            }
            if (next.work[1] <= room[1] && (kept == 0 || next.work[1] < to[kept - 1].work[1])) {
                to[kept++] = next;
            }
        }
        deal *other = from;
        from = to;
        to = other;
        count = kept;
        s->work += (int64_t)kept + 2;
    }
    out->deals = from;
    out->count = count;
    s->spare = to;
}

typedef struct choice {
    int64_t worth; // the smaller the better
    uint32_t members;
    bool found;
} choice;

static void consider(const duet_pair_repartitioner *s, size_t i, size_t j, int64_t worth,
                     choice *best)
{
    if (!best->found || worth < best->worth) {
        size_t low = s->tasks / 2;
        uint32_t members = s->half[0].deals[i].members | s->half[1].deals[j].members << low;
        *best = (choice){worth, members, true};
    }
}

static int64_t load(const duet_pair_repartitioner *s, size_t which, size_t i, size_t j)
{
    return s->fixed[which] + s->half[0].deals[i].work[which] + s->half[1].deals[j].work[which];
}

// The pair of deals with the smallest larger load. While i rises, the j where a becomes the longer
// one falls.
static choice most_level(const duet_pair_repartitioner *s)
{
    choice best = {.found = false};
    size_t j = s->half[1].count;
    for (size_t i = 0; i < s->half[0].count; i++) {
        while (j > 0 && load(s, 0, i, j - 1) >= load(s, 1, i, j - 1)) {
            j--;
        }
        if (j < s->half[1].count) {
            consider(s, i, j, load(s, 0, i, j), &best);
        }
        if (j > 0) {
            consider(s, i, j - 1, load(s, 1, i, j - 1), &best);
        }
    }
    return best;
}

// The pair of deals with the least on b and no more than `cap` on a.
static choice fullest(const duet_pair_repartitioner *s, int64_t cap)
{
    choice best = {.found = false};
    size_t j = s->half[1].count;
    for (size_t i = 0; i < s->half[0].count; i++) {
        while (j > 0 && load(s, 0, i, j - 1) > cap) {
            j--;
        }
        if (j > 0) {
            consider(s, i, j - 1, load(s, 1, i, j - 1), &best);
        }
    }
    return best;
}

static bool reserve(duet_task_list *lane, size_t tasks)
{
    return duet_reserve(&lane->task, lane->count + tasks, &lane->capacity, sizeof *lane->task,
                        NULL) == DUET_OK;
}

// The chosen tasks are the last of both lists: taken off, and put where the deal says.
static void hand_out(duet_pair_repartitioner *s, duet_task_lists *lanes, const size_t pair[2],
                     uint32_t members)
{
    for (size_t p = 0; p < 2; p++) {
        lanes->at[pair[p]].count -= s->drawn[p];
        lanes->at[pair[p]].load = s->fixed[p];
    }
    for (size_t i = 0; i < s->tasks; i++) {
        size_t p = (members >> i & 1U) != 0 ? 0 : 1;
        duet_task_list *own = &lanes->at[pair[p]];
        own->task[own->count++] = s->task[i];
        own->load += s->time[p][i];
    }
    duet_task_lists_changed(lanes, pair[0]);
    duet_task_lists_changed(lanes, pair[1]);
}

bool duet_pair_repartition(duet_pair_repartitioner *s, duet_task_lists *lanes, size_t a, size_t b,
                           duet_pair_repartition_goal goal, duet_random *random)
{
    const size_t pair[2] = {a, b};
    if (!reserve(&lanes->at[a], CHOSEN) || !reserve(&lanes->at[b], CHOSEN)) {
        return false; // what there is stays valid
    }
    choose(s, lanes, pair, random);
    int64_t room[2] = {goal.most - s->fixed[0], goal.most - s->fixed[1]};
    if (room[0] < 0 || room[1] < 0) {
        return false;
    }
    s->half[0].deals = s->room[0];
    s->half[1].deals = s->room[1];
    s->spare = s->room[2];
    size_t low = s->tasks / 2;
    list_deals(s, 0, low, room, &s->half[0]);
    list_deals(s, low, s->tasks - low, room, &s->half[1]);
    s->work += (int64_t)(s->half[0].count + s->half[1].count);
    int64_t cap = goal.cap < goal.most ? goal.cap : goal.most;
    choice best = goal.fill ? fullest(s, cap) : most_level(s);
    if (!best.found || best.worth > goal.most) {
        return false;
    }
    hand_out(s, lanes, pair, best.members);
    return true;
}
