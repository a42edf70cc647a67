// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/branch_and_price.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "lp/configuration/pricing.h"
#include "solvers/exact/branching_row.h"
#include "solvers/exact/dive.h"
#include "solvers/exact/pool/dive.h"
#include "solvers/exact/pool/pool.h"

enum {
    PROGRAM_ROUNDS = 1000,
    OPEN_DEALS = 10,  // after so many of them it is given up
    MEMORY_SHARE = 8, // the nodes on the way down get 1/8 of the memory, and a list as much
};

// A class whose tasks were cut off by price, or branched on.
typedef struct change {
    size_t class;
    int64_t low, high; // before
} change;

// A node on the way down.
typedef struct node {
    duet_prices prices;
    size_t changes; // when it began
    int64_t after;  // leaves by its prices that follow what is below it
    size_t class;   // branched on: at most `most` of its tasks on CPUs, or more
    int64_t most;
    bool counts; // instead of a class, so many of this
    duet_branching_count count;
    size_t counts_before, tallies_before;
    int children; // begun so far
    bool fixes;   // one child alone, with what area cuts off
    bool levels;  // one child alone, whose list has the patterns that are full enough
    bool makes_list, narrows_list;
    size_t list_mark;               // before it was narrowed
    duet_pool_position solved;      // the program over the list, for the children
    duet_configuration_start start; // or that over all patterns
    size_t bytes;                   // of all that
} node;

typedef struct tree {
    const duet_classes *classes;
    const bool *area;
    const bool *pooled;
    duet_column_store *store;
    int64_t most;
    const duet_cover_limits *limits;
    duet_random *random;
    const duet_context *context;
    duet_log *log;
    duet_loads *loads;
    duet_cover_stats *cover;
    duet_tree_stats *stats;
    duet_residual state;
    duet_configuration *program;       // the last relaxation over all patterns
    duet_branching_row *branching_row; // that are open since before there was a list
    size_t branching_rows, tally_room;
    duet_pool *pool;      // of the patterns that are left; NULL: not yet, they are too many
    double width;         // of the last prices: the budget in limits of the list's type
    double too_wide;      // of the last ones that left too many
    duet_prices settling; // for any set of tasks, at nodes with a list; and those of dives
    duet_prices load[2];  // time alone
    bool levelled;        // the list was narrowed by them
    int64_t decided;      // nodes since then
    double *share;        // of each class on the CPUs, in the last relaxation
    int64_t *allocation;  // the last that was tried, tasks on CPUs
    int64_t *given;       // its tasks on the list's type
    bool *counted;        // the classes of what is branched on
    size_t bytes;         // of the nodes on the way down
    int64_t open; // deals that were neither refuted nor scheduled: nothing can be refuted any more
    node *node;   // the way down
    size_t nodes, node_room;
    change *change;
    size_t changes, change_room;
} tree;

static duet_code bound_class(tree *s, size_t class, int64_t low, int64_t high, duet_error *error)
{
    duet_code code = duet_grow(&s->change, s->changes, &s->change_room, sizeof *s->change, error);
    if (code == DUET_OK) {
        s->change[s->changes++] = (change){class, s->state.low[class], s->state.high[class]};
        s->state.low[class] = low;
        s->state.high[class] = high;
    }
    return code;
}

static void back_to(tree *s, size_t changes)
{
    while (s->changes > changes) {
        const change *last = &s->change[--s->changes];
        s->state.low[last->class] = last->low;
        s->state.high[last->class] = last->high;
    }
}

// Bytes for the nodes on the way down, for a list, and for what is left of it further down.
static size_t memory_share(const tree *s)
{
    return duet_memory_limit(s->context->memory_limit) / MEMORY_SHARE;
}

// How many tasks of each class the relaxation puts on CPUs.
static void read_shares(tree *s, const duet_configuration *program)
{
    size_t type = s->area[0]; // one that has patterns
    memset(s->share, 0, s->classes->count * sizeof *s->share);
    for (size_t i = 0; i < duet_configuration_patterns(program); i++) {
        duet_configuration_pattern pattern = duet_configuration_pattern_at(program, i);
        for (size_t p = 0; p < pattern.parts && pattern.type == type; p++) {
            s->share[pattern.part[p].class] += pattern.value * (double)pattern.part[p].tasks;
        }
    }
    for (size_t c = 0; c < s->classes->count && type == 1; c++) {
        s->share[c] = (double)s->state.left[c] - s->share[c];
    }
}

// What the prices cut off may have left a share outside of its range; so may a program that was not
// solved to its end.
static void clamp_shares(tree *s)
{
    for (size_t c = 0; c < s->classes->count; c++) {
        s->share[c] = fmax(s->share[c], (double)s->state.low[c]);
        s->share[c] = fmin(s->share[c], (double)s->state.high[c]);
    }
}

// Whether lists are of use: one type alone has patterns.
static bool lists(const tree *s)
{
    size_t type = s->area[0];
    return s->area[0] != s->area[1] && s->pooled[type] && s->state.processors[type] > 0;
}

// Whether the next prices may leave few enough patterns for a list, and should be worth it.
static bool may_list(const tree *s)
{
    const double hope = 0.75;
    return s->pool == NULL && lists(s) && s->width <= hope * s->too_wide;
}

// The program is about the tallies and the state as they are: before either changes it has to go.
static void forget_program(tree *s)
{
    duet_configuration_free(s->program);
    s->program = NULL;
}

// Solves the relaxation over all patterns, with the tallies that are open or without.
static duet_code relax_all(tree *s, size_t branching_rows, const duet_configuration_start *start,
                           duet_prices *prices, duet_verdict *verdict, duet_error *error)
{
    duet_configuration_answer answer = {.any = false};
    forget_program(s);
    duet_code code = duet_prices_make_room(prices, branching_rows, error);
    if (code == DUET_OK) {
        code = duet_configuration_create(s->classes, &s->state, s->area, s->store, start,
                                         &s->program, error);
    }
    if (code == DUET_OK) {
        code = duet_configuration_add_branching_rows(s->program, s->branching_row, branching_rows,
                                                     error);
    }
    if (code == DUET_OK) {
        code = duet_configuration_probe(s->program, PROGRAM_ROUNDS, may_list(s), s->context, prices,
                                        &answer, error);
        s->stats->programs += answer.iterations;
    }
    *verdict = answer.refuted ? DUET_REFUTED : DUET_OPEN;
    if (code == DUET_OK && answer.any && !answer.refuted && !duet_context_stop(s->context)) {
        read_shares(s, s->program);
        *verdict = DUET_FOUND; // there is something to go on with
    }
    return code;
}

// A share of a class on CPUs as one on the list's type, or the other way round.
static double turn_share(const tree *s, size_t class)
{
    return duet_pool_type(s->pool) == 0 ? s->share[class]
                                        : (double)s->state.left[class] - s->share[class];
}

// Solves the relaxation over the list.
static duet_code relax_listed(tree *s, const duet_pool_position *from, duet_verdict *verdict,
                              duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    duet_pool_status status;
    duet_pool_resume(s->pool, from);
    duet_code code = duet_pool_relax(s->pool, &s->state, &top->prices, s->share, &status, error);
    if (code == DUET_OK && status == DUET_POOL_SOLVED) {
        code = duet_pool_note(s->pool, &top->solved, error);
    }
    for (size_t c = 0; c < s->classes->count; c++) {
        s->share[c] = turn_share(s, c);
    }
    s->stats->listed++;
    s->stats->decided += s->levelled;
    *verdict = status == DUET_POOL_REFUTED  ? DUET_REFUTED
               : status == DUET_POOL_SOLVED ? DUET_FOUND
                                            : DUET_OPEN;
    return code;
}

// Solves the relaxation of the node on top, which is not the first.
static duet_code relax(tree *s, duet_verdict *verdict, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    const node *from = &s->node[s->nodes - 2];
    if (s->pool != NULL) {
        return relax_listed(s, &from->solved, verdict, error);
    }
    duet_code code = relax_all(s, s->branching_rows, &from->start, &top->prices, verdict, error);
    return code == DUET_OK && *verdict == DUET_FOUND
               ? duet_configuration_note(s->program, &top->start, error)
               : code;
}

// Prices of tallies change what tasks are worth, unless patterns are priced with them.
static bool tallied(const tree *s, const duet_prices *prices)
{
    return prices->counts > 0 && !prices->listed[s->area[0]];
}

static duet_int128 budget_of(const tree *s, const duet_prices *prices)
{
    if (tallied(s, prices)) {
        return duet_branching_rows_slack(s->classes, &s->state, prices, s->branching_row);
    }
    duet_int128 row_term = prices->counts > 0 ? duet_pool_row_term(s->pool, prices) : 0;
    return duet_residual_slack(s->classes, &s->state, prices) + row_term;
}

// What a task of a class is worth on a type.
static duet_int128 price_of(const tree *s, const duet_prices *prices, size_t class, size_t type)
{
    int64_t more = tallied(s, prices) ? duet_branching_rows_price(s->classes, prices,
                                                                  s->branching_row, class, type)
                                      : 0;
    return (duet_int128)prices->price[type][class] + more;
}

// What a list counts of tasks of at least some time.
static duet_branching_count whole_tasks(int64_t time)
{
    return (duet_branching_count){.time = time, .pair = {SIZE_MAX, SIZE_MAX}};
}

// Lists the patterns that the node's prices leave of the one type that has patterns, where they are
// few. After they were too many, only a much smaller budget is worth another try.
static duet_code make_list(tree *s, duet_int128 slack, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    size_t type = s->area[0];
    if (!lists(s) || top->prices.limit[type] == 0) {
        return DUET_OK;
    }
    s->width = (double)slack / (double)top->prices.limit[type];
    if (s->width > 1 || s->width > s->too_wide / 2) {
        return DUET_OK;
    }
    duet_patterns patterns;
    const duet_patterns_request request = {.type = type,
                                           .slack = (int64_t)slack,
                                           .most = s->limits->listed,
                                           .most_bytes = memory_share(s),
                                           .plain = true};
    duet_code code = duet_patterns_enumerate(s->classes, &s->state, &top->prices, &request,
                                             s->context, &patterns, error);
    if (code != DUET_OK || patterns.status != DUET_PATTERNS_COMPLETE ||
        duet_context_stop(s->context) || duet_pool_more_bytes(&patterns) > memory_share(s)) {
        s->too_wide = s->width;
        s->stats->wide = true;
        duet_patterns_free(&patterns);
        return code;
    }
    code =
        duet_pool_create(s->classes, s->context, &s->stats->programs, &patterns, &s->pool, error);
    if (code == DUET_OK && s->program != NULL) {
        code = duet_pool_seed(s->pool, s->program, error);
    }
    forget_program(s);
    for (size_t i = 0; i < s->branching_rows && code == DUET_OK; i++) {
        const duet_branching_row *open = &s->branching_row[i];
        code = duet_pool_open(s->pool, whole_tasks(open->time), open->at_least, open->bound, error);
    }
    if (code == DUET_OK) {
        top->makes_list = true;
        duet_log_list(s->log, &top->prices, type, duet_pool_count(s->pool));
    }
    return code;
}

// What the node's prices leave of the patterns is all that there is below it.
static duet_code list_patterns(tree *s, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    duet_int128 slack = budget_of(s, &top->prices);
    if (s->pool == NULL) {
        return make_list(s, slack, error);
    }
    duet_code code =
        duet_pool_narrow(s->pool, &s->state, &top->prices, slack, &top->list_mark, error);
    if (code == DUET_OK) {
        top->narrows_list = true;
        duet_log_list(s->log, &top->prices, duet_pool_type(s->pool), duet_pool_count(s->pool));
    }
    return code;
}

// Once it is decided which tasks the list's type gets, none of its processors is idle for longer
// than all of them are together.
static duet_code level_list(tree *s, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    size_t type = duet_pool_type(s->pool);
    size_t mark;
    duet_code code =
        duet_pool_narrow(s->pool, &s->state, &s->load[type],
                         duet_residual_slack(s->classes, &s->state, &s->load[type]), &mark, error);
    if (code == DUET_OK) {
        top->list_mark = top->narrows_list ? top->list_mark : mark;
        top->narrows_list = top->levels = s->levelled = true;
        s->decided = 0;
        duet_log_list(s->log, &s->load[type], type, duet_pool_count(s->pool));
    }
    return code;
}

// Cuts off what the budget cannot pay for: numbers of tasks of a class on the CPUs at the end where
// they are worth more. The part cut off is a leaf.
static duet_code fix_class(tree *s, size_t class, duet_int128 slack, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    int64_t low;
    int64_t high;
    duet_int128 slope = price_of(s, &top->prices, class, 0) - price_of(s, &top->prices, class, 1);
    duet_residual_fix(&s->state, class, slope, slack, &low, &high);
    if (high < s->state.high[class]) {
        duet_log_branch(s->log, class, high);
        top->after++;
    } else if (low > s->state.low[class]) {
        duet_log_branch(s->log, class, low - 1);
        duet_log_price(s->log, &top->prices);
    } else {
        return DUET_OK;
    }
    return bound_class(s, class, low, high, error);
}

static duet_code fix_all(tree *s, duet_error *error)
{
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    duet_int128 slack = budget_of(s, prices);
    duet_code code = DUET_OK;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK && slack >= 0; c++) {
        code = fix_class(s, c, slack, error);
    }
    return code;
}

// The class that the relaxation divides most; SIZE_MAX: none is divided.
static size_t divided(const tree *s)
{
    const double least = 1e-5;
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t c = 0; c < s->classes->count; c++) {
        double whole = floor(s->share[c]);
        double part = fmin(s->share[c] - whole, whole + 1 - s->share[c]);
        if (part > least && s->state.low[c] < s->state.high[c] && part > most) {
            most = part;
            best = c;
        }
    }
    return best;
}

// The class that is undecided at the least difference of price; SIZE_MAX: all are decided.
static size_t undecided(const tree *s)
{
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    size_t best = SIZE_MAX;
    duet_int128 least = INT64_MAX;
    for (size_t c = 0; c < s->classes->count; c++) {
        duet_int128 off = price_of(s, prices, c, 0) - price_of(s, prices, c, 1);
        off = off < 0 ? -off : off;
        if (s->state.low[c] < s->state.high[c] && off < least) {
            least = off;
            best = c;
        }
    }
    return best;
}

// Where few classes are undecided, the one at the greatest difference of price: soon the deal is
// one alone, and the patterns that are left are those of its tasks. SIZE_MAX: there is none, or too
// many.
static size_t last_undecided(const tree *s)
{
    enum { few = 16 };
    const duet_prices *prices = &s->node[s->nodes - 1].prices;
    size_t best = SIZE_MAX;
    size_t count = 0;
    duet_int128 most = -1;
    for (size_t c = 0; c < s->classes->count; c++) {
        duet_int128 off = price_of(s, prices, c, 0) - price_of(s, prices, c, 1);
        off = off < 0 ? -off : off;
        if (s->state.low[c] < s->state.high[c]) {
            count++;
            best = off > most ? c : best;
            most = off > most ? off : most;
        }
    }
    return count <= few ? best : SIZE_MAX;
}

// Whether the relaxation proposes another deal than the last one that was tried, which it then is.
static bool is_new_deal(tree *s)
{
    bool same = true;
    for (size_t c = 0; c < s->classes->count; c++) {
        int64_t on_cpu = (int64_t)floor(s->share[c] + 0.5);
        same = same && s->allocation[c] == on_cpu;
        s->allocation[c] = on_cpu;
    }
    return !same;
}

// Whether the loads from `first` on end within the capacity of a type.
static bool ends_within(const tree *s, size_t first, size_t type)
{
    for (size_t l = first; l < s->loads->loads; l++) {
        const duet_load *load = &s->loads->load[l];
        duet_int128 end = 0;
        for (size_t p = load->begin; p < load->begin + load->parts; p++) {
            const duet_pattern_part *part = &s->loads->part[p];
            end += (duet_int128)s->classes->time[type][part->class] * part->tasks;
        }
        if (end > s->classes->capacity[type]) {
            return false;
        }
    }
    return true;
}

// Packs what a type gets. Its loads are levelled as far as the effort goes, not just to the length:
// the schedule may then be much shorter.
static duet_code pack_type(tree *s, size_t type, bool *fits, duet_error *error)
{
    duet_int128 work = duet_residual_work(s->classes, &s->state, type);
    int64_t processors = s->state.processors[type];
    size_t loads = s->loads->loads;
    size_t parts = s->loads->parts;
    *fits = false;
    if (processors > 0 && work <= (duet_int128)processors * s->classes->capacity[type]) {
        int64_t target = (int64_t)((work + processors - 1) / processors);
        duet_code code =
            duet_cover_level(s->classes, &s->state, type, target, s->limits->pack_effort, s->random,
                             s->context, s->loads, error);
        *fits = code == DUET_OK && ends_within(s, loads, type);
        if (code != DUET_OK || *fits) {
            return code;
        }
        s->loads->loads = loads;
        s->loads->parts = parts;
    }
    return duet_cover_pack(s->classes, &s->state, type, s->limits->pack_effort, s->random,
                           s->context, s->loads, fits, error);
}

// The type without a list, beside the loads of the other one. Where it cannot be packed, nothing is
// found.
static duet_code pack_other(tree *s, bool *found, duet_error *error)
{
    duet_code code = DUET_OK;
    if (*found) {
        code = pack_type(s, 1 - duet_pool_type(s->pool), found, error);
    }
    if (!*found) {
        s->loads->loads = s->loads->parts = 0;
    }
    return code;
}

// Dives over the list for the deal of the state, until one finds it a schedule.
static duet_code dive_over_list(tree *s, int dives, bool *found, duet_error *error)
{
    duet_code code = DUET_OK;
    const duet_pool_diver diver = {.load = s->load,
                                   .limits = s->limits,
                                   .random = s->random,
                                   .scratch = &s->settling,
                                   .loads = s->loads,
                                   .stats = s->cover};
    *found = false;
    s->loads->loads = s->loads->parts = 0;
    for (int i = 0; i < dives && code == DUET_OK && !*found && !duet_context_stop(s->context);
         i++) {
        code = duet_pool_dive(s->pool, &s->state, &diver, found, error);
    }
    return code == DUET_OK ? pack_other(s, found, error) : code;
}

// Schedules the deal of the state by the list: the relaxation's own patterns, or a dive.
static duet_code schedule_listed(tree *s, bool dives, bool *found, duet_error *error)
{
    duet_code code = duet_pool_take(s->pool, s->given, s->loads, found, error);
    if (code == DUET_OK) {
        code = pack_other(s, found, error);
    }
    return code == DUET_OK && !*found && dives ? dive_over_list(s, 1, found, error) : code;
}

// Schedules the deal of the state: the list, packing, dives.
static duet_code schedule_deal(tree *s, bool fresh, bool dives_listed, bool *found,
                               duet_error *error)
{
    enum { dives = 2 };
    duet_code code = DUET_OK;
    s->loads->loads = s->loads->parts = 0;
    *found = false;
    if (s->pool != NULL) {
        code = schedule_listed(s, dives_listed, found, error);
    }
    if (code != DUET_OK || *found || !fresh) {
        return code;
    }
    *found = true;
    for (size_t t = 0; t < 2 && code == DUET_OK && *found; t++) {
        code = duet_cover_pack(s->classes, &s->state, t, s->limits->pack_effort, s->random,
                               s->context, s->loads, found, error);
    }
    for (int i = 0; i < dives && s->pool == NULL && code == DUET_OK && !*found &&
                    !duet_context_stop(s->context);
         i++) {
        code =
            duet_dive(s->classes, &s->state, s->area, s->pooled, s->store, i > 0, s->limits,
                      s->random, s->context, s->loads, &s->stats->programs, s->cover, found, error);
    }
    if (!*found) {
        s->loads->loads = s->loads->parts = 0;
    }
    return code;
}

// At a node whose list is levelled: a schedule may be easier to find than to rule out. The first
// such node of a deal gets a dive, and every few below it one more.
static duet_code dive_levelled(tree *s, duet_verdict *verdict, duet_error *error)
{
    enum { every = 30 };
    bool found = false;
    int dives = s->decided % every == 0;
    s->decided++;
    duet_code code = dives > 0 ? dive_over_list(s, dives, &found, error) : DUET_OK;
    *verdict = found ? DUET_FOUND : DUET_REFUTED; // by what is below it
    return code;
}

// Tries the deal that the relaxation proposes: its own patterns, and where the deal is new, others.
static duet_code try_deal(tree *s, duet_verdict *verdict, duet_error *error)
{
    bool fresh = is_new_deal(s);
    // A dive over the list takes the solution away, from which counts are chosen where many classes
    // are undecided.
    bool few = last_undecided(s) != SIZE_MAX || duet_residual_decided(s->classes, &s->state);
    size_t changes = s->changes;
    duet_code code = DUET_OK;
    bool found = false;
    for (size_t c = 0; c < s->classes->count && code == DUET_OK; c++) {
        if (s->state.low[c] < s->state.high[c]) {
            code = bound_class(s, c, s->allocation[c], s->allocation[c], error);
        }
    }
    for (size_t c = 0; c < s->classes->count && s->pool != NULL; c++) {
        s->given[c] = duet_residual_most(&s->state, c, duet_pool_type(s->pool));
    }
    if (code == DUET_OK) {
        code = schedule_deal(s, fresh, fresh && few, &found, error);
    }
    back_to(s, changes);
    *verdict = found ? DUET_FOUND : DUET_OPEN;
    return code;
}

// Prices for a cover at the node on top: they must hold for any set of tasks. They may refute it.
static duet_code settling_prices(tree *s, duet_prices **prices, duet_verdict *verdict,
                                 duet_error *error)
{
    *prices = &s->node[s->nodes - 1].prices;
    if (s->pool == NULL && s->branching_rows == 0) {
        return DUET_OK;
    }
    *prices = &s->settling;
    duet_code code = relax_all(s, 0, NULL, &s->settling, verdict, error);
    clamp_shares(s); // which are new
    forget_program(s);
    if (code == DUET_OK && *verdict == DUET_REFUTED) {
        duet_log_price(s->log, &s->settling);
    }
    return code;
}

// The node on top, where the relaxation divides nothing and its deal was not scheduled: cover.
static duet_code settle(tree *s, duet_verdict *verdict, duet_error *error)
{
    duet_prices *prices = NULL;
    *verdict = DUET_FOUND; // prices there are
    duet_code code = settling_prices(s, &prices, verdict, error);
    if (code != DUET_OK || *verdict != DUET_FOUND) {
        return code;
    }
    duet_cover_limits limits = *s->limits;
    limits.nodes += s->cover->nodes; // of this search alone
    duet_log_mark mark = duet_log_here(s->log);
    code = duet_cover_search(s->classes, &s->state, prices, s->pooled, &limits, s->random,
                             s->context, s->log, s->loads, s->cover, verdict, error);
    if (*verdict != DUET_REFUTED) {
        duet_log_rewind(s->log, mark);
    }
    return code;
}

// What the node on top takes from now on.
static void count_bytes(tree *s)
{
    node *top = &s->node[s->nodes - 1];
    const duet_lp_position *at = &top->solved.at;
    s->bytes -= top->bytes;
    top->bytes = sizeof(node) + 2 * sizeof(int64_t) * s->classes->count +
                 (at->rows + at->columns) * sizeof *at->row +
                 duet_configuration_start_bytes(&top->start);
    s->bytes += top->bytes;
}

static duet_code push(tree *s, duet_error *error)
{
    duet_code code = duet_grow(&s->node, s->nodes, &s->node_room, sizeof *s->node, error);
    if (code == DUET_OK) {
        s->node[s->nodes] = (node){.changes = s->changes};
        code = duet_prices_create(s->classes, &s->node[s->nodes].prices, error);
    }
    if (code == DUET_OK) {
        s->nodes++;
        count_bytes(s);
    }
    return code;
}

static void free_node(node *at)
{
    duet_prices_free(&at->prices);
    duet_pool_position_free(&at->solved);
    duet_configuration_start_free(&at->start);
}

static void pop(tree *s)
{
    node *top = &s->node[--s->nodes];
    s->bytes -= top->bytes;
    for (; top->after > 0; top->after--) {
        duet_log_price(s->log, &top->prices);
    }
    if (top->narrows_list) {
        duet_pool_back(s->pool, top->list_mark);
    }
    if (s->nodes > 0 && s->node[s->nodes - 1].counts) {
        if (s->pool != NULL) {
            duet_pool_close(s->pool, top->counts_before);
        }
        s->branching_rows = top->tallies_before;
    }
    if (top->levels) {
        s->levelled = false;
    }
    if (top->makes_list) {
        duet_pool_free(s->pool);
        s->pool = NULL;
    }
    back_to(s, top->changes);
    free_node(top);
}

// Whether the relaxation over all patterns divides a number of tasks.
static duet_code divided_tally(tree *s, node *top, duet_error *error)
{
    duet_branching_row branching_row = {.type = s->area[0]};
    duet_code code = duet_branching_row_choose(
        s->classes, &s->state, s->area[0], s->share, s->branching_row, s->branching_rows,
        s->program, s->context, &branching_row, &top->counts, &s->stats->programs, error);
    top->count = whole_tasks(branching_row.time);
    top->most = branching_row.bound;
    return code;
}

// What the solution over the pool divides, where that promises more than branching on the class.
static duet_code choose_row(tree *s, node *top, size_t class, duet_error *error)
{
    duet_pool_division division;
    double share = class == SIZE_MAX ? 0 : turn_share(s, class);
    duet_code code = duet_pool_choose_row(s->pool, &s->state, class, share, &division, error);
    top->counts = division.found;
    if (division.found) {
        top->count = division.count;
        top->most = division.most;
    }
    return code;
}

// What to branch on: a count, or else a class; `*class` is the one that the relaxation divides
// most.
static duet_code choose(tree *s, size_t *class, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    if (s->pool == NULL) {
        duet_code code =
            s->too_wide < INFINITY && lists(s) ? divided_tally(s, top, error) : DUET_OK;
        forget_program(s);
        return code;
    }
    if (*class == SIZE_MAX) {
        *class = last_undecided(s);
        if (*class != SIZE_MAX) {
            return DUET_OK;
        }
    }
    return top->makes_list ? DUET_OK : choose_row(s, top, *class, error);
}

// Branches on the count that was chosen, or on a class.
static void branch(tree *s, size_t class)
{
    node *top = &s->node[s->nodes - 1];
    if (top->counts) {
        for (size_t c = 0; c < s->classes->count; c++) {
            s->counted[c] = duet_pool_has(s->classes, s->area[0], &top->count, c);
        }
        duet_log_count(s->log, s->area[0], top->count.tasks, top->most, s->counted);
        return;
    }
    int64_t whole = (int64_t)floor(s->share[class] + 1e-9); // low <= whole <= high: clamped
    top->class = class;
    top->most = whole < s->state.high[class] ? whole : whole - 1;
    duet_log_branch(s->log, top->class, top->most);
}

// Whether the search has done what it may.
static bool is_over(const tree *s)
{
    const duet_tree_stats *all = s->stats;
    int64_t full = all->nodes - all->listed + (all->listed - all->decided) / DUET_TREE_POOLED +
                   all->decided / DUET_TREE_DECIDED;
    return full > s->most || s->bytes > memory_share(s) || duet_context_stop(s->context) ||
           (s->pool != NULL && duet_pool_bytes(s->pool) > memory_share(s));
}

// A node that the relaxation does not refute: a leaf at once, or a branch.
static duet_code grow(tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    duet_code code = list_patterns(s, error);
    if (code == DUET_OK) {
        code = fix_all(s, error);
    }
    clamp_shares(s);
    size_t class = divided(s);
    // The deal first: what is tried to branch on takes the solution away.
    if (code == DUET_OK && class == SIZE_MAX) {
        code = try_deal(s, verdict, error);
    }
    if (code != DUET_OK || *verdict == DUET_FOUND) {
        return code;
    }
    *leaf = false;
    *verdict = DUET_REFUTED; // by what is below it
    if (s->pool != NULL && !s->levelled && duet_residual_decided(s->classes, &s->state)) {
        return level_list(s, error);
    }
    code = choose(s, &class, error);
    if (code == DUET_OK && s->levelled) {
        code = dive_levelled(s, verdict, error);
        *leaf = *verdict == DUET_FOUND;
    }
    if (*leaf) {
        return code;
    }
    bool counts = s->node[s->nodes - 1].counts;
    if (code == DUET_OK && class == SIZE_MAX && !counts) {
        code = settle(s, verdict, error);
        *leaf = code != DUET_OK || *verdict != DUET_OPEN;
        class = *leaf ? SIZE_MAX : undecided(s);
        if (!*leaf && class == SIZE_MAX) { // it stays open; a schedule may be elsewhere
            s->open++;
            *leaf = true;
            *verdict = s->open < OPEN_DEALS ? DUET_REFUTED : DUET_OPEN;
        }
    }
    if (code == DUET_OK && !*leaf) {
        branch(s, class);
    }
    return code;
}

// The first node: what area alone cuts off, which is most. The relaxations of all others are that
// much smaller.
static duet_code fix_by_area(tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    int64_t weight[2];
    *verdict = DUET_REFUTED;
    duet_code code = duet_classes_weights(s->classes, weight, error);
    if (code != DUET_OK) {
        return code;
    }
    duet_prices_by_area(s->classes, weight, &top->prices);
    top->fixes = budget_of(s, &top->prices) >= 0;
    *leaf = !top->fixes;
    if (*leaf) {
        duet_log_price(s->log, &top->prices);
        return DUET_OK;
    }
    return fix_all(s, error);
}

// A node: a leaf at once, or a branch. *verdict is FOUND or OPEN where the search ends, REFUTED
// otherwise.
static duet_code begin(tree *s, bool *leaf, duet_verdict *verdict, duet_error *error)
{
    *leaf = true;
    *verdict = DUET_OPEN;
    if (s->nodes == 1) {
        return fix_by_area(s, leaf, verdict, error);
    }
    s->stats->nodes++;
    if (is_over(s)) {
        return DUET_OK;
    }
    duet_code code = relax(s, verdict, error);
    count_bytes(s);
    if (code != DUET_OK || *verdict == DUET_OPEN) {
        return code;
    }
    if (*verdict == DUET_REFUTED) {
        duet_log_price(s->log, &s->node[s->nodes - 1].prices);
        return DUET_OK;
    }
    *verdict = DUET_OPEN;
    return grow(s, leaf, verdict, error);
}

// Bounds a count for the node on top.
static duet_code open_count(tree *s, duet_branching_count count, bool at_least, int64_t bound,
                            duet_error *error)
{
    node *top = &s->node[s->nodes - 1];
    top->tallies_before = s->branching_rows;
    if (s->pool != NULL) {
        top->counts_before = duet_pool_open_counts(s->pool);
        return duet_pool_open(s->pool, count, at_least, bound, error);
    }
    duet_code code = duet_grow(&s->branching_row, s->branching_rows, &s->tally_room,
                               sizeof *s->branching_row, error);
    if (code == DUET_OK) {
        s->branching_row[s->branching_rows++] =
            (duet_branching_row){s->area[0], count.time, at_least, bound};
    }
    return code;
}

// Whether a node only changes what there is for the one below it.
static bool has_one_child(const node *at)
{
    return at->levels || at->fixes;
}

// Begins the next child of the node on top.
static duet_code descend(tree *s, duet_error *error)
{
    bool first = s->node[s->nodes - 1].children++ == 0;
    const node from = s->node[s->nodes - 1]; // the nodes may move
    duet_code code = push(s, error);
    if (code != DUET_OK || has_one_child(&from)) {
        return code;
    }
    if (from.counts) {
        return open_count(s, from.count, !first, first ? from.most : from.most + 1, error);
    }
    int64_t low = first ? s->state.low[from.class] : from.most + 1;
    int64_t high = first ? from.most : s->state.high[from.class];
    return bound_class(s, from.class, low, high, error);
}

static duet_code walk(tree *s, duet_verdict *verdict, duet_error *error)
{
    duet_code code = push(s, error);
    bool fresh = true;
    *verdict = DUET_REFUTED;
    while (code == DUET_OK && s->nodes > 0) {
        bool leaf = false;
        if (fresh) {
            code = begin(s, &leaf, verdict, error);
            if (code != DUET_OK || (leaf && *verdict != DUET_REFUTED)) {
                return code;
            }
        }
        const node *top = &s->node[s->nodes - 1];
        fresh = !leaf && top->children < (has_one_child(top) ? 1 : 2);
        if (fresh) {
            code = descend(s, error);
        } else {
            pop(s);
        }
    }
    *verdict = code == DUET_OK && s->open == 0 ? DUET_REFUTED : DUET_OPEN;
    return code;
}

duet_code duet_branch_and_price(const duet_classes *classes, const bool area[2],
                                const bool pooled[2], duet_column_store *store, int64_t most,
                                const duet_cover_limits *limits, duet_random *random,
                                const duet_context *context, duet_log *proof, duet_loads *loads,
                                duet_cover_stats *cover, duet_tree_stats *stats,
                                duet_verdict *verdict, duet_error *error)
{
    tree s = {.classes = classes,
              .area = area,
              .pooled = pooled,
              .store = store,
              .most = most,
              .limits = limits,
              .random = random,
              .context = context,
              .log = proof,
              .loads = loads,
              .cover = cover,
              .stats = stats,
              .width = 1,
              .too_wide = INFINITY};
    *verdict = DUET_OPEN;
    s.share = duet_alloc(classes->count, sizeof *s.share, error);
    s.allocation = duet_alloc(classes->count, sizeof *s.allocation, error);
    s.given = duet_alloc(classes->count, sizeof *s.given, error);
    s.counted = duet_alloc(classes->count, sizeof *s.counted, error);
    duet_code code = s.share == NULL || s.allocation == NULL || s.given == NULL || s.counted == NULL
                         ? DUET_E_MEMORY
                         : DUET_OK;
    for (size_t c = 0; c < classes->count && code == DUET_OK; c++) {
        s.allocation[c] = -1;
    }
    if (code == DUET_OK) {
        code = duet_residual_create(classes, &s.state, error);
    }
    if (code == DUET_OK) {
        code = duet_prices_create(classes, &s.settling, error);
    }
    if (code == DUET_OK) {
        code = duet_prices_create_by_time(classes, s.load, error);
    }
    if (code == DUET_OK) {
        code = walk(&s, verdict, error);
    }
    while (s.nodes > 0) {
        free_node(&s.node[--s.nodes]);
    }
    duet_pool_free(s.pool);
    duet_prices_free(&s.settling);
    duet_prices_free(&s.load[0]);
    duet_prices_free(&s.load[1]);
    duet_configuration_free(s.program);
    duet_free(s.branching_row);
    duet_free(s.node);
    duet_free(s.change);
    duet_free(s.share);
    duet_free(s.allocation);
    duet_free(s.given);
    duet_free(s.counted);
    duet_residual_free(&s.state);
    return code;
}
