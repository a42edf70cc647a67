// SPDX-License-Identifier: Apache-2.0
#include "dp/knapsack/vector.h"

#include <stdlib.h>
#include <string.h>

#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum {
    MOST_DEPTH = 2000,   // of moves within moves
    LOOK_EVERY = 1 << 10 // nodes between looks at the clock
};

// A task of a class goes from its cheapest type to another.
typedef struct move {
    int64_t cost;  // weighted time
    int64_t price; // what its price rises by, maybe below 0
    uint32_t class;
    uint32_t to;
    bool leading; // from or to the leading type
} move;

typedef struct vector_search {
    // Inputs.
    const duet_vector_problem *problem;
    const duet_classes *classes;
    size_t types;
    duet_vector_visit *visit;
    void *self;
    duet_error *error;

    // The guess, which visits lower.
    int64_t guess;
    int64_t weight[DUET_MAX_TYPES];
    int64_t time[DUET_MAX_TYPES]; // of all processors of a type
    int64_t room;                 // weighted, of all types

    // Moves: those of the leading type first, then by decreasing cost.
    uint32_t *home; // per class: its cheapest type
    move *moves;
    size_t count;
    // What the moves from one on can change together, per move and one behind the last:
    int64_t *less; // per move and type: work that may leave the type
    int64_t *more; // per move and type: work that may come to the type
    int64_t *fall; // per move: the most that the price falls
    int64_t most_price;

    // The allocation.
    int64_t *tasks;
    int64_t work[DUET_MAX_TYPES];
    int64_t cost; // weighted work
    int64_t price;

    // Limits.
    int64_t nodes;
    bool complete;
    bool left; // no more with what the leading type has
} vector_search;

static void set_guess(vector_search *s, int64_t guess)
{
    s->guess = guess;
    s->room = 0;
    for (size_t t = 0; t < s->types; t++) {
        int64_t unit = s->classes->unit[t];
        s->time[t] = guess < 0 ? -1 : s->classes->processors[t] * (guess / unit * unit);
        s->room += s->weight[t] * s->time[t];
    }
}

// Weights so small that the weighted time of all processors, and the weighted work of all tasks,
// stay far below 2^63. False: the times are too long even for weights of 1.
static bool choose_weights(vector_search *s)
{
    const duet_int128 most = (duet_int128)1 << 60;
    duet_int128 longest = s->problem->guess;
    duet_int128 all = 0;
    for (size_t t = 0; t < s->types; t++) {
        all += (duet_int128)s->problem->weight[t] *
               (s->classes->processors[t] + s->classes->total) * longest;
    }
    int shift = 0;
    while (all >> shift >= most) {
        shift++;
    }
    duet_int128 unweighted = 0;
    for (size_t t = 0; t < s->types; t++) {
        s->weight[t] = s->problem->weight[t] >> shift;
        unweighted += (s->classes->processors[t] + s->classes->total) * longest;
    }
    return unweighted < most;
}

// How much a class's price on a type is above its least one; 0 without prices.
static int64_t price_above(const vector_search *s, size_t class, size_t type)
{
    const duet_prices *prices = s->problem->prices;
    if (prices == NULL) {
        return 0;
    }
    int64_t least = INT64_MAX;
    for (size_t t = 0; t < s->types; t++) {
        int64_t price = prices->price[t][class];
        least = duet_class_fits(s->classes, class, t) && price < least ? price : least;
    }
    return prices->price[type][class] - least;
}

// Whether one task of a class may be on a type.
static bool may_run(const vector_search *s, size_t class, size_t type, int64_t price_slack)
{
    return duet_class_fits(s->classes, class, type) && s->classes->processors[type] > 0 &&
           s->classes->time[type][class] <= s->guess && price_above(s, class, type) <= price_slack;
}

// The slack of the prices, or -1 where they refute the guess; all that there is without prices.
static int64_t price_slack(vector_search *s)
{
    const duet_prices *prices = s->problem->prices;
    duet_int128 slack = 0;
    if (prices == NULL) {
        return 0;
    }
    for (size_t t = 0; t < s->types; t++) {
        slack += (duet_int128)prices->limit[t] * s->classes->processors[t];
    }
    for (size_t c = 0; c < s->classes->count; c++) {
        int64_t least = INT64_MAX;
        for (size_t t = 0; t < s->types; t++) {
            int64_t price = prices->price[t][c];
            least = duet_class_fits(s->classes, c, t) && price < least ? price : least;
        }
        slack -= (duet_int128)least * s->classes->tasks[c];
    }
    return slack < 0 ? -1 : slack > INT64_MAX / 4 ? INT64_MAX / 4 : (int64_t)slack;
}

// The cheapest type of a class; false: there is none.
static bool find_home(vector_search *s, size_t class)
{
    int64_t least = INT64_MAX;
    bool any = false;
    for (size_t t = 0; t < s->types; t++) {
        int64_t cost =
            s->weight[t] * (may_run(s, class, t, s->most_price) ? s->classes->time[t][class] : 0);
        if (may_run(s, class, t, s->most_price) && (!any || cost < least)) {
            s->home[class] = (uint32_t)t;
            least = cost;
            any = true;
        }
    }
    return any;
}

// Every task on its cheapest type. False: some class fits nowhere.
static bool go_home(vector_search *s)
{
    for (size_t c = 0; c < s->classes->count; c++) {
        if (!find_home(s, c)) {
            return false;
        }
        size_t home = s->home[c];
        s->tasks[c * s->types + home] = s->classes->tasks[c];
        int64_t work = s->classes->tasks[c] * s->classes->time[home][c];
        s->work[home] += work;
        s->cost += s->weight[home] * work;
        s->price += s->classes->tasks[c] * price_above(s, c, home);
    }
    return true;
}

static int leading_first(const void *left, const void *right)
{
    const move *a = left;
    const move *b = right;
    if (a->leading != b->leading) {
        return a->leading ? -1 : 1;
    }
    if (a->cost != b->cost) {
        return a->cost > b->cost ? -1 : 1;
    }
    int class = (a->class > b->class) - (a->class < b->class);
    return class != 0 ? class : (a->to > b->to) - (a->to < b->to);
}

static duet_code list_moves(vector_search *s)
{
    int64_t slack = s->room - s->cost;
    duet_code code = DUET_OK;
    for (size_t c = 0; c < s->classes->count; c++) {
        size_t home = s->home[c];
        for (size_t t = 0; t < s->types && code == DUET_OK; t++) {
            if (t == home || !may_run(s, c, t, s->most_price)) {
                continue;
            }
            int64_t cost =
                s->weight[t] * s->classes->time[t][c] - s->weight[home] * s->classes->time[home][c];
            if (cost > slack) {
                continue;
            }
            code = duet_vec_grow(s->moves, s->count, s->error);
            if (code == DUET_OK) {
                s->moves[s->count++] =
                    (move){.cost = cost,
                           .price = price_above(s, c, t) - price_above(s, c, home),
                           .class = (uint32_t)c,
                           .to = (uint32_t)t,
                           .leading = home == s->problem->leading || t == s->problem->leading};
            }
        }
    }
    if (s->count > 1) {
        qsort(s->moves, s->count, sizeof *s->moves, leading_first);
    }
    return code;
}

static duet_code sum_reach(vector_search *s)
{
    size_t types = s->types;
    s->less = duet_alloc((s->count + 1) * types, sizeof *s->less, s->error);
    s->more = duet_alloc((s->count + 1) * types, sizeof *s->more, s->error);
    s->fall = duet_alloc(s->count + 1, sizeof *s->fall, s->error);
    DUET_NEED(s->less != NULL && s->more != NULL && s->fall != NULL);
    for (size_t i = s->count; i-- > 0;) {
        const move *m = &s->moves[i];
        size_t home = s->home[m->class];
        int64_t tasks = s->classes->tasks[m->class];
        memcpy(&s->less[i * types], &s->less[(i + 1) * types], types * sizeof *s->less);
        memcpy(&s->more[i * types], &s->more[(i + 1) * types], types * sizeof *s->more);
        s->less[i * types + home] += tasks * s->classes->time[home][m->class];
        s->more[i * types + m->to] += tasks * s->classes->time[m->to][m->class];
        s->fall[i] = s->fall[i + 1] + (m->price < 0 ? -m->price * tasks : 0);
    }
    return DUET_OK;
}

// Whether some of the moves from one on may lead to an allocation that fits: what leaves a type
// must bring its work within its time, and it must take what the others have no time for.
static bool is_reachable(const vector_search *s, size_t from)
{
    const int64_t *less = &s->less[from * s->types];
    const int64_t *more = &s->more[from * s->types];
    bool reachable = s->price - s->fall[from] <= s->most_price;
    for (size_t t = 0; t < s->types && reachable; t++) {
        int64_t others = s->room - s->weight[t] * s->time[t];
        reachable = s->work[t] - less[t] <= s->time[t] &&
                    s->cost - others <= s->weight[t] * (s->work[t] + more[t]);
    }
    return reachable;
}

static bool fits(const vector_search *s)
{
    bool fits = s->price <= s->most_price;
    for (size_t t = 0; t < s->types && fits; t++) {
        fits = s->work[t] <= s->time[t];
    }
    return fits;
}

// The least guess that the allocation fits.
static int64_t least_guess(const vector_search *s)
{
    int64_t least = 0;
    for (size_t t = 0; t < s->types; t++) {
        if (s->work[t] > 0) {
            int64_t unit = s->classes->unit[t];
            int64_t of_one = s->classes->processors[t] * unit;
            int64_t guess = (s->work[t] / of_one + (s->work[t] % of_one > 0)) * unit;
            least = duet_max(guess, least);
        }
    }
    return least;
}

static void apply(vector_search *s, const move *m, int64_t sign)
{
    size_t home = s->home[m->class];
    int64_t *tasks = &s->tasks[m->class * s->types];
    tasks[home] -= sign;
    tasks[m->to] += sign;
    s->work[home] -= sign * s->classes->time[home][m->class];
    s->work[m->to] += sign * s->classes->time[m->to][m->class];
    s->cost += sign * m->cost;
    s->price += sign * m->price;
}

// Whether the search is to go on at this depth.
static bool goes_on(vector_search *s, int depth)
{
    bool stopped = s->nodes % LOOK_EVERY == 0 && duet_context_stop(s->problem->context);
    s->nodes = stopped ? 0 : s->nodes;
    if (s->nodes <= 0 || depth > MOST_DEPTH) {
        s->complete = false;
        return false;
    }
    s->nodes--;
    return true;
}

static duet_code visit_this(vector_search *s)
{
    const duet_vector_allocation found = {s->tasks, least_guess(s)};
    duet_vector_wish wish = {.guess = s->guess};
    duet_code code = s->visit(s->self, &found, &wish, s->error);
    s->left = wish.leave_leader;
    if (wish.guess < s->guess) {
        set_guess(s, wish.guess);
    }
    return code;
}

// Visits the allocation, and those with moves from one on beside. Once the leader is left, all that
// is to be done are moves from or to it.
static duet_code expand(vector_search *s, size_t from, int depth)
{
    if (!goes_on(s, depth)) {
        return DUET_OK;
    }
    duet_code code = fits(s) ? visit_this(s) : DUET_OK;
    for (size_t i = from; i < s->count && code == DUET_OK; i++) {
        const move *m = &s->moves[i];
        if (s->cost > s->room || (s->left && !m->leading)) {
            return code;
        }
        if (m->cost > s->room - s->cost || s->tasks[m->class * s->types + s->home[m->class]] == 0) {
            continue;
        }
        if (!is_reachable(s, i)) {
            return code;
        }
        bool left = s->left;
        s->left = false;
        apply(s, m, 1);
        code = expand(s, i, depth + 1);
        apply(s, m, -1);
        s->left = m->leading ? left : s->left; // the leading type has the same tasks again
    }
    return code;
}

static duet_code search(vector_search *s)
{
    set_guess(s, s->problem->guess);
    s->most_price = price_slack(s);
    if (s->most_price < 0 || !go_home(s) || s->cost > s->room) {
        return DUET_OK; // nothing fits
    }
    DUET_TRY(list_moves(s));
    DUET_TRY(sum_reach(s));
    return expand(s, 0, 0);
}

duet_code duet_vector_search(const duet_vector_problem *problem, duet_vector_visit *visit,
                             void *self, bool *complete, duet_error *error)
{
    const duet_classes *classes = problem->classes;
    vector_search s = {.problem = problem,
                       .classes = classes,
                       .types = classes->types,
                       .visit = visit,
                       .self = self,
                       .error = error,
                       .nodes = problem->nodes,
                       .complete = true};
    *complete = false;
    if (!choose_weights(&s)) {
        return DUET_OK;
    }
    s.home = duet_alloc(classes->count, sizeof *s.home, error);
    s.tasks = duet_alloc(classes->count * classes->types, sizeof *s.tasks, error);
    duet_code code = s.home == NULL || s.tasks == NULL ? DUET_E_MEMORY : search(&s);
    *complete = code == DUET_OK && s.complete;
    enum { node = 50 }; // nanoseconds
    duet_count_work(node * (problem->nodes - s.nodes));
    duet_free(s.home);
    duet_free(s.tasks);
    duet_free(s.moves);
    duet_free(s.less);
    duet_free(s.more);
    duet_free(s.fall);
    return code;
}
