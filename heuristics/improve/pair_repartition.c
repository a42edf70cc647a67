// SPDX-License-Identifier: Apache-2.0
#include "heuristics/improve/pair_repartition.h"

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "heuristics/improve/pair_table.h"

enum { MOST = DUET_PAIR_TABLE_TASKS };

// Who runs each group of half the chosen tasks.
typedef struct assignment {
    int64_t work[2];  // on a and on b
    uint32_t members; // those on a
} assignment;

// Tasks of one kind that go together. Of several tasks of a kind, groups of 1, 2, 4, ... make all
// numbers, and are far fewer.
typedef struct group {
    size_t begin, end; // of the chosen tasks
    int64_t time[2];   // of all
} group;

typedef struct front {
    assignment *at; // the work on a rises, the work on b falls: none beats another on both
    size_t count;
} front;

struct duet_pair_repartitioner {
    size_t half;         // groups of each half, at most
    assignment *room[3]; // 2^half each
    front front[2];
    assignment *spare;
    int64_t task[MOST];
    int64_t time[2][MOST]; // on a and on b
    bool was_on_a[MOST];
    bool on_a[MOST]; // who runs them, at last
    size_t tasks;
    group group[MOST];
    size_t groups;
    duet_pair_table table; // for all tasks of a pair, where ticks are coarse
    size_t drawn[2];       // of them from a and from b
    int64_t fixed[2];      // work of the tasks that stay
    int64_t work;
};

duet_code duet_pair_repartitioner_create(size_t tasks, duet_pair_repartitioner **out,
                                         duet_error *error)
{
    DUET_ASSERT(0 < tasks && tasks <= DUET_PAIR_REPARTITION_FINE && tasks % 2 == 0);
    duet_pair_repartitioner *s = duet_alloc(1, sizeof *s, error);
    *out = s;
    DUET_NEED(s);
    s->half = tasks / 2;
    bool whole = true;
    for (size_t r = 0; r < 3 && whole; r++) {
        s->room[r] = duet_alloc_raw((size_t)1 << s->half, sizeof *s->room[r], error);
        whole = s->room[r] != NULL;
    }
    if (!whole) {
        duet_pair_repartitioner_free(s);
        *out = NULL;
    }
    return whole ? DUET_OK : DUET_E_MEMORY;
}

void duet_pair_repartitioner_free(duet_pair_repartitioner *repartitioner)
{
    for (size_t r = 0; repartitioner != NULL && r < 3; r++) {
        duet_free(repartitioner->room[r]);
    }
    if (repartitioner != NULL) {
        duet_pair_table_free(&repartitioner->table);
    }
    duet_free(repartitioner);
}

size_t duet_pair_repartitioner_tasks(const duet_pair_repartitioner *repartitioner)
{
    return 2 * repartitioner->half;
}

int64_t duet_pair_repartitioner_work(const duet_pair_repartitioner *repartitioner)
{
    return repartitioner->work;
}

// Moves up to `wanted` tasks that may run on `type` to the end of a list: all of them where it has
// no more than that, else random ones. Returns how many.
static size_t draw(const duet_task_lists *lists, duet_task_list *list, size_t type, size_t wanted,
                   duet_random *random)
{
    bool sample = list->count > wanted;
    size_t left = list->count; // those from here on are drawn
    size_t tries = sample ? 2 * wanted : left;
    for (size_t i = 0; i < tries && left > 0 && list->count - left < wanted; i++) {
        size_t pick = tries - 1 - i;
        if (sample) {
            pick = (size_t)duet_random_between(random, 0, (int64_t)left - 1);
        }
        int64_t task = list->task[pick];
        if (duet_task_lists_time(lists, task, type) != DUET_FORBIDDEN) {
            list->task[pick] = list->task[--left];
            list->task[left] = task;
        }
    }
    return list->count - left;
}

// Chooses the tasks that are partitioned anew: at most `most`.
static void choose(duet_pair_repartitioner *s, const duet_task_lists *lists, const size_t pair[2],
                   size_t most, duet_random *random)
{
    size_t count[2] = {lists->at[pair[0]].count, lists->at[pair[1]].count};
    size_t wanted[2] = {most / 2, most / 2};
    for (size_t p = 0; p < 2; p++) {
        if (count[1 - p] < most / 2) {
            wanted[p] = most - count[1 - p];
        }
    }
    s->tasks = 0;
    for (size_t p = 0; p < 2; p++) {
        duet_task_list *own = &lists->at[pair[p]];
        size_t other = (size_t)lists->at[pair[1 - p]].type;
        size_t drawn = draw(lists, own, other, wanted[p], random);
        s->drawn[p] = drawn;
        s->fixed[p] = own->load;
        for (size_t i = own->count - drawn; i < own->count; i++) {
            size_t to = s->tasks++;
            s->task[to] = own->task[i];
            s->was_on_a[to] = p == 0;
            for (size_t q = 0; q < 2; q++) {
                size_t type = (size_t)lists->at[pair[q]].type;
                s->time[q][to] = duet_task_lists_time(lists, own->task[i], type);
            }
            s->fixed[p] -= s->time[p][to];
        }
    }
}

static void swap_tasks(duet_pair_repartitioner *s, size_t i, size_t j)
{
    int64_t task = s->task[i];
    bool on_a = s->was_on_a[i];
    s->task[i] = s->task[j];
    s->was_on_a[i] = s->was_on_a[j];
    s->task[j] = task;
    s->was_on_a[j] = on_a;
    for (size_t p = 0; p < 2; p++) {
        int64_t time = s->time[p][i];
        s->time[p][i] = s->time[p][j];
        s->time[p][j] = time;
    }
}

// How many tasks to choose, so that about `groups` groups are made of them.
static size_t tasks_of_groups(const duet_task_lists *lists, size_t groups)
{
    size_t kinds = lists->instance->kinds;
    if (kinds >= groups || (int64_t)kinds == duet_tasks(lists->instance)) {
        return groups;
    }
    size_t each = groups / kinds;
    size_t tasks = each < 8 ? ((size_t)1 << each) * (kinds + groups % kinds) - kinds : MOST;
    return duet_min(tasks, MOST);
}

// Makes groups of chosen tasks of one kind, none of which takes longer than `most` on either
// processor unless a task alone does.
static void add_groups(duet_pair_repartitioner *s, size_t begin, size_t end, int64_t most)
{
    const int64_t time[2] = {s->time[0][begin], s->time[1][begin]};
    int64_t longer = duet_max(time[0], time[1]);
    int64_t fitting = longer == 0 ? MOST : duet_max(most / longer, 1);
    for (int64_t size = 1; begin < end; size *= 2) {
        int64_t left = (int64_t)(end - begin);
        size = duet_min(size, fitting);
        size = duet_min(size, left);
        s->group[s->groups++] =
            (group){begin, begin + (size_t)size, {size * time[0], size * time[1]}};
        begin += (size_t)size;
    }
}

// Brings the chosen tasks of a kind next to each other, and makes groups of them, no more than
// there is room for: the tasks that are left stay where they are.
static void make_groups(duet_pair_repartitioner *s, const duet_task_lists *lists, int64_t most,
                        duet_random *random)
{
    s->groups = 0;
    for (size_t begin = 0; begin < s->tasks;) {
        size_t end = begin + 1;
        for (size_t i = end; i < s->tasks; i++) {
            if (lists->kind[s->task[i]] == lists->kind[s->task[begin]]) {
                swap_tasks(s, i, end++);
            }
        }
        add_groups(s, begin, end, most);
        begin = end;
    }
    for (; s->groups > 2 * s->half; s->groups--) {
        size_t at = (size_t)duet_random_between(random, 0, (int64_t)s->groups - 1);
        for (size_t i = s->group[at].begin; i < s->group[at].end; i++) {
            s->on_a[i] = s->was_on_a[i];
            s->fixed[!s->was_on_a[i]] += s->time[!s->was_on_a[i]][i];
        }
        s->group[at] = s->group[s->groups - 1];
    }
}

// Lists the assignments of some groups whose works are within `room` and that no other one beats on
// both processors. One group at a time, the assignments with it on a and those with it on b are
// merged.
static void list_assignments(duet_pair_repartitioner *s, size_t first, size_t groups,
                             const int64_t room[2], front *out)
{
    assignment *from = out->at;
    assignment *to = s->spare;
    size_t count = 1;
    from[0] = (assignment){{0, 0}, 0};
    for (size_t b = 0; b < groups && count > 0; b++) {
        int64_t on_a = s->group[first + b].time[0];
        int64_t on_b = s->group[first + b].time[1];
        size_t kept = 0;
        for (size_t i = 0, j = 0; i < count || j < count;) {
            // i: the next assignment that gets the group on b; j: on a.
            assignment next;
            int64_t with = j < count ? from[j].work[0] + on_a : INT64_MAX;
            if (i < count &&
                (from[i].work[0] < with ||
                 (from[i].work[0] == with && from[i].work[1] + on_b <= from[j].work[1]))) {
                next = (assignment){{from[i].work[0], from[i].work[1] + on_b}, from[i].members};
                i++;
            } else {
                next = (assignment){{with, from[j].work[1]}, from[j].members | 1U << b};
                j++;
            }
            if (next.work[0] > room[0]) {
                break;
            }
            if (next.work[1] <= room[1] && (kept == 0 || next.work[1] < to[kept - 1].work[1])) {
                to[kept++] = next;
            }
        }
        assignment *other = from;
        from = to;
        to = other;
        count = kept;
        s->work += (int64_t)kept + 2;
    }
    out->at = from;
    out->count = count;
    s->spare = to;
}

typedef struct choice {
    int64_t cost; // the smaller the better
    uint32_t members;
    bool found;
} choice;

static void consider(const duet_pair_repartitioner *s, size_t i, size_t j, int64_t cost,
                     choice *best)
{
    if (!best->found || cost < best->cost) {
        size_t low = s->groups / 2;
        uint32_t members = s->front[0].at[i].members | s->front[1].at[j].members << low;
        *best = (choice){cost, members, true};
    }
}

static int64_t load(const duet_pair_repartitioner *s, size_t which, size_t i, size_t j)
{
    return s->fixed[which] + s->front[0].at[i].work[which] + s->front[1].at[j].work[which];
}

// The pair of assignments with the smallest larger load. While i rises, the j from which on a is
// the longer one falls.
static choice most_level(const duet_pair_repartitioner *s)
{
    choice best = {.found = false};
    size_t j = s->front[1].count;
    for (size_t i = 0; i < s->front[0].count; i++) {
        while (j > 0 && load(s, 0, i, j - 1) >= load(s, 1, i, j - 1)) {
            j--;
        }
        if (j < s->front[1].count) {
            consider(s, i, j, load(s, 0, i, j), &best);
        }
        if (j > 0) {
            consider(s, i, j - 1, load(s, 1, i, j - 1), &best);
        }
    }
    return best;
}

// The pair of assignments with the least work on b and no more than `cap` on a.
static choice fullest(const duet_pair_repartitioner *s, int64_t cap)
{
    choice best = {.found = false};
    size_t j = s->front[1].count;
    for (size_t i = 0; i < s->front[0].count; i++) {
        while (j > 0 && load(s, 0, i, j - 1) > cap) {
            j--;
        }
        if (j > 0) {
            consider(s, i, j - 1, load(s, 1, i, j - 1), &best);
        }
    }
    return best;
}

// The best repartition of the chosen tasks by halves, in s->on_a. Returns whether there is one.
static bool by_halves(duet_pair_repartitioner *s, const int64_t room[2],
                      duet_pair_repartition_goal goal)
{
    s->front[0].at = s->room[0];
    s->front[1].at = s->room[1];
    s->spare = s->room[2];
    size_t low = s->groups / 2;
    list_assignments(s, 0, low, room, &s->front[0]);
    list_assignments(s, low, s->groups - low, room, &s->front[1]);
    s->work += (int64_t)(s->front[0].count + s->front[1].count);
    choice best = goal.fill ? fullest(s, duet_min(goal.cap, goal.most)) : most_level(s);
    for (size_t g = 0; g < s->groups; g++) {
        for (size_t i = s->group[g].begin; i < s->group[g].end; i++) {
            s->on_a[i] = (best.members >> g & 1U) != 0;
        }
    }
    return best.found && best.cost <= goal.most;
}

// The same of all tasks by a table. Of repartitions that are as good the one with less work in all
// is taken.
static bool by_table(duet_pair_repartitioner *s, const int64_t room[2],
                     duet_pair_repartition_goal goal)
{
    const int16_t *least =
        duet_pair_table_fill(&s->table, s->time[0], s->time[1], s->tasks, room[0]);
    int64_t cap = goal.fill && goal.cap < goal.most ? goal.cap : goal.most;
    int64_t best = -1;
    int64_t cost = 0;
    for (int64_t work = 0; work <= room[0] && s->fixed[0] + work <= cap; work++) {
        int64_t a = s->fixed[0] + work;
        int64_t b = s->fixed[1] + least[work];
        int64_t larger = goal.fill || a < b ? b : a;
        int64_t price = larger * 4 * DUET_PAIR_TABLE_MOST + a + b;
        if (least[work] <= room[1] && (best < 0 || price < cost)) {
            best = work;
            cost = price;
        }
    }
    s->work += (int64_t)(s->tasks * (size_t)(room[0] + 1)) / DUET_PAIR_TABLE_CELLS_A_STEP;
    if (best >= 0) {
        duet_pair_table_trace(&s->table, s->time[0], s->time[1], s->tasks, best, s->on_a);
    }
    return best >= 0;
}

// Other orders lead to other repartitions where several are as good.
static void shuffle(duet_pair_repartitioner *s, duet_random *random)
{
    for (size_t i = s->tasks; i > 1; i--) {
        size_t j = (size_t)duet_random_between(random, 0, (int64_t)i - 1);
        swap_tasks(s, i - 1, j);
    }
}

static bool reserve(duet_task_list *list, size_t tasks)
{
    return duet_vec_reserve(list->task, list->count + tasks, NULL) == DUET_OK;
}

// Takes the chosen tasks, the last of both lists, off these and appends each to the list of its new
// processor.
static void reassign(duet_pair_repartitioner *s, duet_task_lists *lists, const size_t pair[2])
{
    for (size_t p = 0; p < 2; p++) {
        lists->at[pair[p]].count -= s->drawn[p];
    }
    for (size_t i = 0; i < s->tasks; i++) {
        size_t p = s->on_a[i] ? 0 : 1;
        duet_task_list *own = &lists->at[pair[p]];
        own->task[own->count++] = s->task[i];
        own->load += s->on_a[i] == s->was_on_a[i] ? 0 : s->time[p][i];
        lists->at[pair[1 - p]].load -= s->on_a[i] == s->was_on_a[i] ? 0 : s->time[1 - p][i];
    }
    DUET_ASSERT(lists->at[pair[0]].load >= 0 && lists->at[pair[1]].load >= 0);
    duet_task_lists_changed(lists, pair[0]);
    duet_task_lists_changed(lists, pair[1]);
}

bool duet_pair_repartition(duet_pair_repartitioner *s, duet_task_lists *lists, size_t a, size_t b,
                           duet_pair_repartition_goal goal, duet_random *random)
{
    const size_t pair[2] = {a, b};
    size_t all = lists->at[a].count + lists->at[b].count;
    bool table = all > 2 * s->half && duet_pair_table_fits(&s->table, all, goal.most);
    size_t most = table ? 2 * all : tasks_of_groups(lists, 2 * s->half);
    size_t count[2] = {lists->at[a].count, lists->at[b].count};
    if (!reserve(&lists->at[a], duet_min(most, count[1])) ||
        !reserve(&lists->at[b], duet_min(most, count[0]))) {
        return false; // what there is stays valid
    }
    choose(s, lists, pair, most, random);
    if (!table) {
        make_groups(s, lists, goal.most, random);
    }
    int64_t room[2] = {goal.most - s->fixed[0], goal.most - s->fixed[1]};
    if (room[0] < 0 || room[1] < 0) {
        return false;
    }
    if (table) {
        shuffle(s, random);
    }
    int64_t before = s->work;
    bool better = (table ? by_table : by_halves)(s, room, goal);
    enum { step = 4 }; // nanoseconds
    duet_count_work(step * (s->work - before));
    if (!better) {
        return false;
    }
    reassign(s, lists, pair);
    return true;
}
