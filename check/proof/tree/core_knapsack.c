// SPDX-License-Identifier: Apache-2.0
// The core of a knapsack. Includes no solver header: this is what an outsider trusts.
//
// Method: tasks of a class are lumps of 1, 2, 4, ... of them, taken as a whole or not at all. By
// decreasing price per time, lumps are taken while they fit; the first that does not is the break
// lump. Taking part of it gives an upper bound on the price of all sets. A lump on either side of
// it can be otherwise than there only where the bound with that still exceeds the limit: these
// lumps are the core. It is gone through from the break lump outwards, one lump after the break and
// one before it in turn, over a list of states (time, price): each state goes on as it is, and with
// the lump added, or taken out. A state is dropped where another has no more time and no less
// price, or where the bound at the prices per time of the next lumps says that nothing above the
// limit follows. When no state is left, the limit holds.
//   At most K tasks fit, whichever they are. So a fee of f on every task, with f K added to all
// sets, is an upper bound as well: it makes the core small where all tasks are about as long. It is
// raised until no more than K tasks are taken.
// Guarantee: exact; floating point only chooses the fee.
// Cost:   O(lumps log lumps), with a fee that times log(highest price), and O(core x states).
// Memory: O(lumps + states).
// Reference: D. Pisinger, A minimal algorithm for the 0-1 knapsack problem, Oper. Res. 45 (1997).
#include "check/proof/tree/vector.h"

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { STATE = 8 }; // units of work that a state takes
#define LARGEST (INT64_C(1) << 61)

// Tasks of one class that are taken together.
typedef struct lump {
    int64_t time;
    int64_t price;
    int64_t tasks;
    int64_t value;  // its price less the fees of its tasks
    double density; // value per time, while the fee is chosen
} lump;

typedef struct state {
    int64_t time;
    int64_t price;
    int64_t value;
} state;

typedef struct core {
    duet_watch *watch;
    duet_error *error;
    duet_code code; // of the first sort that failed
    size_t most;    // states at once
    // The question:
    int64_t capacity;
    int64_t limit;
    // Lumps:
    lump *lumps;
    size_t count;
    int64_t fee;        // of each task
    duet_int128 wanted; // the least value of a set that is priced above the limit
    size_t first;       // the break lump
    state base;         // all lumps before it
    int64_t rate_value; // its value per time, or 0
    int64_t rate_time;  // above 0
    // States, by increasing time and price:
    state *list;
    size_t states;
    state *next;
    size_t next_states;
    bool broken;
    int64_t broken_time;
} core;

// Cuts the tasks of a class into lumps. More of them than fit, or than the limit takes, change
// nothing.
static duet_code add_class(core *s, int64_t time, int64_t price, int64_t count)
{
    int64_t fit = s->capacity / time;
    int64_t enough = s->limit / price + 1;
    count = duet_min(count, fit);
    count = duet_min(count, enough);
    for (int64_t size = 1; count > 0; size *= 2) {
        size = duet_min(size, count);
        DUET_TRY(duet_vec_push(s->lumps, s->count, s->error,
                               (lump){.time = time * size, .price = price * size, .tasks = size}));
        count -= size;
    }
    return DUET_OK;
}

static duet_code make_lumps(core *s, const duet_proof_model *model, int type, const int64_t *price)
{
    for (size_t c = 0; c < model->classes; c++) {
        if (price[c] > 0) {
            DUET_ASSERT(model->time[type][c] > 0);
            DUET_TRY(add_class(s, model->time[type][c], price[c], model->count[c]));
        }
    }
    return DUET_OK;
}

static int by_density(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    return a->density < b->density ? 1 : a->density > b->density ? -1 : 0;
}

// By decreasing value per time; of equal ones the longest first, since they fill best in this
// order.
static int by_value(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    return 2 * duet_order((duet_int128)b->value * a->time, (duet_int128)a->value * b->time) +
           duet_order(b->time, a->time);
}

static int by_task_time(const void *left, const void *right)
{
    const lump *a = left;
    const lump *b = right;
    return duet_order(a->time / a->tasks, b->time / b->tasks);
}

// Where it fails, s->code says so; what is found in that order counts for nothing.
static void sort(core *s, int (*compare)(const void *, const void *))
{
    DUET_THEN(s->code,
              duet_check_sort(s->lumps, s->count, sizeof *s->lumps, compare, s->watch, s->error));
}

// The most tasks that fit: the shortest ones.
static int64_t most_tasks(core *s)
{
    int64_t room = s->capacity;
    int64_t tasks = 0;
    sort(s, by_task_time);
    for (size_t i = 0; i < s->count && room > 0; i++) {
        const lump *at = &s->lumps[i];
        int64_t time = at->time / at->tasks;
        int64_t taken = duet_min(room / time, at->tasks);
        tasks += taken;
        room = taken < at->tasks ? 0 : room - at->time;
    }
    return tasks;
}

// How many tasks are taken at a fee, one lump in part.
static double tasks_at(core *s, int64_t fee)
{
    double room = (double)s->capacity;
    double tasks = 0;
    for (size_t i = 0; i < s->count; i++) {
        lump *at = &s->lumps[i];
        at->density = ((double)at->price - (double)fee * (double)at->tasks) / (double)at->time;
    }
    sort(s, by_density);
    for (size_t i = 0; i < s->count && room > 0 && s->lumps[i].density > 0; i++) {
        const lump *at = &s->lumps[i];
        double part = (double)at->time <= room ? 1 : room / (double)at->time;
        tasks += part * (double)at->tasks;
        room -= (double)at->time;
    }
    return tasks;
}

// The least fee at which no more tasks are taken than fit.
static void choose_fee(core *s)
{
    int64_t most = most_tasks(s);
    int64_t low = -1; // too many are taken
    int64_t high = 0;
    int64_t all = 1;
    for (size_t i = 0; i < s->count; i++) {
        int64_t price = s->lumps[i].price / s->lumps[i].tasks;
        high = duet_max(price, high);
        all += s->lumps[i].tasks;
    }
    high = duet_min(high, LARGEST / all); // any fee will do: no overflow
    if (tasks_at(s, 0) <= (double)most) {
        high = 0;
    }
    while (high - low > 1 && high > 0 && s->code == DUET_OK) {
        int64_t fee = low + (high - low) / 2;
        if (tasks_at(s, fee) <= (double)most) {
            high = fee;
        } else {
            low = fee;
        }
    }
    s->fee = high;
    s->wanted = (duet_int128)s->limit + 1 - (duet_int128)s->fee * most;
}

// Sorts the lumps and takes them up to the break lump.
static void take_lumps(core *s)
{
    for (size_t i = 0; i < s->count; i++) {
        s->lumps[i].value = s->lumps[i].price - s->fee * s->lumps[i].tasks;
    }
    sort(s, by_value);
    size_t i = 0;
    for (; i < s->count && s->lumps[i].value > 0 && s->lumps[i].time <= s->capacity - s->base.time;
         i++) {
        s->base.time += s->lumps[i].time;
        s->base.price += s->lumps[i].price;
        s->base.value += s->lumps[i].value;
    }
    bool positive = i < s->count && s->lumps[i].value > 0;
    s->first = i;
    s->rate_value = positive ? s->lumps[i].value : 0;
    s->rate_time = positive ? s->lumps[i].time : 1;
}

// Whether the upper bound with a lump taken (sign 1), taken out (-1), or with none of this (0),
// says that nothing above the limit follows.
static bool is_settled(const core *s, const lump *change, int sign)
{
    int64_t value = change == NULL ? 0 : sign * change->value;
    int64_t time = change == NULL ? 0 : sign * change->time;
    return (s->wanted - s->base.value - value) * s->rate_time >
           ((duet_int128)s->capacity - s->base.time - time) * s->rate_value;
}

// Whether nothing above the limit follows from a state, with `after` the next lump to add and
// `before` the next to take out; NULL if no such lump is left.
static bool is_hopeless(const core *s, const state *at, const lump *after, const lump *before)
{
    if (at->time <= s->capacity) {
        if (after == NULL || after->value <= 0) {
            return at->value < s->wanted;
        }
        return (s->wanted - at->value) * after->time >
               (duet_int128)(s->capacity - at->time) * after->value;
    }
    return before == NULL || (at->value - s->wanted) * before->time <
                                 (duet_int128)(at->time - s->capacity) * before->value;
}

// Appends a state that takes at least the time of those before it.
static void append(core *s, const state *at, const lump *after, const lump *before)
{
    if (s->next_states > 0 && s->next[s->next_states - 1].price >= at->price) {
        return; // no less price in no more time
    }
    if (at->time <= s->capacity && at->price > s->limit) {
        s->broken = true;
        s->broken_time = at->time;
    }
    if (is_hopeless(s, at, after, before)) {
        return;
    }
    if (s->next_states > 0 && s->next[s->next_states - 1].time == at->time) {
        s->next_states--;
    }
    s->next[s->next_states++] = *at;
}

static state moved(const state *at, const lump *change, int sign)
{
    return (state){at->time + sign * change->time, at->price + sign * change->price,
                   at->value + sign * change->value};
}

// Merges the list with the same list with a lump added (sign 1) or taken out (-1).
static duet_code apply(core *s, const lump *change, int sign, const lump *after, const lump *before)
{
    DUET_TRY(duet_vec_reserve(s->next, 2 * s->states, s->error));
    if (duet_watch_spend(s->watch, (int64_t)s->states * STATE * 2)) {
        return duet_check_stopped(s->watch, s->error);
    }
    size_t stay = 0;
    size_t move = 0;
    s->next_states = 0;
    while (stay < s->states || move < s->states) {
        state with = move < s->states ? moved(&s->list[move], change, sign) : (state){0, 0, 0};
        // Of two that take as long the dearer one comes first.
        bool take_moved = stay == s->states ||
                          (move < s->states &&
                           (with.time < s->list[stay].time ||
                            (with.time == s->list[stay].time && with.price > s->list[stay].price)));
        append(s, take_moved ? &with : &s->list[stay], after, before);
        stay += take_moved ? 0 : 1;
        move += take_moved ? 1 : 0;
    }
    state *list = s->list;
    s->list = s->next;
    s->states = s->next_states;
    s->next = list;
    return DUET_OK;
}

// The next lump of the core from `at` on; NULL: none. Those before the break lump are looked at
// downwards (sign -1), those after it upwards (1).
static const lump *next_of(const core *s, size_t *at, int sign)
{
    while (sign < 0 ? *at > 0 : *at < s->count) {
        const lump *here = &s->lumps[sign < 0 ? *at - 1 : *at];
        if (!is_settled(s, here, sign)) {
            return here;
        }
        *at = sign < 0 ? *at - 1 : *at + 1;
    }
    return NULL;
}

// Goes through the core.
static duet_code expand(core *s)
{
    size_t right = s->first;
    size_t left = s->first;
    const lump *after = next_of(s, &right, 1);
    const lump *before = next_of(s, &left, -1);
    duet_code code = duet_vec_grow(s->list, 0, s->error);
    if (code != DUET_OK) {
        return code;
    }
    s->list[s->states++] = s->base;
    bool add = true;
    while (code == DUET_OK && s->states > 0 && s->states <= s->most && !s->broken &&
           (after != NULL || before != NULL)) {
        const lump *change = (add && after != NULL) || before == NULL ? after : before;
        if (change == after) {
            right++;
            after = next_of(s, &right, 1);
            code = apply(s, change, 1, after, before);
        } else {
            left--;
            before = next_of(s, &left, -1);
            code = apply(s, change, -1, after, before);
        }
        add = !add;
    }
    return code;
}

static duet_code solve(core *s, duet_proof_core_answer *answer)
{
    if (s->count == 0) {
        answer->verdict = DUET_PROOF_CORE_HOLDS;
        return DUET_OK;
    }
    choose_fee(s);
    take_lumps(s);
    if (s->code != DUET_OK) {
        return s->code;
    }
    if (s->base.price > s->limit) {
        *answer = (duet_proof_core_answer){DUET_PROOF_CORE_BROKEN, s->base.time};
        return DUET_OK;
    }
    duet_code code = is_settled(s, NULL, 0) ? DUET_OK : expand(s);
    if (s->broken) {
        *answer = (duet_proof_core_answer){DUET_PROOF_CORE_BROKEN, s->broken_time};
    } else {
        answer->verdict = s->states > s->most ? DUET_PROOF_CORE_OPEN : DUET_PROOF_CORE_HOLDS;
    }
    return code;
}

duet_code duet_proof_core_knapsack(const duet_proof_model *model,
                                   const duet_proof_core_question *question, duet_watch *watch,
                                   duet_proof_core_answer *answer, duet_error *error)
{
    DUET_ASSERT(question->limit >= 0 && question->limit <= DUET_PROOF_MAX_SET);
    core s = {.watch = watch,
              .error = error,
              .most = question->most,
              .capacity = model->capacity[question->type],
              .limit = question->limit};
    *answer = (duet_proof_core_answer){DUET_PROOF_CORE_OPEN, 0};
    duet_code code = make_lumps(&s, model, question->type, question->price);
    DUET_THEN(code, solve(&s, answer));
    duet_free(s.lumps);
    duet_free(s.list);
    duet_free(s.next);
    return code;
}
