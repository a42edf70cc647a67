// SPDX-License-Identifier: Apache-2.0
// Steps from vertex to vertex; simplex.h has the method.
#include "lp/graph/chains/simplex.h"

#include <math.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

typedef duet_chains_constraint constraint;
typedef duet_chains_simplex simplex;

// A constraint counts as violated beyond this.
static const double feasible = 1e-9;
// A multiplier may be wrong by this, so that a larger part can be chosen.
static const double priced = 1e-10;
// A part that is smaller is none.
static const double pivotal = 1e-8;
// A part that is smaller is taken from a new inverse only.
static const double safe = 1e-7;
// A multiplier of the wrong sign shows beyond this that the inverse has gone bad.
static const double wrong = 1e-7;
// At the costs as they are, that the constraints at the vertex nearly depend on each other.
static const double dependent = 1e-5;
// A part that is smaller changes nothing.
static const double negligible = 1e-13;
// Costs are larger by up to twice this.
static const double disturbance = 1e-8;

duet_code duet_chains_simplex_create(duet_chains_simplex *s, size_t columns, duet_error *error)
{
    *s = (simplex){.columns = columns};
    const duet_arena_array arrays[] = {
        DUET_ARENA_ARRAY(s->cost, columns),   DUET_ARENA_ARRAY(s->active, columns),
        DUET_ARENA_ARRAY(s->price, columns),  DUET_ARENA_ARRAY(s->inverse, columns * columns),
        DUET_ARENA_ARRAY(s->x, columns),      DUET_ARENA_ARRAY(s->part, columns),
        DUET_ARENA_ARRAY(s->delta, columns),  DUET_ARENA_ARRAY(s->support, columns),
        DUET_ARENA_ARRAY(s->changed, columns)};
    DUET_TRY(duet_arena_create(&s->arena, arrays, sizeof arrays / sizeof *arrays, error));
    for (size_t j = 0; j < columns; j++) {
        DUET_TRY(duet_vec_push(s->constraint, s->constraints, error,
                               (constraint){.low = 0, .high = INFINITY, .weight = 1}));
    }
    duet_chains_simplex_take(s, NULL, 0);
    return DUET_OK;
}

void duet_chains_simplex_free(duet_chains_simplex *s)
{
    duet_free(s->constraint);
    duet_free(s->entry_column);
    duet_free(s->entry_value);
    duet_free(s->side);
    duet_arena_free(&s->arena);
    *s = (simplex){.columns = 0};
}

duet_code duet_chains_simplex_add_row(duet_chains_simplex *s, double low, double high, size_t *out,
                                      duet_error *error)
{
    *out = s->constraints;
    return duet_vec_push(
        s->constraint, s->constraints, error,
        (constraint){.low = low, .high = high, .weight = 1, .first = s->entries, .slot = -1});
}

duet_code duet_chains_simplex_add_entry(duet_chains_simplex *s, size_t column, double value,
                                        duet_error *error)
{
    DUET_TRY(duet_vec_reserve(s->entry_column, s->entries + 1, error));
    DUET_TRY(duet_vec_reserve(s->entry_value, s->entries + 1, error));
    s->entry_column[s->entries] = (int32_t)column;
    s->entry_value[s->entries++] = value;
    s->constraint[s->constraints - 1].count++;
    return DUET_OK;
}

void duet_chains_simplex_bound(duet_chains_simplex *s, size_t at, double low, double high)
{
    s->constraint[at].low = low;
    s->constraint[at].high = high;
}

// --- linear algebra ------------------------------------------------------------------------------

// The value of a constraint for some values of the columns.
static double value_of(const simplex *s, size_t at, const double *column)
{
    if (at < s->columns) {
        return column[at];
    }
    const constraint *c = &s->constraint[at];
    double sum = 0;
    for (size_t e = c->first; e < c->first + c->count; e++) {
        sum += s->entry_value[e] * column[s->entry_column[e]];
    }
    return sum;
}

static double *direction_of(const simplex *s, size_t slot)
{
    return s->inverse + slot * s->columns;
}

static void find_parts(simplex *s, size_t entering)
{
    for (size_t i = 0; i < s->columns; i++) {
        s->part[i] = value_of(s, entering, direction_of(s, i));
    }
}

// Lists the columns that change in a direction; their number.
static size_t find_support(const simplex *s, const double *direction)
{
    size_t count = 0;
    for (size_t j = 0; j < s->columns; j++) {
        s->support[count] = (int32_t)j;
        count += direction[j] != 0 ? 1 : 0;
    }
    return count;
}

// Takes the direction of a slot, which is `own`, out of all others.
static void eliminate(simplex *s, size_t slot, const double *restrict own)
{
    enum { sparse = 4 }; // a column that is looked up takes as long as four in a row
    size_t count = find_support(s, own);
    for (size_t i = 0; i < s->columns; i++) {
        double part = s->part[i];
        double *restrict other = direction_of(s, i);
        if (i == slot || fabs(part) < negligible) {
            continue;
        }
        if (count < s->columns / sparse) {
            for (size_t k = 0; k < count; k++) {
                other[s->support[k]] -= part * own[s->support[k]];
            }
            continue;
        }
        for (size_t j = 0; j < s->columns; j++) {
            other[j] -= part * own[j];
        }
    }
}

// The entering constraint, whose parts are known, takes the slot of another one.
static void replace(simplex *s, size_t entering, size_t slot, uint8_t side)
{
    double *own = direction_of(s, slot);
    double by = 1 / s->part[slot];
    for (size_t j = 0; j < s->columns; j++) {
        own[j] *= by;
    }
    eliminate(s, slot, own);
    constraint *leaving = &s->constraint[s->active[slot]];
    leaving->slot = -1;
    leaving->side = DUET_CHAINS_INACTIVE;
    s->constraint[entering].slot = (int32_t)slot;
    s->constraint[entering].side = side;
    s->active[slot] = (int32_t)entering;
}

// The multiplier of a slot at some costs.
static double price_at(const simplex *s, size_t slot, const double *cost)
{
    const double *direction = direction_of(s, slot);
    double sum = 0;
    for (size_t j = 0; j < s->columns; j++) {
        sum += direction[j] * cost[j];
    }
    return sum;
}

static void change_costs(simplex *s)
{
    for (size_t j = 0; j < s->columns; j++) {
        double share = (double)(j * 7919 % 1009) / 1009; // the same in each run
        s->changed[j] = s->cost[j] + disturbance * (1 + share);
    }
}

// --- beginning -----------------------------------------------------------------------------------

static bool is_stopped(const simplex *s)
{
    return s->context != NULL && duet_context_stop(s->context);
}

// A row takes the slot of a column that is to be inactive, of which it has the largest part.
static void enter(simplex *s, size_t row, const uint8_t *side)
{
    size_t slot = SIZE_MAX;
    double most = pivotal;
    find_parts(s, row);
    for (size_t i = 0; i < s->columns; i++) {
        size_t held = (size_t)s->active[i];
        bool free = held < s->columns && side[held] == DUET_CHAINS_INACTIVE;
        if (free && fabs(s->part[i]) > most) {
            most = fabs(s->part[i]);
            slot = i;
        }
    }
    if (slot < SIZE_MAX) {
        replace(s, row, slot, side[row]);
    }
}

void duet_chains_simplex_take(duet_chains_simplex *s, const uint8_t *side, size_t count)
{
    s->since = 0;
    memset(s->inverse, 0, s->columns * s->columns * sizeof *s->inverse);
    for (size_t at = 0; at < s->constraints; at++) {
        s->constraint[at].slot = at < s->columns ? (int32_t)at : -1;
        s->constraint[at].side = DUET_CHAINS_INACTIVE;
        s->constraint[at].weight = 1;
    }
    for (size_t j = 0; j < s->columns; j++) {
        bool high = j < count && side[j] == DUET_CHAINS_AT_HIGH;
        s->active[j] = (int32_t)j;
        s->inverse[j * s->columns + j] = 1;
        s->constraint[j].side = high ? DUET_CHAINS_AT_HIGH : DUET_CHAINS_AT_LOW;
    }
    for (size_t at = s->columns; at < count && !is_stopped(s); at++) {
        if (side[at] != DUET_CHAINS_INACTIVE) {
            enter(s, at, side);
        }
    }
}

void duet_chains_simplex_note(const duet_chains_simplex *s, uint8_t *side)
{
    for (size_t at = 0; at < s->constraints; at++) {
        side[at] = s->constraint[at].side;
    }
}

// A constraint that is active without a bound gives way to a column.
static void release(simplex *s, size_t slot)
{
    size_t best = SIZE_MAX;
    double most = pivotal;
    const double *direction = direction_of(s, slot);
    for (size_t j = 0; j < s->columns; j++) {
        if (s->constraint[j].slot < 0 && fabs(direction[j]) > most) {
            most = fabs(direction[j]);
            best = j;
        }
    }
    if (best < SIZE_MAX) {
        find_parts(s, best);
        replace(s, best, slot, DUET_CHAINS_AT_LOW);
    }
}

// Puts what is active at the bound that its multiplier asks for. Returns by how much multipliers
// ask for bounds that there are not; these become 0.
static double settle_prices(simplex *s)
{
    double most = 0;
    for (size_t i = 0; i < s->columns; i++) {
        constraint *c = &s->constraint[s->active[i]];
        double price = price_at(s, i, s->changed);
        bool high = c->low == -INFINITY || (c->high < INFINITY && price < 0);
        if (c->low < c->high) {
            double kept = high ? duet_min(price, 0.0) : duet_max(price, 0.0);
            c->side = high ? DUET_CHAINS_AT_HIGH : DUET_CHAINS_AT_LOW;
            most = duet_max(most, fabs(price - kept));
            price = kept;
        }
        s->price[i] = price;
    }
    return most;
}

// By how much multipliers have the wrong sign at these costs.
static double worst_price(const simplex *s, const double *cost)
{
    double most = 0;
    for (size_t i = 0; i < s->columns; i++) {
        const constraint *c = &s->constraint[s->active[i]];
        double price = price_at(s, i, cost);
        if (c->low < c->high) {
            most = duet_max(most, c->side == DUET_CHAINS_AT_HIGH ? price : -price);
        }
    }
    return most;
}

// Begins at the vertex: without what is active but has no bound, and where the multipliers do not
// belong to it, at that of the columns' lower bounds.
static void settle(simplex *s)
{
    for (size_t i = 0; i < s->columns; i++) {
        const constraint *c = &s->constraint[s->active[i]];
        if (c->low == -INFINITY && c->high == INFINITY) {
            release(s, i);
        }
    }
    if (settle_prices(s) > wrong) {
        duet_chains_simplex_take(s, NULL, 0);
        settle_prices(s);
    }
}

static void find_values(simplex *s)
{
    memset(s->x, 0, s->columns * sizeof *s->x);
    for (size_t i = 0; i < s->columns; i++) {
        const constraint *c = &s->constraint[s->active[i]];
        double bound = c->side == DUET_CHAINS_AT_HIGH ? c->high : c->low;
        const double *direction = direction_of(s, i);
        for (size_t j = 0; bound != 0 && isfinite(bound) && j < s->columns; j++) {
            s->x[j] += bound * direction[j];
        }
    }
    for (size_t at = 0; at < s->constraints; at++) {
        s->constraint[at].value = value_of(s, at, s->x);
    }
}

// --- steps ---------------------------------------------------------------------------------------

// By how much the value is too small, or, below 0, too large.
static double violation_of(const constraint *c)
{
    return c->value < c->low - feasible    ? c->low - c->value
           : c->value > c->high + feasible ? c->high - c->value
                                           : 0;
}

// The constraint that comes next; SIZE_MAX: none is violated.
static size_t most_violated(const simplex *s)
{
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t at = 0; at < s->constraints; at++) {
        const constraint *c = &s->constraint[at];
        double by = c->slot < 0 ? violation_of(c) : 0;
        if (by != 0 && by * by > most * c->weight) {
            most = by * by / c->weight;
            best = at;
        }
    }
    return best;
}

// Whether the multiplier of a slot falls to 0 as that of the entering constraint grows; `sign` is
// that of its violation. At which value of the latter, in `*ratio`.
static bool blocks(const simplex *s, size_t slot, double sign, double slack, double *ratio)
{
    const constraint *c = &s->constraint[s->active[slot]];
    double part = sign * s->part[slot];
    bool falls =
        c->low < c->high && (c->side == DUET_CHAINS_AT_HIGH ? part < -pivotal : part > pivotal);
    if (falls) {
        *ratio = (fabs(s->price[slot]) + slack) / fabs(part);
    }
    return falls;
}

// The slot of largest part among those that block first; SIZE_MAX: none does.
static size_t first_block(const simplex *s, double sign)
{
    double least = INFINITY;
    double ratio;
    for (size_t i = 0; i < s->columns; i++) {
        if (blocks(s, i, sign, priced, &ratio)) {
            least = duet_min(least, ratio);
        }
    }
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->columns; i++) {
        bool first = blocks(s, i, sign, 0, &ratio) && ratio <= least;
        if (first && (best == SIZE_MAX || fabs(s->part[i]) > fabs(s->part[best]))) {
            best = i;
        }
    }
    return best;
}

// What is active at one of two bounds goes over to the other.
static void flip(simplex *s, size_t slot)
{
    constraint *c = &s->constraint[s->active[slot]];
    bool high = c->side == DUET_CHAINS_AT_HIGH;
    double by = high ? c->low - c->high : c->high - c->low;
    const double *direction = direction_of(s, slot);
    for (size_t j = 0; j < s->columns; j++) {
        s->delta[j] += by * direction[j];
    }
    c->side = high ? DUET_CHAINS_AT_LOW : DUET_CHAINS_AT_HIGH;
}

// The slot that leaves, after all that go over to their other bound; SIZE_MAX: there is no
// solution. `*left` is what is left of the violation, of this sign.
static size_t choose_slot(simplex *s, double sign, double *left)
{
    memset(s->delta, 0, s->columns * sizeof *s->delta);
    for (;;) {
        size_t slot = first_block(s, sign);
        if (slot == SIZE_MAX) {
            return SIZE_MAX;
        }
        const constraint *c = &s->constraint[s->active[slot]];
        double less = fabs(s->part[slot]) * (c->high - c->low);
        if (!(less < *left - feasible)) {
            return slot;
        }
        flip(s, slot);
        *left -= less;
    }
}

// Moves along the changes of the columns, which are known, and updates weights. `own` is the
// direction of the constraint that has become active.
static void move(simplex *s, const double *own, double weight)
{
    for (size_t j = 0; j < s->columns; j++) {
        s->x[j] += s->delta[j];
    }
    for (size_t at = 0; at < s->constraints; at++) {
        constraint *c = &s->constraint[at];
        double by;
        double part;
        if (at < s->columns) {
            by = s->delta[at];
            part = own[at];
        } else {
            by = part = 0;
            for (size_t e = c->first; e < c->first + c->count; e++) {
                size_t column = (size_t)s->entry_column[e];
                by += s->entry_value[e] * s->delta[column];
                part += s->entry_value[e] * own[column];
            }
        }
        c->value += by;
        c->weight = duet_max(c->weight, part * part * weight);
    }
}

// What became of a step.
typedef enum outcome {
    DONE,
    DOUBTFUL,  // The inverse is not new and gives a small part, or multipliers of the wrong sign.
    IMPOSSIBLE // There is no further step.
} outcome;

// Makes a violated constraint active.
static outcome step(simplex *s, size_t entering)
{
    constraint *c = &s->constraint[entering];
    double violation = violation_of(c);
    double sign = violation > 0 ? 1 : -1;
    double left = fabs(violation);
    find_parts(s, entering);
    size_t slot = choose_slot(s, sign, &left);
    if (s->since > 0 && (slot == SIZE_MAX || fabs(s->part[slot]) < safe)) {
        return DOUBTFUL;
    }
    if (slot == SIZE_MAX) {
        return IMPOSSIBLE;
    }
    double price = duet_max(sign * s->price[slot] / s->part[slot], 0.0);
    double weight = c->weight;
    double part = s->part[slot];
    size_t leaving = (size_t)s->active[slot];
    for (size_t i = 0; i < s->columns; i++) {
        s->price[i] -= sign * price * s->part[i];
    }
    s->price[slot] = sign * price;
    replace(s, entering, slot, sign > 0 ? DUET_CHAINS_AT_LOW : DUET_CHAINS_AT_HIGH);
    const double *own = direction_of(s, slot);
    for (size_t j = 0; j < s->columns; j++) {
        s->delta[j] += sign * left * own[j];
    }
    move(s, own, weight);
    s->constraint[leaving].weight = duet_max(weight / (part * part), 1.0);
    s->steps++;
    s->since++;
    return DONE;
}

// Makes the inverse anew, after many steps.
static duet_code refresh(simplex *s, duet_error *error)
{
    DUET_TRY(duet_vec_reserve(s->side, s->constraints, error));
    duet_chains_simplex_note(s, s->side);
    duet_chains_simplex_take(s, s->side, s->constraints);
    settle(s);
    find_values(s);
    return DUET_OK;
}

// A step goes over all entries and the inverse.
static void count_work(const simplex *s, int64_t steps)
{
    enum { entry = 2, row = 8, cell = 4 }; // an entry and a row take 1 ns and 4, 8 cells 1
    int64_t each = (int64_t)s->entries + row * (int64_t)s->constraints +
                   (int64_t)(s->columns * s->columns) / cell;
    duet_count_work((steps + 2) * each / entry);
}

// Whether the solve may end at a vertex that is optimal or beyond the limit, of which `*again` says
// that it was begun anew before: else the inverse is to be made anew, or the solve begins anew.
static outcome judge_end(simplex *s, bool *again)
{
    if (s->since > 0 && worst_price(s, s->changed) > wrong) {
        return DOUBTFUL;
    }
    if (*again || worst_price(s, s->cost) <= dependent) {
        return IMPOSSIBLE;
    }
    *again = true;
    duet_chains_simplex_take(s, NULL, 0);
    settle(s);
    find_values(s);
    return DONE;
}

duet_code duet_chains_simplex_solve(duet_chains_simplex *s, int64_t steps, double limit,
                                    const duet_context *context, duet_error *error)
{
    enum { most = 20000, many = 256 };
    int64_t begin = s->steps;
    bool again = false;
    outcome made = DONE;
    duet_code code = DUET_OK;
    steps = duet_min(steps, (int64_t)most);
    s->context = context;
    change_costs(s);
    settle(s);
    find_values(s);
    while (code == DUET_OK && made != IMPOSSIBLE) {
        size_t entering = most_violated(s);
        int64_t done = s->steps - begin;
        bool beyond = entering < SIZE_MAX && duet_chains_simplex_objective(s) > limit;
        if (entering == SIZE_MAX || beyond) {
            s->status = beyond ? DUET_CHAINS_BEYOND : DUET_CHAINS_OPTIMAL;
            made = judge_end(s, &again);
        } else if (done >= steps || is_stopped(s)) {
            s->status = DUET_CHAINS_STOPPED;
            made = IMPOSSIBLE;
        } else {
            s->status = DUET_CHAINS_INFEASIBLE;
            made = step(s, entering);
        }
        if (made == DOUBTFUL || s->since >= many) {
            code = refresh(s, error);
        }
    }
    count_work(s, s->steps - begin);
    return code;
}

double duet_chains_simplex_objective(const duet_chains_simplex *s)
{
    double sum = 0;
    for (size_t j = 0; j < s->columns; j++) {
        sum += s->cost[j] * s->x[j];
    }
    return sum;
}

void duet_chains_simplex_prices(const duet_chains_simplex *s, double *price)
{
    for (size_t at = 0; at < s->constraints; at++) {
        price[at] =
            s->constraint[at].slot < 0 ? 0 : price_at(s, (size_t)s->constraint[at].slot, s->cost);
    }
}
