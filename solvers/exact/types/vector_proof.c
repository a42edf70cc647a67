// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/vector_proof.h"

#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/types/by_type.h"

enum {
    MOST_DEPTH = 2000,
    LOOK_EVERY = 64 // nodes
};

typedef struct proof {
    duet_types *types;
    duet_log *log;
    int64_t nodes;                   // left
    const duet_exact_effort *effort; // for an allocation
    int64_t *tasks;                  // of class c on type t at [c * types + t]
    // Prices by which leaves hold: of the relaxation (NULL: none) and of areas.
    duet_prices *relaxed;
    duet_prices shown;
    duet_prices area[2 * DUET_MAX_TYPES + 1];
    size_t areas;
    bool by_class; // branches on the longest tasks first; else on those of the leading type
    // Per depth: the node there.
    duet_residual *saved;
    size_t depths;
    bool lost; // something stays open
} proof;

// A number of tasks to branch on.
typedef struct choice {
    size_t class, type;
    bool any;
} choice;

static duet_code make_room(proof *p, size_t depth, duet_error *error)
{
    duet_code code = DUET_OK;
    while (depth >= p->depths && code == DUET_OK) {
        code = duet_vec_grow(p->saved, p->depths, error);
        if (code == DUET_OK) {
            code = duet_residual_create(&p->types->classes, &p->saved[p->depths], error);
            p->depths += code == DUET_OK;
        }
    }
    return code;
}

// The weights of the area bound; those of one type alone, and of all others alone.
static duet_code list_areas(proof *p, duet_error *error)
{
    const duet_classes *classes = &p->types->classes;
    size_t types = classes->types;
    duet_code code = DUET_OK;
    for (size_t i = 0; i < 2 * types + 1 && code == DUET_OK; i++) {
        int64_t weight[DUET_MAX_TYPES] = {0};
        bool positive = false;
        for (size_t t = 0; t < types; t++) {
            bool left_out = i > types && t == i - types - 1;
            bool other = i > 0 && i <= types && t != i - 1;
            weight[t] = other || left_out ? 0 : i > 0 && i <= types ? 1 : p->types->weight[t];
            positive = positive || weight[t] > 0;
        }
        if (positive) {
            code = duet_prices_create(classes, &p->area[p->areas], error);
            p->areas += code == DUET_OK;
        }
        if (positive && code == DUET_OK) {
            duet_prices_by_area(classes, weight, &p->area[p->areas - 1]);
        }
    }
    return code;
}

// The slack of prices; those of areas have limits of the guess, which may be below the classes'.
static duet_int128 slack_of(const proof *p, const duet_prices *prices)
{
    const duet_types *s = p->types;
    size_t types = s->classes.types;
    duet_int128 slack = 0;
    enum { each = 12 }; // nanoseconds
    duet_count_work(each * (int64_t)(s->classes.count * types));
    for (size_t t = 0; t < types; t++) {
        int64_t unit = s->classes.unit[t];
        bool area = prices->weight[0] >= 0;
        duet_int128 limit =
            area ? (duet_int128)prices->weight[t] * (duet_int128)(p->log->guess / unit * unit)
                 : prices->limit[t];
        slack += limit * s->state.processors[t];
    }
    for (size_t c = 0; c < s->classes.count; c++) {
        if (!duet_residual_settled(&s->state, c)) {
            slack -= duet_residual_price(&s->state, prices, c);
            continue;
        }
        for (size_t t = 0; t < types; t++) {
            slack -= (duet_int128)prices->price[t][c] * duet_residual_least(&s->state, c, t);
        }
    }
    return slack;
}

// Cuts off what a slack does not pay for. Returns whether that was anything.
static bool narrow(proof *p, duet_prices *prices, duet_int128 slack)
{
    duet_types *s = p->types;
    bool cut = false;
    for (size_t c = 0; c < s->classes.count; c++) {
        duet_int128 price[DUET_MAX_TYPES];
        if (duet_residual_settled(&s->state, c)) {
            continue;
        }
        for (size_t t = 0; t < s->classes.types; t++) {
            price[t] = prices->price[t][c];
        }
        for (size_t t = 0; t < s->classes.types; t++) {
            int64_t room =
                duet_residual_most(&s->state, c, t) - duet_residual_least(&s->state, c, t);
            if (room > 0) {
                duet_types_cut(s, c, t, price, slack, p->log, prices);
                cut = cut ||
                      duet_residual_most(&s->state, c, t) - duet_residual_least(&s->state, c, t) <
                          room;
            }
        }
    }
    return cut;
}

// Whether some prices make the node a leaf; those that do not narrow it.
static bool is_priced_out(proof *p)
{
    bool cut = true;
    while (cut) {
        duet_int128 slack = p->relaxed != NULL ? slack_of(p, p->relaxed) : 0;
        if (slack < 0) {
            duet_log_price(p->log, p->relaxed);
            return true;
        }
        for (size_t i = 0; i < p->areas; i++) {
            if (slack_of(p, &p->area[i]) < 0) {
                duet_log_price(p->log, &p->area[i]);
                return true;
            }
        }
        cut = p->relaxed != NULL && narrow(p, p->relaxed, slack);
        for (size_t i = 0; i < p->areas; i++) {
            slack = slack_of(p, &p->area[i]);
            cut = (slack < 0 || narrow(p, &p->area[i], slack)) || cut; // below 0: a leaf next time
        }
    }
    return false;
}

// Whether a type of which everything is decided has no schedule, as is known.
static bool is_known(proof *p)
{
    duet_types *s = p->types;
    size_t types = s->classes.types;
    bool known = false;
    for (size_t t = 0; t < types && !known; t++) {
        bool decided = true;
        for (size_t c = 0; c < s->classes.count && decided; c++) {
            p->tasks[c * types + t] = duet_residual_least(&s->state, c, t);
            decided = duet_residual_most(&s->state, c, t) == duet_residual_least(&s->state, c, t);
        }
        known = decided && duet_types_log_type(s, p->tasks, t, p->log);
    }
    return known;
}

// The undecided number of the leading type's classes, or else of all, whose tasks weigh most.
static choice choose_number(const proof *p)
{
    const duet_types *s = p->types;
    choice best = {.any = false};
    double most = -1;
    for (size_t c = 0; c < s->classes.count; c++) {
        for (size_t t = 0; t < s->classes.types; t++) {
            if (duet_residual_least(&s->state, c, t) == duet_residual_most(&s->state, c, t)) {
                continue;
            }
            double weight = (double)s->weight[t] + 1;
            double cost = weight * (double)s->classes.time[t][c] * (t == s->leading ? 1e12 : 1);
            if (cost > most) {
                most = cost;
                best = (choice){c, t, true};
            }
        }
    }
    return best;
}

// The undecided class whose least time is the longest, on the type where its tasks weigh least: so
// that types fill up with long tasks first.
static choice choose_class(const proof *p)
{
    const duet_types *s = p->types;
    choice best = {.any = false};
    int64_t longest = -1;
    for (size_t c = 0; c < s->classes.count; c++) {
        choice at = {.class = c};
        int64_t least = INT64_MAX;
        double lightest = 0;
        for (size_t t = 0; t < s->classes.types; t++) {
            bool open = duet_residual_least(&s->state, c, t) < duet_residual_most(&s->state, c, t);
            double weight = ((double)s->weight[t] + 1) * (double)s->classes.time[t][c];
            if (open && (!at.any || weight < lightest)) {
                at = (choice){c, t, true};
                lightest = weight;
            }
            least = open ? duet_min(s->classes.time[t][c], least) : least;
        }
        if (at.any && least > longest) {
            longest = least;
            best = at;
        }
    }
    return best;
}

// An allocation that fits, and of which no type is known to fail: other prices ruled it out.
static duet_code schedule(proof *p, duet_error *error)
{
    int64_t least = p->log->guess;
    duet_code code = duet_types_schedule_by_type(p->types, p->tasks, p->effort, &least, error);
    p->lost = p->lost || least <= p->log->guess;
    if (code == DUET_OK && !p->lost) {
        duet_types_log_allocation(p->types, p->tasks, p->log);
    }
    return code;
}

static duet_code visit(proof *p, size_t depth, duet_error *error);

static duet_code visit_children(proof *p, choice at, size_t depth, duet_error *error)
{
    duet_types *s = p->types;
    duet_residual *state = &s->state;
    duet_code code = make_room(p, depth, error);
    if (code != DUET_OK) {
        return code;
    }
    int64_t low = duet_residual_least(state, at.class, at.type);
    int64_t high = duet_residual_most(state, at.class, at.type);
    int64_t bound = low + (high - low - 1) / 2;
    duet_log_branch_type(p->log, at.type, at.class, bound, false);
    duet_residual_copy(&s->classes, state, &p->saved[depth]);
    for (int i = 0; i < 2 && code == DUET_OK && !p->lost; i++) {
        duet_residual_limit(state, at.class, at.type, i == 0 ? low : bound + 1,
                            i == 0 ? bound : high);
        code = visit(p, depth + 1, error);
        duet_residual_copy(&s->classes, &p->saved[depth], state);
    }
    return code;
}

static duet_code visit(proof *p, size_t depth, duet_error *error)
{
    bool stopped = p->nodes % LOOK_EVERY == 0 && duet_context_stop(p->types->exact->context);
    p->lost = p->lost || stopped || p->nodes-- <= 0 || depth >= MOST_DEPTH || p->log->out.lost;
    if (p->lost || is_priced_out(p) || is_known(p)) {
        return DUET_OK;
    }
    choice at = p->by_class ? choose_class(p) : choose_number(p);
    return at.any ? visit_children(p, at, depth, error) : schedule(p, error);
}

duet_code duet_types_prove_allocations(duet_types *s, int64_t guess, bool prices,
                                       const duet_types_allocating *effort, bool by_class,
                                       bool *proven, duet_error *error)
{
    proof *p = duet_alloc(1, sizeof *p, error);
    DUET_NEED(p);
    *p = (proof){.types = s,
                 .log = duet_types_start_log(s, guess),
                 .nodes = effort->nodes,
                 .effort = &effort->one};
    p->by_class = by_class;
    p->shown = s->prices; // counts are not limited: they have no prices
    p->shown.rows = 0;
    p->shown.id = -1;
    p->relaxed = prices ? &p->shown : NULL;
    p->tasks = duet_alloc(s->classes.count * s->classes.types, sizeof *p->tasks, error);
    duet_code code = p->tasks == NULL ? DUET_E_MEMORY : list_areas(p, error);
    if (code == DUET_OK && duet_types_begin(s, guess, p->log)) {
        code = visit(p, 0, error);
    }
    *proven = code == DUET_OK && !p->lost && !p->log->out.lost;
    for (size_t i = 0; i < p->areas; i++) {
        duet_prices_free(&p->area[i]);
    }
    for (size_t i = 0; i < p->depths; i++) {
        duet_residual_free(&p->saved[i]);
    }
    duet_free(p->saved);
    duet_free(p->tasks);
    duet_free(p);
    return code;
}
