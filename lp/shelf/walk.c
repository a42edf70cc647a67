// SPDX-License-Identifier: Apache-2.0
// Through the ties: two whole assignments, optimal for the same multiplier, differ by exchanges
// that cost nothing. Made one after the other, they lead from too little GPU work to too much; the
// one that crosses the room is made in part. An exchange is a circuit of the counting rows: a
// single task, two of a class, one of B and one of C, or one of C and one of D; every point on the
// way respects the rows because each change of a task or of a row's slack has the sign of the whole
// difference. So at most two tasks are divided.
//
// The remaining circuit, one of B, one of C and one of D, cannot be: a B on a CPU, though it takes
// a place there, gains by it, so u >= p/q > 1; a D on a GPU likewise has u <= p/q < 1. Not both
// tasks change type among assignments that are optimal for one u.
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "lp/shelf/shelf_state.h"

// The tasks of one class that change type in one direction.
typedef struct flow {
    size_t at, end; // members
    bool to_cpu;
    int64_t left; // tasks of member `at` still to move
} flow;

typedef struct walk {
    duet_shelf *shelf;
    duet_shelf_answer *answer;
    flow flows[DUET_MEMBER_CLASSES][2]; // by class and direction (1: to the CPUs)
} walk;

static int64_t difference(const duet_shelf *shelf, size_t member)
{
    return shelf->left->on_cpu[member] - shelf->right->on_cpu[member];
}

// Whether tasks are left to move; stands at them then.
static bool ready(const duet_shelf *shelf, flow *moving)
{
    while (moving->left == 0 && moving->at < moving->end) {
        int64_t change = difference(shelf, moving->at);
        if (moving->to_cpu ? change > 0 : change < 0) {
            moving->left = moving->to_cpu ? change : -change;
        } else {
            moving->at++;
        }
    }
    return moving->left > 0;
}

static const duet_shelf_item *item_of(const duet_shelf *shelf, const flow *moving)
{
    return &shelf->item[shelf->member[moving->at]];
}

static void move(duet_shelf *shelf, flow *moving, int64_t tasks)
{
    DUET_ASSERT(0 < tasks && tasks <= moving->left);
    const duet_shelf_item *item = item_of(shelf, moving);
    int64_t to_cpu = moving->to_cpu ? tasks : -tasks;
    shelf->right->on_cpu[moving->at] += to_cpu;
    shelf->right->cpu_work += to_cpu * item->p;
    shelf->right->gpu_work -= to_cpu * item->q;
    moving->left -= tasks;
    moving->at += moving->left == 0;
}

// How many of `most` exchanges of `change` > 0 each fit whole; records the fraction of the next one
// that does.
static int64_t fit(const duet_shelf *shelf, int64_t change, duet_shelf_answer *answer)
{
    int64_t room = (int64_t)(shelf->gpu_room - shelf->right->gpu_work);
    answer->fraction = (duet_fraction){(duet_uint128)(room % change), (duet_uint128)change};
    return room / change;
}

// Makes an exchange, one task of each flow, as often as there are tasks. Returns false where the
// room is reached: the walk ends.
static bool exchange(walk *state, flow *const *moving, size_t count)
{
    DUET_ASSERT(count <= 2);
    duet_shelf *shelf = state->shelf;
    int64_t often = INT64_MAX;
    int64_t change = 0; // of the GPU work
    for (size_t i = 0; i < count; i++) {
        often = duet_min(moving[i]->left, often);
        int64_t q = item_of(shelf, moving[i])->q;
        change += moving[i]->to_cpu ? -q : q;
    }
    bool crosses =
        change > 0 && (duet_int128)change * often > shelf->gpu_room - shelf->right->gpu_work;
    if (crosses) {
        often = fit(shelf, change, state->answer);
        if (state->answer->fraction.num > 0) {
            state->answer->parts = count;
            for (size_t i = 0; i < count; i++) {
                state->answer->part[i] = (duet_shelf_part){
                    item_of(shelf, moving[i])->kind, duet_shelf_member_class(shelf, moving[i]->at),
                    moving[i]->to_cpu};
            }
        }
    }
    for (size_t i = 0; i < count && often > 0; i++) {
        move(shelf, moving[i], often);
    }
    return !crosses;
}

// Exchanges between flows while all of them have tasks.
static bool exchange_all(walk *state, flow *const *moving, size_t count)
{
    for (;;) {
        for (size_t i = 0; i < count; i++) {
            if (!ready(state->shelf, moving[i])) {
                return true;
            }
        }
        if (!exchange(state, moving, count)) {
            return false;
        }
    }
}

// Class A: entries between the two cuts, one task at a time.
static bool walk_a(walk *state)
{
    duet_shelf *shelf = state->shelf;
    duet_shelf_point *point = shelf->right;
    if (shelf->left->a_gpu <= point->a_gpu) { // less GPU work: always fits
        size_t to = shelf->left->a_gpu;
        point->gpu_work -= shelf->a_gpu[point->a_gpu] - shelf->a_gpu[to];
        point->cpu_work += shelf->a_cpu[point->a_gpu] - shelf->a_cpu[to];
        point->a_gpu = to;
        return true;
    }
    for (; point->a_gpu < shelf->left->a_gpu; point->a_gpu++) {
        const duet_shelf_item *item = &shelf->item[shelf->a[point->a_gpu]];
        if ((duet_int128)item->q * item->count > shelf->gpu_room - point->gpu_work) {
            int64_t whole = fit(shelf, item->q, state->answer);
            if (state->answer->fraction.num > 0) {
                state->answer->parts = 1;
                state->answer->part[0] = (duet_shelf_part){item->kind, DUET_SHELF_A, false};
            }
            point->a_split = whole;
            point->gpu_work += item->q * whole;
            point->cpu_work -= item->p * whole;
            return false;
        }
        point->gpu_work += item->q * item->count;
        point->cpu_work -= item->p * item->count;
    }
    return true;
}

// The order of the kinds of exchange keeps every step's sign that of the whole: within a class
// first, then neighbours, then single tasks.
static bool walk_members(walk *state)
{
    flow(*flows)[2] = state->flows;
    for (int class = 0; class < DUET_MEMBER_CLASSES; class ++) {
        flow *pair[] = {&flows[class][0], &flows[class][1]};
        if (!exchange_all(state, pair, 2)) {
            return false;
        }
    }
    for (int way = 0; way < 2; way++) {
        flow *first[] = {&flows[DUET_MEMBER_B][way], &flows[DUET_MEMBER_C][!way]};
        flow *second[] = {&flows[DUET_MEMBER_C][!way], &flows[DUET_MEMBER_D][way]};
        if (!exchange_all(state, first, 2) || !exchange_all(state, second, 2)) {
            return false;
        }
    }
    for (int class = 0; class < DUET_MEMBER_CLASSES; class ++) {
        for (int way = 0; way < 2; way++) {
            flow *single[] = {&flows[class][way]};
            if (!exchange_all(state, single, 1)) {
                return false;
            }
        }
    }
    return true;
}

void duet_shelf_walk(duet_shelf *shelf, duet_shelf_answer *answer)
{
    walk state = {.shelf = shelf, .answer = answer};
    for (int class = 0; class < DUET_MEMBER_CLASSES; class ++) {
        for (int way = 0; way < 2; way++) {
            state.flows[class][way] =
                (flow){shelf->first[class], shelf->first[class + 1], way == 1, 0};
        }
    }
    if (walk_a(&state)) {
        walk_members(&state);
    }
}
