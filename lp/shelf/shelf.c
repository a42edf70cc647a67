// SPDX-License-Identifier: Apache-2.0
// The shelf relaxation at a guess. The row of the GPU work gets a multiplier u; for fixed u the
// rest is solved by selection (lp/shelf/rows.c). The dual value is concave and piecewise linear in
// u: two assignments, one with too much GPU work and one without, meet at the next u to try, until
// no third one is better there; then the walk between the two (lp/shelf/walk.c) ends at an optimal
// solution. All in integers.

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/shelf/shelf_state.h"

static void add_item(duet_shelf *shelf, size_t at, size_t kind)
{
    const duet_instance *instance = shelf->instance;
    duet_shelf_item *item = &shelf->item[at];
    *item = (duet_shelf_item){DUET_FORBIDDEN, DUET_FORBIDDEN, duet_count(instance, kind), kind};
    if (duet_allowed(instance, kind, DUET_CPU)) {
        item->p = duet_time(instance, kind, DUET_CPU);
    }
    if (duet_allowed(instance, kind, DUET_GPU)) {
        item->q = duet_time(instance, kind, DUET_GPU);
    }
}

static duet_code allocate(duet_shelf *shelf, duet_error *error)
{
    size_t kinds = shelf->kinds;
    const duet_arena_array arrays[] = {DUET_ARENA_ARRAY(shelf->item, kinds),
                                       DUET_ARENA_ARRAY(shelf->a, kinds),
                                       DUET_ARENA_ARRAY(shelf->a_cpu, kinds + 1),
                                       DUET_ARENA_ARRAY(shelf->a_gpu, kinds + 1),
                                       DUET_ARENA_ARRAY(shelf->member, kinds),
                                       DUET_ARENA_ARRAY(shelf->key, kinds),
                                       DUET_ARENA_ARRAY(shelf->point[0].on_cpu, kinds),
                                       DUET_ARENA_ARRAY(shelf->point[1].on_cpu, kinds),
                                       DUET_ARENA_ARRAY(shelf->point[2].on_cpu, kinds)};
    return duet_arena_create(&shelf->arena, arrays, sizeof arrays / sizeof *arrays, error);
}

duet_code duet_shelf_create(const duet_instance *instance, const duet_acceleration_order *order,
                            duet_shelf **out, duet_error *error)
{
    *out = NULL;
    duet_shelf *shelf = duet_alloc(1, sizeof *shelf, error);
    DUET_NEED(shelf);
    shelf->instance = instance;
    shelf->kinds = instance->kinds;
    shelf->begin = order->flexible_begin;
    shelf->end = order->flexible_end;
    shelf->lambda = -1;
    duet_code code = allocate(shelf, error);
    if (code != DUET_OK) {
        duet_shelf_free(shelf);
        return code;
    }
    for (size_t at = 0; at < order->count; at++) {
        add_item(shelf, at, order->items[at].kind);
    }
    *out = shelf;
    return DUET_OK;
}

void duet_shelf_free(duet_shelf *shelf)
{
    if (shelf != NULL) {
        duet_arena_free(&shelf->arena);
        duet_free(shelf);
    }
}

static bool is_long(int64_t time, int64_t lambda)
{
    return time > lambda - time; // 2 time > lambda; both are at least 0
}

// What kinds that fit on one type only leave, and the work of the others.
typedef struct totals {
    int64_t cpu_fixed, gpu_fixed; // work
    int64_t cpu_work, gpu_work;   // of flexible kinds
    size_t classes[4];
} totals;

// Counts fixed kinds, and the classes of the others. Returns false where a kind fits nowhere.
static bool survey(duet_shelf *shelf, totals *sums)
{
    int64_t lambda = shelf->lambda;
    for (size_t i = 0; i < shelf->kinds; i++) {
        const duet_shelf_item *item = &shelf->item[i];
        bool on_cpu = item->p <= lambda;
        bool on_gpu = item->q <= lambda;
        if (on_cpu && on_gpu) {
            bool cpu_long = is_long(item->p, lambda);
            bool gpu_long = is_long(item->q, lambda);
            sums->cpu_work += item->p * item->count;
            sums->gpu_work += item->q * item->count;
            sums->classes[cpu_long ? (gpu_long ? DUET_SHELF_C : DUET_SHELF_B)
                                   : (gpu_long ? DUET_SHELF_D : DUET_SHELF_A)]++;
        } else if (on_cpu) {
            sums->cpu_fixed += item->p * item->count;
            shelf->cpu_slots -= is_long(item->p, lambda) ? item->count : 0;
        } else if (on_gpu) {
            sums->gpu_fixed += item->q * item->count;
            shelf->gpu_slots -= is_long(item->q, lambda) ? item->count : 0;
        } else {
            return false;
        }
    }
    return true;
}

static void enter_a(duet_shelf *shelf, size_t at)
{
    const duet_shelf_item *item = &shelf->item[at];
    if (item->p == 0 && item->q == 0) {
        return; // costs nothing anywhere, and has no place in the order
    }
    size_t entry = shelf->a_count++;
    shelf->a[entry] = at;
    shelf->a_cpu[entry + 1] = shelf->a_cpu[entry] + item->p * item->count;
    shelf->a_gpu[entry + 1] = shelf->a_gpu[entry] + item->q * item->count;
}

// Fills the classes from the counts.
static void classify(duet_shelf *shelf, const totals *sums)
{
    size_t next[DUET_MEMBER_CLASSES];
    next[DUET_MEMBER_B] = shelf->first[DUET_MEMBER_B] = 0;
    next[DUET_MEMBER_C] = shelf->first[DUET_MEMBER_C] = sums->classes[DUET_SHELF_B];
    next[DUET_MEMBER_D] = shelf->first[DUET_MEMBER_D] =
        shelf->first[DUET_MEMBER_C] + sums->classes[DUET_SHELF_C];
    shelf->first[DUET_MEMBER_CLASSES] = shelf->first[DUET_MEMBER_D] + sums->classes[DUET_SHELF_D];
    shelf->a_count = 0;
    shelf->c_total = 0;
    for (size_t i = shelf->begin; i < shelf->end; i++) {
        const duet_shelf_item *item = &shelf->item[i];
        if (item->p > shelf->lambda || item->q > shelf->lambda) {
            continue;
        }
        bool cpu_long = is_long(item->p, shelf->lambda);
        bool gpu_long = is_long(item->q, shelf->lambda);
        if (!cpu_long && !gpu_long) {
            enter_a(shelf, i);
            continue;
        }
        int class = !gpu_long ? DUET_MEMBER_B : cpu_long ? DUET_MEMBER_C : DUET_MEMBER_D;
        shelf->member[next[class]++] = i;
        shelf->c_total += class == DUET_MEMBER_C ? item->count : 0;
    }
}

static const duet_multiplier zero = {1, 0};

// Sets up a guess. Returns false on NO, with its certificate.
static bool prepare(duet_shelf *shelf, int64_t lambda, duet_certificate *certificate)
{
    const int64_t *processors = shelf->instance->processors;
    totals sums = {0};
    shelf->lambda = lambda;
    shelf->cpu_slots = processors[DUET_CPU];
    shelf->gpu_slots = processors[DUET_GPU];
    if (!survey(shelf, &sums)) {
        duet_shelf_prove_counts(shelf, 1, 1, certificate);
        return false;
    }
    classify(shelf, &sums);
    shelf->cpu_room = (duet_int128)lambda * processors[DUET_CPU] - sums.cpu_fixed;
    shelf->gpu_room = (duet_int128)lambda * processors[DUET_GPU] - sums.gpu_fixed;
    if (shelf->gpu_room >= sums.gpu_work) { // the row says nothing
        shelf->gpu_room = sums.gpu_work;    // products stay below 2^125
        shelf->warm = zero;
    }
    bool cpu_full = shelf->cpu_slots < 0;
    bool gpu_full = shelf->gpu_slots < 0;
    if (cpu_full || gpu_full || shelf->c_total > shelf->cpu_slots + shelf->gpu_slots) {
        duet_shelf_prove_counts(shelf, cpu_full || !gpu_full, gpu_full || !cpu_full, certificate);
        return false;
    }
    return true;
}

static duet_multiplier reduced(int64_t cpu, int64_t gpu)
{
    int64_t divisor = (int64_t)duet_gcd((duet_uint128)cpu, (duet_uint128)gpu);
    return (duet_multiplier){cpu / divisor, gpu / divisor};
}

static duet_int128 weighted_work(duet_multiplier u, const duet_shelf_point *point)
{
    return (duet_int128)u.cpu * point->cpu_work + (duet_int128)u.gpu * point->gpu_work;
}

// Tries a multiplier. Returns false where that answers the guess: NO, its dual value exceeds the
// room on the CPUs; or YES, its point fits and that will do. Else the point has become `left` or
// `right`.
static bool try_multiplier(duet_shelf *shelf, duet_multiplier u, duet_shelf_tie tie,
                           duet_shelf_answer *answer)
{
    duet_shelf_point *point = shelf->trial;
    duet_shelf_evaluate(shelf, u, tie, point);
    answer->evaluations++;
    answer->value_num = weighted_work(u, point) - u.gpu * shelf->gpu_room;
    answer->value_den = u.cpu;
    duet_int128 most; // room beyond 2^127 is more than any work
    if (!__builtin_mul_overflow((duet_int128)u.cpu, shelf->cpu_room, &most) &&
        answer->value_num > most) {
        shelf->warm = u;
        duet_shelf_prove(shelf, u, point, &answer->certificate);
        return false;
    }
    duet_shelf_point **side = point->gpu_work > shelf->gpu_room ? &shelf->left : &shelf->right;
    if (*side == NULL) {
        // Three points serve: the two in use and the trial.
        for (int i = 0; i < 3; i++) {
            duet_shelf_point *other = &shelf->point[i];
            if (other != point && other != shelf->left && other != shelf->right) {
                shelf->trial = other;
            }
        }
    } else {
        shelf->trial = *side;
    }
    *side = point;
    answer->yes =
        shelf->decide && point->gpu_work <= shelf->gpu_room && point->cpu_work <= shelf->cpu_room;
    return !answer->yes;
}

// The last multiplier first: where it is still the right one, ties broken both ways enclose the
// room. Returns false where the guess is answered; *done where they do.
static bool try_warm(duet_shelf *shelf, duet_shelf_answer *answer, bool *done)
{
    *done = false;
    if (shelf->warm.cpu == 0) {
        return true;
    }
    if (!try_multiplier(shelf, shelf->warm, DUET_TIE_LEAST_GPU, answer)) {
        return false;
    }
    if (shelf->warm.gpu == 0) {
        *done = shelf->right != NULL; // the row of the GPU work is slack
    } else if (shelf->right != NULL) {
        if (!try_multiplier(shelf, shelf->warm, DUET_TIE_MOST_GPU, answer)) {
            return false;
        }
        *done = shelf->left != NULL;
    }
    return true;
}

// Least GPU work, then least CPU work. Returns false where the guess is answered.
static bool try_ends(duet_shelf *shelf, duet_shelf_answer *answer, bool *done)
{
    static const duet_multiplier infinite = {0, 1};
    *done = false;
    if (shelf->right == NULL && (!try_multiplier(shelf, infinite, DUET_TIE_LEAST_GPU, answer))) {
        return false;
    }
    if (shelf->left == NULL) {
        if (!try_multiplier(shelf, zero, DUET_TIE_LEAST_GPU, answer)) {
            return false;
        }
        *done = shelf->left == NULL; // all the work that gains fits
        shelf->warm = *done ? zero : shelf->warm;
    }
    return true;
}

// Multipliers between `left` and `right` until both are optimal for one. Returns false where the
// guess is answered.
static bool close_in(duet_shelf *shelf, duet_shelf_answer *answer)
{
    for (;;) {
        duet_multiplier u = reduced(shelf->left->gpu_work - shelf->right->gpu_work,
                                    shelf->right->cpu_work - shelf->left->cpu_work);
        duet_int128 known = weighted_work(u, shelf->left);
        duet_shelf_point *before[2] = {shelf->left, shelf->right};
        duet_shelf_point *tried = shelf->trial;
        if (!try_multiplier(shelf, u, DUET_TIE_LEAST_GPU, answer)) {
            return false;
        }
        if (weighted_work(u, tried) >= known) {
            shelf->left = before[0];
            shelf->right = before[1];
            shelf->trial = tried;
            shelf->warm = u;
            return true;
        }
    }
}

// Returns false where the guess is answered, true where the optimum lies between left and right.
static bool optimize(duet_shelf *shelf, int64_t lambda, duet_shelf_answer *answer)
{
    *answer = (duet_shelf_answer){.value_den = 1};
    shelf->left = NULL;
    shelf->right = NULL;
    shelf->trial = &shelf->point[0];
    bool done = false;
    return prepare(shelf, lambda, &answer->certificate) && try_warm(shelf, answer, &done) &&
           (done || try_ends(shelf, answer, &done)) && (done || close_in(shelf, answer));
}

void duet_shelf_solve(duet_shelf *shelf, int64_t lambda, duet_shelf_answer *answer)
{
    shelf->decide = false;
    answer->yes = false;
    if (optimize(shelf, lambda, answer)) {
        answer->yes = true;
        if (shelf->left != NULL) {
            duet_shelf_walk(shelf, answer);
        }
    }
}

void duet_shelf_decide(duet_shelf *shelf, int64_t lambda, duet_shelf_answer *answer)
{
    shelf->decide = true;
    answer->yes = optimize(shelf, lambda, answer) || answer->yes;
}

void duet_shelf_shares(const duet_shelf *shelf, int64_t *share)
{
    for (size_t i = 0; i < shelf->kinds; i++) {
        const duet_shelf_item *item = &shelf->item[i];
        bool on_cpu = item->p <= shelf->lambda;
        share[2 * item->kind + DUET_CPU] = on_cpu ? item->count : 0;
        share[2 * item->kind + DUET_GPU] = on_cpu ? 0 : item->count;
    }
    const duet_shelf_point *point = shelf->right;
    for (size_t i = 0; i < shelf->a_count && i <= point->a_gpu; i++) {
        const duet_shelf_item *item = &shelf->item[shelf->a[i]];
        int64_t on_gpu = i < point->a_gpu ? item->count : point->a_split;
        share[2 * item->kind + DUET_CPU] = item->count - on_gpu;
        share[2 * item->kind + DUET_GPU] = on_gpu;
    }
    for (size_t i = 0; i < shelf->first[DUET_MEMBER_CLASSES]; i++) {
        const duet_shelf_item *item = &shelf->item[shelf->member[i]];
        share[2 * item->kind + DUET_CPU] = point->on_cpu[i];
        share[2 * item->kind + DUET_GPU] = item->count - point->on_cpu[i];
    }
}
