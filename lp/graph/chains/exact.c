// SPDX-License-Identifier: Apache-2.0
// What multipliers prove, in whole numbers. They are those of the linear program, rounded: any
// multipliers that are not negative prove something, since what rounding leaves over at a point
// between 0 and the guess costs at most the guess.
#include <math.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/chains/chains_state.h"
#include "lp/graph/chains/tuning.h"

// The types of each task in the case of a node.
static void find_modes(duet_chains *c, const duet_chains_node *node)
{
    for (int64_t j = 0; j < c->tasks; j++) {
        c->modes[j] = 0;
        for (size_t t = 0; t < c->instance->types; t++) {
            c->modes[j] |= duet_chains_time(c, j, t) >= 0 ? UINT64_C(1) << t : 0;
        }
    }
    for (; node->parent >= 0; node = &c->node[node->parent]) {
        uint64_t type = UINT64_C(1) << c->type;
        if (!node->is_count) {
            c->modes[node->what] &= node->second ? type : ~type;
        }
    }
}

static void add_row(duet_chains *c, const duet_chains_row *row, int64_t price)
{
    size_t types = c->instance->types;
    bool is_path = row->weights < 0;
    int64_t members = is_path ? (int64_t)row->count : c->tasks;
    c->pass[row->to] += (duet_int128)price * row->capacity;
    c->pass[row->from] -= (duet_int128)price * row->capacity;
    for (int64_t i = 0; i < members; i++) {
        int64_t j = is_path ? c->listed[row->first + (size_t)i] : i;
        if (!is_path && (c->from[j] < row->from || c->to[j] > row->to)) {
            continue;
        }
        for (size_t t = 0; t < types; t++) {
            int64_t time = duet_chains_time(c, j, t);
            int64_t worth = is_path ? 1 : c->weight[row->weights][t];
            if (time > 0) {
                c->priced[(size_t)j * types + t] += (duet_int128)price * worth * time;
            }
        }
    }
}

// What the counts of a node add to the right; to the left what their tasks do.
static duet_int128 add_counts(duet_chains *c, const duet_chains_node *node, const int64_t *price)
{
    duet_int128 allowed = 0;
    for (; node->parent >= 0; node = &c->node[node->parent]) {
        if (!node->is_count) {
            continue;
        }
        const duet_chains_set *set = &c->set[node->what];
        duet_int128 signed_price = node->second ? -(duet_int128)*price : *price;
        allowed += signed_price * (node->most + (node->second ? 1 : 0));
        for (size_t i = 0; i < set->count; i++) {
            size_t at = (size_t)c->listed[set->first + i] * c->instance->types + c->type;
            c->priced[at] += signed_price;
        }
        price++;
    }
    return allowed;
}

static duet_int128 least_cost(const duet_chains *c)
{
    size_t types = c->instance->types;
    duet_int128 sum = 0;
    for (int64_t j = 0; j < c->tasks; j++) {
        duet_int128 least = 0;
        bool found = false;
        for (size_t t = 0; t < types; t++) {
            duet_int128 cost = c->priced[(size_t)j * types + t];
            if ((c->modes[j] >> t & 1U) != 0 && (!found || cost < least)) {
                least = cost;
                found = true;
            }
        }
        sum += least;
    }
    return sum;
}

// The largest bound for which what is demanded exceeds what is allowed under any guess below it.
static int64_t prove(duet_chains *c, const duet_chains_node *node)
{
    size_t entries = (size_t)c->tasks * c->instance->types;
    for (size_t i = 0; i < entries; i++) {
        c->priced[i] = 0;
    }
    for (int32_t p = 0; p <= c->end; p++) {
        c->pass[p] = 0;
    }
    for (size_t r = 0; r < node->prices; r++) {
        add_row(c, &c->row[node->price[r].row], node->price[r].price);
    }
    duet_int128 allowed = add_counts(c, node, node->counts);
    duet_int128 demand = least_cost(c) - allowed;
    duet_int128 slope = c->pass[c->end];
    for (int32_t p = 1; p < c->end; p++) {
        slope += duet_max(c->pass[p], (duet_int128)0);
    }
    if (demand <= 0) {
        return 0;
    }
    duet_int128 most = slope <= 0 ? INT64_MAX : (demand + slope - 1) / slope;
    return (int64_t)duet_min(most, (duet_int128)INT64_MAX);
}

// The part of a count's dual that belongs to a node: that of the last node on the way to it which
// bounds the set on that side.
static double dual_of_count(const duet_chains *c, const duet_chains_node *leaf,
                            const duet_chains_node *node)
{
    double dual = c->dual[c->set[node->what].place];
    for (; leaf != node; leaf = &c->node[leaf->parent]) {
        if (leaf->is_count && leaf->what == node->what && leaf->second == node->second) {
            return 0;
        }
    }
    return node->second ? duet_max(dual, 0.0) : duet_max(-dual, 0.0);
}

static double row_dual(const duet_chains *c, size_t row)
{
    double dual = c->row[row].place == DUET_CHAINS_LEFT_OUT ? 0 : c->dual[c->row[row].place];
    return duet_max(0, dual); // what is no number is 0, too
}

// By so much multipliers are larger than duals.
static double scale_of(const duet_chains *c, const duet_chains_node *leaf)
{
    double total = 1;
    for (size_t r = 0; r < c->rows; r++) {
        total += row_dual(c, r);
    }
    for (const duet_chains_node *node = leaf; node->parent >= 0; node = &c->node[node->parent]) {
        total += node->is_count ? c->unit * dual_of_count(c, leaf, node) : 0;
    }
    return ldexp(1, DUET_CHAINS_BITS) / total;
}

// The nearest whole number, if it is one that multipliers may be.
static int64_t whole(double value)
{
    return value >= 0 && value < ldexp(1, DUET_CHAINS_BITS) ? (int64_t)(value + 0.5) : 0;
}

static duet_code round_duals(const duet_chains *c, duet_chains_node *leaf, duet_error *error)
{
    double scale = scale_of(c, leaf);
    size_t at = 0;
    for (size_t r = 0; r < c->rows; r++) {
        int64_t price = whole(scale * row_dual(c, r) / (double)c->row[r].capacity);
        if (price > 0) {
            DUET_TRY(duet_vec_push(leaf->price, leaf->prices, error,
                                   (duet_chains_price){(int32_t)r, price}));
        }
    }
    for (const duet_chains_node *node = leaf; node->parent >= 0; node = &c->node[node->parent]) {
        if (node->is_count) {
            leaf->counts[at++] = whole(scale * c->unit * dual_of_count(c, leaf, node));
        }
    }
    return DUET_OK;
}

// Without a solution: a count that the case distinctions about single tasks contradict.
static void blame_count(const duet_chains *c, duet_chains_node *leaf)
{
    uint64_t type = UINT64_C(1) << c->type;
    size_t at = 0;
    bool found = false;
    for (const duet_chains_node *node = leaf; node->parent >= 0; node = &c->node[node->parent]) {
        if (!node->is_count) {
            continue;
        }
        int64_t least = 0;
        int64_t most = 0;
        for (size_t i = 0; i < c->set[node->what].count; i++) {
            uint64_t modes = c->modes[c->listed[c->set[node->what].first + i]];
            least += modes == type ? 1 : 0;
            most += (modes & type) != 0 ? 1 : 0;
        }
        bool wrong = node->second ? most < node->most + 1 : least > node->most;
        leaf->counts[at++] = wrong && !found ? 1 : 0;
        found = found || wrong;
    }
}

duet_code duet_chains_round(duet_chains *c, duet_chains_node *leaf, duet_error *error)
{
    for (const duet_chains_node *node = leaf; node->parent >= 0; node = &c->node[node->parent]) {
        leaf->depth += node->is_count ? 1 : 0;
    }
    leaf->counts = duet_alloc(leaf->depth + 1, sizeof *leaf->counts, error);
    DUET_NEED(leaf->counts);
    find_modes(c, leaf);
    if (c->lp.status != DUET_CHAINS_INFEASIBLE) {
        DUET_TRY(duet_vec_reserve(c->dual, c->lp.constraints, error));
        duet_chains_simplex_prices(&c->lp, c->dual);
        leaf->objective = duet_chains_simplex_objective(&c->lp);
        DUET_TRY(round_duals(c, leaf, error));
    } else {
        blame_count(c, leaf);
    }
    leaf->proven = leaf->value = prove(c, leaf);
    return DUET_OK;
}
