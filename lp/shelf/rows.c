// SPDX-License-Identifier: Apache-2.0
// The shelf relaxation for a given multiplier u of the area row: minimise the sum of (p - u q) x
// under the two counting rows. Class A is cut at u in its order. For the rest, let c tasks of C be
// on the CPUs: then B has m - c places there and D has k - |C| + c on the GPUs, each taken by those
// who gain most. The cost is convex in c, so c grows from its least value while one more pays.
#include <stdlib.h>

#include "core/number/minmax.h"
#include "lp/shelf/shelf_state.h"

// Weighted time with its tie-break: an ordered group, so sums compare like values.
typedef struct weight {
    duet_int128 weighted;
    duet_int128 tie;
} weight;

// Negative if the task gains on the CPU. For u = infinity the GPU work decides, then the CPU work.
static weight cpu_weight(duet_multiplier u, duet_shelf_tie tie, const duet_shelf_item *item)
{
    int64_t second = u.cpu == 0 ? item->p : tie == DUET_TIE_MOST_GPU ? item->q : -item->q;
    return (weight){duet_shelf_weighted(u, item), second};
}

static bool is_negative(weight value)
{
    return value.weighted != 0 ? value.weighted < 0 : value.tie < 0;
}

static int compare_keys(const void *left, const void *right)
{
    const duet_shelf_key *a = left;
    const duet_shelf_key *b = right;
    if (a->weighted != b->weighted) {
        return a->weighted < b->weighted ? -1 : 1;
    }
    if (a->tie != b->tie) {
        return a->tie < b->tie ? -1 : 1;
    }
    return (a->member > b->member) - (a->member < b->member);
}

// Candidates for the places of a class, best first.
typedef struct candidates {
    duet_shelf_key *key;
    size_t count;
    int64_t tasks;
} candidates;

// Partitions key[begin .. end) around its middle one; returns where that ends up.
static size_t partition(duet_shelf_key *key, size_t begin, size_t end)
{
    duet_shelf_key pivot = key[begin + (end - begin) / 2];
    key[begin + (end - begin) / 2] = key[end - 1];
    size_t middle = begin;
    for (size_t i = begin; i + 1 < end; i++) {
        if (compare_keys(&key[i], &pivot) < 0) {
            duet_shelf_key swapped = key[i];
            key[i] = key[middle];
            key[middle++] = swapped;
        }
    }
    key[end - 1] = key[middle];
    key[middle] = pivot;
    return middle;
}

// Keeps candidates enough for `places` tasks, the best ones, the worst of them last. Expected
// linear time.
static void keep_best(candidates *list, int64_t places)
{
    size_t begin = 0;
    size_t end = list->count;
    int64_t before = 0; // tasks in key[0 .. begin)
    while (list->tasks > places && end - begin > 1) {
        size_t middle = partition(list->key, begin, end);
        int64_t lower = before;
        for (size_t i = begin; i < middle; i++) {
            lower += list->key[i].count;
        }
        if (lower >= places) {
            end = middle;
        } else if (lower + list->key[middle].count >= places) {
            end = middle + 1;
            break;
        } else {
            before = lower + list->key[middle].count;
            begin = middle + 1;
        }
    }
    list->count = end;
    list->tasks = 0;
    for (size_t i = 0; i < end; i++) {
        list->tasks += list->key[i].count;
    }
}

// The members of a class that want a place in its row (all of C), best first: on the CPUs for B and
// C, on the GPUs for D.
static candidates collect(const duet_shelf *shelf, int class, duet_multiplier u, duet_shelf_tie tie,
                          int64_t places)
{
    candidates list = {&shelf->key[shelf->first[class]], 0, 0};
    for (size_t i = shelf->first[class]; i < shelf->first[class + 1]; i++) {
        const duet_shelf_item *item = &shelf->item[shelf->member[i]];
        weight value = cpu_weight(u, tie, item);
        if (class == DUET_MEMBER_D) {
            value = (weight){-value.weighted, -value.tie};
        }
        if (class == DUET_MEMBER_C || is_negative(value)) {
            list.key[list.count++] =
                (duet_shelf_key){value.weighted, (int64_t)value.tie, item->count, i};
            list.tasks += item->count;
        }
    }
    if (class != DUET_MEMBER_C && places <= 0) {
        list.count = 0;
        list.tasks = 0;
    } else if (class != DUET_MEMBER_C) {
        keep_best(&list, places);
    }
    if (shelf->c_total > 0) { // else nothing competes for the places
        qsort(list.key, list.count, sizeof *list.key, compare_keys);
    }
    return list;
}

// A place in a list: `left` tasks of entry `at` lie ahead, or behind when it runs backwards.
typedef struct cursor {
    size_t at;
    int64_t left;
} cursor;

// The place after the first `tasks` tasks; at == count where there are no more.
static cursor forward_from(const candidates *list, int64_t tasks)
{
    cursor place = {0, list->count > 0 ? list->key[0].count : 0};
    while (place.at < list->count && tasks >= place.left) {
        tasks -= place.left;
        place.at++;
        place.left = place.at < list->count ? list->key[place.at].count : 0;
    }
    place.left -= tasks;
    return place;
}

static void forward(const candidates *list, cursor *place, int64_t tasks)
{
    place->left -= tasks;
    if (place->left == 0) {
        place->at++;
        place->left = place->at < list->count ? list->key[place->at].count : 0;
    }
}

// The place before which the first `tasks` > 0 tasks lie; {0, 0} for none.
static cursor backward_from(const candidates *list, int64_t tasks)
{
    cursor place = {0, 0};
    for (size_t at = 0; at < list->count && tasks > 0; at++) {
        int64_t count = list->key[at].count;
        place = (cursor){at, duet_min(count, tasks)};
        tasks -= place.left;
    }
    return place;
}

static void backward(const candidates *list, cursor *place, int64_t tasks)
{
    place->left -= tasks;
    if (place->left == 0 && place->at > 0) {
        place->at--;
        place->left = list->key[place->at].count;
    }
}

// How many tasks of B and C are on the CPUs, and of D on the GPUs.
typedef struct places {
    int64_t b, c, d;
} places;

// The growth of c. Each round uses up an entry of a list, so it is linear.
static places balance(const duet_shelf *shelf, const candidates *b, const candidates *c,
                      const candidates *d)
{
    int64_t surplus = shelf->c_total - shelf->gpu_slots;
    int64_t on_cpu = duet_max(surplus, 0);
    int64_t most = duet_min(shelf->c_total, shelf->cpu_slots);
    places used = {duet_min(b->tasks, shelf->cpu_slots - on_cpu), on_cpu,
                   duet_min(d->tasks, on_cpu - surplus)};
    cursor at_c = forward_from(c, used.c);
    cursor at_b = backward_from(b, used.b);
    cursor at_d = forward_from(d, used.d);
    while (used.c < most) {
        int64_t batch = duet_min(at_c.left, most - used.c);
        weight change = {c->key[at_c.at].weighted, c->key[at_c.at].tie};
        int64_t free_places = shelf->cpu_slots - used.c - used.b;
        if (free_places == 0) { // one of B gives way, the one that gained least
            change.weighted -= b->key[at_b.at].weighted;
            change.tie -= b->key[at_b.at].tie;
        }
        batch = duet_min(batch, free_places == 0 ? at_b.left : free_places);
        if (at_d.at < d->count) { // and one of D finds a place
            change.weighted += d->key[at_d.at].weighted;
            change.tie += d->key[at_d.at].tie;
            batch = duet_min(batch, at_d.left);
        }
        if (!is_negative(change)) {
            break;
        }
        used.c += batch;
        forward(c, &at_c, batch);
        if (free_places == 0) {
            used.b -= batch;
            backward(b, &at_b, batch);
        }
        if (at_d.at < d->count) {
            used.d += batch;
            forward(d, &at_d, batch);
        }
    }
    return used;
}

// Gives the first `tasks` tasks of a list their places.
static void give(const duet_shelf *shelf, const candidates *list, int64_t tasks, bool on_cpu,
                 duet_shelf_point *point)
{
    for (size_t i = 0; i < list->count && tasks > 0; i++) {
        int64_t given = duet_min(tasks, list->key[i].count);
        size_t member = list->key[i].member;
        point->on_cpu[member] = on_cpu ? given : shelf->item[shelf->member[member]].count - given;
        tasks -= given;
    }
}

static void count_members(duet_shelf *shelf, duet_multiplier u, duet_shelf_tie tie,
                          duet_shelf_point *point)
{
    candidates b = collect(shelf, DUET_MEMBER_B, u, tie, shelf->cpu_slots);
    candidates c = collect(shelf, DUET_MEMBER_C, u, tie, 0);
    candidates d = collect(shelf, DUET_MEMBER_D, u, tie, shelf->gpu_slots);
    places used = balance(shelf, &b, &c, &d);
    for (size_t i = 0; i < shelf->first[DUET_MEMBER_D]; i++) {
        point->on_cpu[i] = 0;
    }
    for (size_t i = shelf->first[DUET_MEMBER_D]; i < shelf->first[DUET_MEMBER_CLASSES]; i++) {
        point->on_cpu[i] = shelf->item[shelf->member[i]].count;
    }
    give(shelf, &b, used.b, true, point);
    give(shelf, &c, used.c, true, point);
    give(shelf, &d, used.d, false, point);
}

// The entries of A that go to the GPUs: those with positive weight, a prefix of the order.
static size_t cut_a(const duet_shelf *shelf, duet_multiplier u, duet_shelf_tie tie)
{
    size_t low = 0;
    size_t high = shelf->a_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        weight value = cpu_weight(u, tie, &shelf->item[shelf->a[middle]]);
        if (value.weighted > 0 || (value.weighted == 0 && value.tie > 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void duet_shelf_evaluate(duet_shelf *shelf, duet_multiplier u, duet_shelf_tie tie,
                         duet_shelf_point *point)
{
    point->a_gpu = cut_a(shelf, u, tie);
    point->a_split = 0;
    point->gpu_work = shelf->a_gpu[point->a_gpu];
    point->cpu_work = shelf->a_cpu[shelf->a_count] - shelf->a_cpu[point->a_gpu];
    if (shelf->first[DUET_MEMBER_CLASSES] == 0) {
        return;
    }
    count_members(shelf, u, tie, point);
    for (size_t i = 0; i < shelf->first[DUET_MEMBER_CLASSES]; i++) {
        const duet_shelf_item *item = &shelf->item[shelf->member[i]];
        point->cpu_work += item->p * point->on_cpu[i];
        point->gpu_work += item->q * (item->count - point->on_cpu[i]);
    }
}
