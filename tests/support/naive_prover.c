// SPDX-License-Identifier: Apache-2.0
// Writes proofs of small claims by trying everything. It shares nothing with the checker but the
// contract: classes are found pair by pair, limits and patterns by counting through all sets.
#include "tests/support/naive_prover.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tests/support/naive_vectors.h"

static bool prove(duet_naive_prover *p, const duet_naive_node *s);

static bool branch(duet_naive_prover *p, const duet_naive_node *s, int class)
{
    int t = 0; // the CPUs of two types
    while (p->types != 2 && (s->lo[t][class] == s->hi[t][class] || duet_naive_draw(p, 0, 1) == 0)) {
        t = (t + 1) % p->types;
    }
    int64_t a = duet_naive_draw(p, s->lo[t][class], s->hi[t][class] - 1);
    fputs("branch ", p->out);
    if (p->types != 2) {
        fprintf(p->out, "%d ", t);
    }
    fprintf(p->out, "%d %" PRId64 "\n", class, a);
    duet_naive_node child = *s;
    child.hi[t][class] = a;
    duet_naive_narrow(p, &child, class);
    if (!prove(p, &child)) {
        return false;
    }
    child = *s;
    child.lo[t][class] = a + 1;
    duet_naive_narrow(p, &child, class);
    return prove(p, &child);
}

static bool cover(duet_naive_prover *p, const duet_naive_node *s, int t, int class, int vector)
{
    int count = 0;
    duet_naive_pattern *list = duet_naive_list_patterns(p, s, &p->vector[vector], t, class, &count);
    fprintf(p->out, "cover %d %s %d %d\n", vector, duet_naive_name_of(p, t), class, count);
    bool proven = true;
    for (int i = 0; i < count && proven; i++) {
        duet_naive_node child = *s;
        child.processors[t]--;
        child.covers++;
        for (int c = 0; c < p->classes; c++) {
            int64_t a = list[i].a[c];
            if (a > 0) {
                child.n[c] -= a;
                child.lo[t][c] = s->lo[t][c] > a ? s->lo[t][c] - a : 0;
                child.hi[t][c] -= a;
                duet_naive_narrow(p, &child, c);
            }
        }
        proven = prove(p, &child);
    }
    free(list);
    return proven;
}

// From here on a processor of a type holds what is listed.
static bool list_node(duet_naive_prover *p, const duet_naive_node *s, int t, int vector)
{
    int count = 0;
    duet_naive_listing made = {duet_naive_list_patterns(p, s, &p->vector[vector], t, -1, &count),
                               0};
    made.patterns = count;
    fprintf(p->out, "list %d %s %d\n", vector, duet_naive_name_of(p, t), count);
    duet_naive_node child = *s;
    child.list[t] = &made;
    child.lists++;
    bool proven = prove(p, &child);
    free(made.pattern);
    return proven;
}

static bool count_node(duet_naive_prover *p, const duet_naive_node *s)
{
    duet_naive_node child = *s;
    duet_naive_count *count = &child.count[child.counts++];
    *count = (duet_naive_count){.t = (int)duet_naive_draw(p, 0, p->types - 1), .covers = s->covers};
    count->h = duet_naive_draw(p, 0, 1) == 0 ? 0 : duet_naive_draw(p, 1, 3);
    int64_t a = duet_naive_draw(p, 0, duet_naive_draw(p, 0, 9) == 0 ? 9 : 2);
    int drawn = (int)duet_naive_draw(p, duet_naive_draw(p, 0, 9) == 0 ? 0 : 1, p->classes);
    fprintf(p->out, "count %s %" PRId64 " %" PRId64 " %d", duet_naive_name_of(p, count->t),
            count->h, a, drawn);
    for (int i = 0; i < drawn; i++) {
        int c = (int)duet_naive_draw(p, 0, p->classes - 1);
        count->has[c] = true;
        fprintf(p->out, " %d", c);
    }
    fputc('\n', p->out);
    count->bound = a;
    if (!prove(p, &child)) {
        return false;
    }
    count->at_least = true;
    count->bound = a + 1;
    return prove(p, &child);
}

// A list or a count, where it comes to that. *proven says whether all below it is.
static bool try_listing(duet_naive_prover *p, const duet_naive_node *s, bool *proven)
{
    int t = (int)duet_naive_draw(p, 0, p->types - 1);
    int v = (int)duet_naive_draw(p, 0, p->vectors - 1);
    if (s->lists < DUET_NAIVE_LISTS && duet_naive_draw(p, 0, 2) == 0 &&
        duet_naive_holds(p, &p->vector[v], s)) {
        *proven = list_node(p, s, t, v);
        return true;
    }
    if (s->counts < DUET_NAIVE_COUNTS && p->classes > 0 && duet_naive_draw(p, 0, 4) == 0) {
        *proven = count_node(p, s);
        return true;
    }
    return false;
}

// Closes a state by a vector that means nothing there, where one says that there is no schedule.
static bool try_abuse(duet_naive_prover *p, const duet_naive_node *s)
{
    for (int v = 0; v < p->vectors; v++) {
        if (!duet_naive_holds(p, &p->vector[v], s) &&
            duet_naive_find_budget(p, &p->vector[v], s) < 0) {
            p->lies++;
            fprintf(p->out, "price %d\n", v);
            return true;
        }
    }
    return false;
}

// Closes a state by a vector that would prove it, were its limit of a list not too low for the
// patterns, or for the prices of counts.
static bool try_wrong_limit(duet_naive_prover *p, const duet_naive_node *s)
{
    for (int round = 0; round < 8 && p->vectors < DUET_NAIVE_VECTORS; round++) {
        duet_naive_vector v = {.area = false};
        duet_naive_draw_prices(p, &v, s);
        int64_t less = duet_naive_draw(p, 0, 1);
        for (int t = 0; t < p->types; t++) {
            v.most[t] -= v.listed[t] && v.most[t] >= less ? less : 0;
        }
        for (int i = 0; i < v.counts && less == 0; i++) {
            v.g[i] += v.g[i] > 0 ? duet_naive_draw(p, 0, 3) : 0;
        }
        if (duet_naive_find_budget(p, &v, s) < 0 && !duet_naive_holds(p, &v, s)) {
            duet_naive_print_prices(p, &v);
            fprintf(p->out, "price %d\n", p->vectors);
            p->vector[p->vectors++] = v;
            p->lies++;
            return true;
        }
    }
    return false;
}

// A leaf where one is to be had.
static bool try_leaf(duet_naive_prover *p, const duet_naive_node *s)
{
    for (int c = 0; c < p->classes; c++) {
        if (s->n[c] > 0 && s->lo[0][c] > s->hi[0][c]) {
            fprintf(p->out, "nowhere %d\n", c);
            return true;
        }
    }
    for (int v = 0; v < p->vectors && !p->style->only_covers; v++) {
        if (duet_naive_find_budget(p, &p->vector[v], s) < 0 &&
            duet_naive_holds(p, &p->vector[v], s)) {
            bool knapsack = p->vector[v].area && duet_naive_draw(p, 0, 3) == 0 && p->types == 2;
            fprintf(p->out, "%s %d\n", knapsack ? "knapsack" : "price", v);
            return true;
        }
    }
    int v = (int)duet_naive_draw(p, 0, p->vectors - 1);
    if (p->vector[v].area && !p->style->only_covers && duet_naive_draw(p, 0, 2) > 0 &&
        p->types == 2 &&
        !duet_naive_divides(p, s, 0, (duet_naive_wide)s->processors[0] * p->capacity[0],
                            (duet_naive_wide)s->processors[1] * p->capacity[1])) {
        fprintf(p->out, "knapsack %d\n", v);
        return true;
    }
    return false;
}

// Splits the state by a random class: one to branch on, or one that is forced onto a type.
static bool split(duet_naive_prover *p, const duet_naive_node *s)
{
    int offset = (int)duet_naive_draw(p, 0, p->classes - 1);
    bool fix_first = duet_naive_draw(p, 0, 2) > 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < p->classes; i++) {
            int c = (i + offset) % p->classes;
            int forced[DUET_NAIVE_TYPES];
            int forcing = 0;
            bool free_choice = false;
            for (int t = 0; t < p->types; t++) {
                free_choice = free_choice || s->lo[t][c] < s->hi[t][c];
                if (s->lo[t][c] >= 1) {
                    forced[forcing++] = t;
                }
            }
            if (fix_first == (round == 0) && free_choice) {
                return branch(p, s, c);
            }
            if (fix_first != (round == 0) && forcing > 0) {
                int t = forced[forcing > 1 ? duet_naive_draw(p, 0, forcing - 1) : 0];
                int v = p->style->only_covers ? 0 : (int)duet_naive_draw(p, 0, p->vectors - 1);
                v = duet_naive_is_plain(&p->vector[v]) ? v : 0; // the first always is
                return cover(p, s, t, c, v);
            }
        }
    }
    if (p->style->lie) { // all is placed: a schedule
        p->lies++;
        fprintf(p->out, "price %d\n", (int)duet_naive_draw(p, 0, p->vectors - 1));
    }
    return p->style->lie;
}

static bool prove(duet_naive_prover *p, const duet_naive_node *s)
{
    if (++p->nodes > p->style->most_nodes) {
        return false;
    }
    if (p->vectors < p->style->most_vectors && duet_naive_draw(p, 0, 1) == 0) {
        duet_naive_declare(p, s);
    }
    bool proven = false;
    if (p->style->lists && duet_naive_draw(p, 0, 1) == 0 && try_listing(p, s, &proven)) {
        return proven; // where a leaf might do as well
    }
    bool lists = p->style->lists;
    if (lists && p->style->lie && s->lists > 0 && duet_naive_draw(p, 0, 1) == 0 &&
        try_wrong_limit(p, s)) {
        return true;
    }
    if (try_leaf(p, s)) {
        return true;
    }
    if (lists && p->style->lie && duet_naive_draw(p, 0, 3) == 0 && try_abuse(p, s)) {
        return true;
    }
    if (lists && try_listing(p, s, &proven)) {
        return proven;
    }
    return p->classes > 0 && split(p, s);
}

int duet_naive_proof(FILE *out, const duet_instance *instance, int64_t bound,
                     const duet_naive_style *style, duet_random *random, int *lies)
{
    duet_naive_prover p = {.out = out, .style = style, .random = random};
    if (bound < 1 || duet_instance_kinds(instance) > DUET_NAIVE_CLASSES ||
        duet_instance_types(instance) > DUET_NAIVE_TYPES) {
        return 0;
    }
    p.types = (int)duet_instance_types(instance);
    duet_naive_find_classes(&p, instance, bound - 1);
    duet_naive_node root = {.lists = 0};
    for (int t = 0; t < p.types; t++) {
        root.processors[t] = duet_instance_type_count(instance, (size_t)t);
    }
    for (int c = 0; c < p.classes; c++) {
        root.n[c] = p.count[c];
        for (int t = 0; t < p.types; t++) {
            root.hi[t][c] = p.time[t][c] > 0 ? p.count[c] : 0;
        }
        duet_naive_narrow(&p, &root, c);
    }
    fprintf(out, "# written by the tests\nduet-proof 1\nbound %" PRId64 "\nclasses %d\n", bound,
            p.classes);
    duet_naive_declare(&p, &root);
    bool proven = prove(&p, &root);
    fputs("end\n", out);
    if (lies != NULL) {
        *lies = p.lies;
    }
    return proven ? p.nodes : 0;
}
