// SPDX-License-Identifier: Apache-2.0
// Writes proofs of small claims by trying everything. It shares nothing with the checker but the
// contract: classes are found pair by pair, limits and patterns by counting through all sets.
#include "tests/support/naive_prover.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TYPES = 5, MAX_CLASSES = 16, MAX_VECTORS = 64, MAX_COUNTS = 3, MAX_LISTS = 6 };

__extension__ typedef __int128 wide;

typedef struct pattern {
    int64_t a[MAX_CLASSES];
    wide price;
} pattern;

// An open list: the patterns that a processor of the type may hold.
typedef struct listing {
    pattern *pattern;
    int patterns;
} listing;

// An open count: the sum over the processors of type t of what `counted` says of their patterns is
// at most, or at least, the bound.
typedef struct open_count {
    int t;
    int64_t h;
    bool has[MAX_CLASSES];
    bool at_least;
    int64_t bound;
    int covers; // open when it was
} open_count;

typedef struct node_state {
    int64_t processors[MAX_TYPES];
    int64_t n[MAX_CLASSES], lo[MAX_TYPES][MAX_CLASSES], hi[MAX_TYPES][MAX_CLASSES];
    const listing *list[MAX_TYPES]; // the innermost; NULL: none
    int lists;
    open_count count[MAX_COUNTS];
    int counts;
    int covers;
} node_state;

typedef struct naive_vector {
    bool area;
    bool by_density[MAX_TYPES];
    int64_t weight[MAX_TYPES];
    wide u[MAX_TYPES][MAX_CLASSES];
    wide most[MAX_TYPES];
    bool listed[MAX_TYPES]; // the limit is one of listed patterns
    int counts;             // so many counts have prices
    int64_t g[MAX_COUNTS];
} naive_vector;

typedef struct prover {
    FILE *out;
    const duet_naive_style *style;
    duet_random *random;
    int types;
    int classes;
    int64_t count[MAX_CLASSES];
    int64_t time[MAX_TYPES][MAX_CLASSES]; // -1: unusable
    int64_t capacity[MAX_TYPES];
    naive_vector vector[MAX_VECTORS];
    int vectors;
    int nodes;
    int lies;
} prover;

static int64_t draw(prover *p, int64_t low, int64_t high)
{
    return duet_random_between(p->random, low, high);
}

// How a proof names a type.
static const char *name_of(const prover *p, int t)
{
    static const char *const pair[] = {"cpu", "gpu"};
    static const char *const numbers[] = {"0", "1", "2", "3", "4"};
    return p->types == 2 ? pair[t] : numbers[t];
}

static bool find_times(const duet_instance *instance, size_t kind, int64_t length, int64_t *times)
{
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        int64_t time = duet_instance_time(instance, kind, t);
        bool usable =
            duet_instance_type_count(instance, t) > 0 && time != DUET_FORBIDDEN && time <= length;
        if (usable && time == 0) {
            return false;
        }
        times[t] = usable ? time : -1;
    }
    return true;
}

static void find_classes(prover *p, const duet_instance *instance, int64_t length)
{
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        int64_t times[MAX_TYPES];
        if (!find_times(instance, i, length, times)) {
            continue;
        }
        int c = 0;
        for (; c < p->classes; c++) {
            int same = 0;
            while (same < p->types && p->time[same][c] == times[same]) {
                same++;
            }
            if (same == p->types) {
                break;
            }
        }
        for (int t = 0; t < p->types && c == p->classes; t++) {
            p->time[t][c] = times[t];
        }
        p->classes += c == p->classes ? 1 : 0;
        p->count[c] += duet_instance_kind_count(instance, i);
    }
    for (int t = 0; t < p->types; t++) {
        int64_t divisor = 0;
        for (int c = 0; c < p->classes; c++) {
            for (int64_t a = divisor, b = p->time[t][c]; b > 0;) {
                int64_t rest = a % b;
                a = b;
                b = rest;
                divisor = a;
            }
        }
        p->capacity[t] = divisor == 0 ? length : length / divisor * divisor;
    }
}

// The highest price of tasks of the classes from c on within the room.
static wide most_of(const prover *p, const naive_vector *v, int t, int c, int64_t room)
{
    if (c == p->classes) {
        return 0;
    }
    wide best = most_of(p, v, t, c + 1, room);
    for (int64_t a = 1; p->time[t][c] > 0 && a <= p->count[c] && a * p->time[t][c] <= room; a++) {
        wide with = a * v->u[t][c] + most_of(p, v, t, c + 1, room - a * p->time[t][c]);
        best = with > best ? with : best;
    }
    return best;
}

static void declare_area(prover *p, naive_vector *v)
{
    v->area = true;
    int64_t sum = 0;
    for (int t = 0; t < p->types; t++) {
        v->weight[t] = draw(p, 0, 4) == 0 ? draw(p, 0, 1) : draw(p, 1, 50);
        sum += v->weight[t];
    }
    v->weight[0] += sum == 0 ? 1 : 0;
    fputs("area", p->out);
    for (int t = 0; t < p->types; t++) {
        fprintf(p->out, " %" PRId64, v->weight[t]);
        v->most[t] = (wide)v->weight[t] * p->capacity[t];
        for (int c = 0; c < p->classes; c++) {
            v->u[t][c] = p->time[t][c] > 0 ? (wide)v->weight[t] * p->time[t][c] : 0;
        }
    }
    fputc('\n', p->out);
}

// By density, rounded up; by all sets, exactly, or now and then with some room above.
static int64_t find_limit(prover *p, const naive_vector *v, int t, bool area)
{
    if (!area) {
        return (int64_t)most_of(p, v, t, 0, p->capacity[t]) +
               (draw(p, 0, 7) == 0 ? draw(p, 0, 2) : 0);
    }
    int64_t limit = 0;
    for (int c = 0; c < p->classes; c++) {
        if (p->time[t][c] > 0) {
            wide needed = (v->u[t][c] * p->capacity[t] + p->time[t][c] - 1) / p->time[t][c];
            limit = needed > limit ? (int64_t)needed : limit;
        }
    }
    return limit;
}

static int64_t available(const node_state *s, int t, int c)
{
    return s->hi[t][c];
}

// A walk through all choices of how many tasks of a class go to each type.
typedef struct choices {
    const node_state *s;
    int types;
    int class;
    const wide *price;      // of a task on each type; NULL: none is asked for
    int64_t x[MAX_TYPES];   // the choice
    int64_t low[MAX_TYPES]; // of all choices so far
    int64_t high[MAX_TYPES];
    wide least;
    long found;
} choices;

static void walk_choices(choices *w, int t, int64_t left)
{
    if (t < w->types) {
        for (int64_t x = w->s->lo[t][w->class]; x <= w->s->hi[t][w->class] && x <= left; x++) {
            w->x[t] = x;
            walk_choices(w, t + 1, left - x);
        }
        return;
    }
    if (left > 0) {
        return;
    }
    wide price = 0;
    for (int i = 0; i < w->types; i++) {
        price += w->price == NULL ? 0 : w->price[i] * w->x[i];
        w->low[i] = w->found == 0 || w->x[i] < w->low[i] ? w->x[i] : w->low[i];
        w->high[i] = w->found == 0 || w->x[i] > w->high[i] ? w->x[i] : w->high[i];
    }
    w->least = w->found == 0 || price < w->least ? price : w->least;
    w->found++;
}

// Narrows the ranges of a class to what some choice has; 1 to 0 where there is none.
static void narrow(const prover *p, node_state *s, int c)
{
    choices w = {.s = s, .types = p->types, .class = c};
    walk_choices(&w, 0, s->n[c]);
    for (int t = 0; t < p->types; t++) {
        s->lo[t][c] = w.found > 0 ? w.low[t] : 1;
        s->hi[t][c] = w.found > 0 ? w.high[t] : 0;
    }
}

// What a count counts of a pattern.
static int64_t counted(const prover *p, const open_count *count, const pattern *list)
{
    int64_t tasks = 0;
    for (int c = 0; c < p->classes; c++) {
        tasks += count->has[c] ? list->a[c] : 0;
    }
    if (count->h == 0) {
        return tasks;
    }
    return tasks >= count->h ? 1 : 0;
}

// The price of a pattern, where its limit is of listed patterns with the prices of counts.
static wide value_of(const prover *p, const naive_vector *v, const node_state *s, int t,
                     const pattern *list)
{
    wide value = 0;
    for (int c = 0; c < p->classes; c++) {
        value += list->a[c] * v->u[t][c];
    }
    for (int i = 0; i < v->counts; i++) {
        const open_count *count = &s->count[i];
        if (count->t == t && v->listed[t]) {
            wide part = (wide)v->g[i] * counted(p, count, list);
            value += count->at_least ? part : -part;
        }
    }
    return value;
}

// The highest price of a pattern of the open list, of those that the state still has the tasks of.
static wide most_listed(const prover *p, const naive_vector *v, const node_state *s, int t)
{
    wide most = 0;
    int patterns = s->list[t] == NULL ? 0 : s->list[t]->patterns;
    for (int i = 0; i < patterns; i++) {
        const pattern *list = &s->list[t]->pattern[i];
        bool fits = true;
        for (int c = 0; c < p->classes; c++) {
            fits = fits && list->a[c] <= available(s, t, c);
        }
        wide value = fits ? value_of(p, v, s, t, list) : 0;
        most = value > most ? value : most;
    }
    return most;
}

// Whether a price of a count means anything: it is that of its tasks, or of listed patterns.
static bool is_about(const naive_vector *v, const node_state *s, const open_count *count)
{
    return (v->listed[count->t] || count->h == 0) && count->covers == s->covers;
}

// Whether a vector means anything in a state.
static bool holds(const prover *p, const naive_vector *v, const node_state *s)
{
    if (v->counts > s->counts) {
        return false;
    }
    for (int i = 0; i < v->counts; i++) {
        if (v->g[i] > 0 && !is_about(v, s, &s->count[i])) {
            return false;
        }
    }
    for (int t = 0; t < p->types; t++) {
        if (v->listed[t] && (s->list[t] == NULL || most_listed(p, v, s, t) > v->most[t])) {
            return false;
        }
    }
    return true;
}

// Whether it is for any set of tasks.
static bool is_plain(const naive_vector *v)
{
    bool listed = false;
    for (int t = 0; t < MAX_TYPES; t++) {
        listed = listed || v->listed[t];
    }
    return !listed && v->counts == 0;
}

// Which limits are to be those of lists, and prices for some of the counts.
static void draw_listed(prover *p, naive_vector *v, const node_state *s, int64_t largest)
{
    for (int t = 0; t < p->types; t++) {
        v->listed[t] = s->list[t] != NULL && draw(p, 0, 4) > 0;
    }
    v->counts = draw(p, 0, 3) > 0 ? s->counts : (int)draw(p, 0, s->counts);
    for (int i = 0; i < v->counts; i++) {
        const open_count *count = &s->count[i];
        v->g[i] = is_about(v, s, count) && draw(p, 0, 4) > 0 ? draw(p, 0, 2 * largest) : 0;
        for (int c = 0; c < p->classes && v->g[i] > 0 && draw(p, 0, 1) == 0; c++) {
            if (count->has[c] && p->time[count->t][c] > 0) {
                v->u[count->t][c] = v->g[i]; // worth just what the count takes, or gives
            }
        }
    }
}

static void draw_prices(prover *p, naive_vector *v, const node_state *s)
{
    int64_t largest = p->style->lists && draw(p, 0, 2) > 0 ? draw(p, 1, 3) : draw(p, 1, 30);
    for (int c = 0; c < p->classes; c++) {
        for (int t = 0; t < p->types; t++) {
            v->u[t][c] = p->time[t][c] > 0 ? draw(p, 0, largest) : 0;
        }
        // What runs anywhere is worth the same everywhere, more often than not.
        int first = 0;
        while (first < p->types - 1 && v->u[first][c] == 0) {
            first++;
        }
        for (int t = first + 1; t < p->types; t++) {
            if (v->u[first][c] > 0 && v->u[t][c] > 0 && draw(p, 0, 3) > 0) {
                v->u[t][c] = v->u[first][c];
            }
        }
    }
    if (p->style->lists) {
        draw_listed(p, v, s, largest);
    }
    for (int t = 0; t < p->types; t++) {
        if (v->listed[t]) {
            v->most[t] = most_listed(p, v, s, t) + (draw(p, 0, 7) == 0 ? draw(p, 0, 2) : 0);
            continue;
        }
        bool area = draw(p, 0, 2) == 0;
        int64_t limit = find_limit(p, v, t, area);
        if (limit >= INT64_C(1) << 20) { // for times far above prices
            area = false;
            limit = find_limit(p, v, t, false);
        }
        v->most[t] = limit;
        v->by_density[t] = area;
    }
}

static void print_prices(prover *p, const naive_vector *v)
{
    fputs("prices", p->out);
    for (int t = 0; t < p->types; t++) {
        const char *mode = v->listed[t] ? "listed" : v->by_density[t] ? "area" : "set";
        fprintf(p->out, " %s %" PRId64, mode, (int64_t)v->most[t]);
    }
    for (int c = 0; c < p->classes; c++) {
        for (int t = 0; t < p->types; t++) {
            fprintf(p->out, "%s%d", t == 0 ? "  " : " ", (int)v->u[t][c]);
        }
    }
    if (v->counts > 0 || (p->style->lists && draw(p, 0, 5) == 0)) {
        fprintf(p->out, " counts %d", v->counts);
    }
    for (int i = 0; i < v->counts; i++) {
        fprintf(p->out, " %" PRId64, v->g[i]);
    }
    fputc('\n', p->out);
}

static void declare(prover *p, const node_state *s)
{
    naive_vector *v = &p->vector[p->vectors++];
    *v = (naive_vector){.area = false};
    if (draw(p, 0, 9) == 0) {
        fputs("# a comment between\n\n", p->out);
    }
    bool listed = false;
    for (int t = 0; t < p->types; t++) {
        listed = listed || s->list[t] != NULL;
    }
    if (p->style->only_area || (!listed && draw(p, 0, 1) == 0)) {
        declare_area(p, v);
    } else {
        draw_prices(p, v, s);
        print_prices(p, v);
    }
}

// What a task of a class adds to the demand on a type: with what counts of such tasks cost, unless
// the patterns pay for that.
static wide need_of(const naive_vector *v, const node_state *s, int t, int c)
{
    wide need = v->u[t][c];
    for (int i = 0; i < v->counts && i < s->counts && !v->listed[t]; i++) {
        const open_count *count = &s->count[i];
        if (count->t == t && count->has[c]) {
            need += count->at_least ? -v->g[i] : v->g[i];
        }
    }
    return need;
}

static wide find_budget(const prover *p, const naive_vector *v, const node_state *s)
{
    wide budget = 0;
    for (int t = 0; t < p->types; t++) {
        budget += s->processors[t] * v->most[t];
    }
    for (int c = 0; c < p->classes; c++) {
        wide price[MAX_TYPES] = {0};
        choices w = {.s = s, .types = p->types, .class = c, .price = price};
        for (int t = 0; t < p->types; t++) {
            price[t] = need_of(v, s, t, c);
        }
        walk_choices(&w, 0, s->n[c]);
        budget -= w.least;
    }
    for (int i = 0; i < v->counts && i < s->counts; i++) {
        wide part = (wide)v->g[i] * s->count[i].bound;
        budget += s->count[i].at_least ? -part : part;
    }
    return budget;
}

// Of two types: whether the work of the classes from c on can be divided within the room.
static bool divides(const prover *p, const node_state *s, int c, wide cpu, wide gpu)
{
    if (cpu < 0 || gpu < 0) {
        return false;
    }
    if (c == p->classes) {
        return true;
    }
    for (int64_t x = s->lo[0][c]; x <= s->hi[0][c]; x++) {
        wide on_cpu = x == 0 ? 0 : (wide)x * p->time[0][c];
        wide on_gpu = s->n[c] == x ? 0 : (wide)(s->n[c] - x) * p->time[1][c];
        if (divides(p, s, c + 1, cpu - on_cpu, gpu - on_gpu)) {
            return true;
        }
    }
    return false;
}

static int compare(const void *left, const void *right)
{
    const pattern *a = left;
    const pattern *b = right;
    if (a->price != b->price) {
        return a->price > b->price ? -1 : 1;
    }
    for (int c = 0; c < MAX_CLASSES; c++) {
        if (a->a[c] != b->a[c]) {
            return a->a[c] > b->a[c] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_listed(const listing *list, const pattern *wanted)
{
    for (int i = 0; i < list->patterns; i++) {
        if (memcmp(list->pattern[i].a, wanted->a, sizeof wanted->a) == 0) {
            return true;
        }
    }
    return false;
}

// All patterns, counted through like an odometer: those with a task of a class for a cover; for a
// list (class -1) those of any tasks that are in the list above.
static pattern *list_patterns(const prover *p, const node_state *s, const naive_vector *v, int t,
                              int class, int *count)
{
    pattern *list = NULL;
    pattern now = {{0}, 0};
    wide budget = find_budget(p, v, s);
    *count = 0;
    for (int c = 0; (class < 0 || s->processors[t] > 0) && c < p->classes;) {
        wide time = 0;
        int64_t tasks = 0;
        for (int i = 0; i < p->classes; i++) {
            time += now.a[i] == 0 ? 0 : now.a[i] * (wide)p->time[t][i];
            tasks += now.a[i];
        }
        now.price = value_of(p, v, s, t, &now);
        bool wanted = class < 0 ? tasks > 0 && (s->list[t] == NULL || is_listed(s->list[t], &now))
                                : now.a[class] >= 1;
        if (wanted && time <= p->capacity[t] && v->most[t] - now.price <= budget) {
            list = realloc(list, (size_t)(*count + 1) * sizeof *list);
            list[(*count)++] = now;
        }
        for (c = 0; c < p->classes && now.a[c] == available(s, t, c); c++) {
            now.a[c] = 0;
        }
        if (c < p->classes) {
            now.a[c]++;
        }
    }
    if (list != NULL) {
        qsort(list, (size_t)*count, sizeof *list, compare);
    }
    return list;
}

static bool prove(prover *p, const node_state *s);

static bool branch(prover *p, const node_state *s, int class)
{
    int t = 0; // the CPUs of two types
    while (p->types != 2 && (s->lo[t][class] == s->hi[t][class] || draw(p, 0, 1) == 0)) {
        t = (t + 1) % p->types;
    }
    int64_t a = draw(p, s->lo[t][class], s->hi[t][class] - 1);
    fputs("branch ", p->out);
    if (p->types != 2) {
        fprintf(p->out, "%d ", t);
    }
    fprintf(p->out, "%d %" PRId64 "\n", class, a);
    node_state child = *s;
    child.hi[t][class] = a;
    narrow(p, &child, class);
    if (!prove(p, &child)) {
        return false;
    }
    child = *s;
    child.lo[t][class] = a + 1;
    narrow(p, &child, class);
    return prove(p, &child);
}

static bool cover(prover *p, const node_state *s, int t, int class, int vector)
{
    int count = 0;
    pattern *list = list_patterns(p, s, &p->vector[vector], t, class, &count);
    fprintf(p->out, "cover %d %s %d %d\n", vector, name_of(p, t), class, count);
    bool proven = true;
    for (int i = 0; i < count && proven; i++) {
        node_state child = *s;
        child.processors[t]--;
        child.covers++;
        for (int c = 0; c < p->classes; c++) {
            int64_t a = list[i].a[c];
            if (a > 0) {
                child.n[c] -= a;
                child.lo[t][c] = s->lo[t][c] > a ? s->lo[t][c] - a : 0;
                child.hi[t][c] -= a;
                narrow(p, &child, c);
            }
        }
        proven = prove(p, &child);
    }
    free(list);
    return proven;
}

// From here on a processor of a type holds what is listed.
static bool list_node(prover *p, const node_state *s, int t, int vector)
{
    int count = 0;
    listing made = {list_patterns(p, s, &p->vector[vector], t, -1, &count), 0};
    made.patterns = count;
    fprintf(p->out, "list %d %s %d\n", vector, name_of(p, t), count);
    node_state child = *s;
    child.list[t] = &made;
    child.lists++;
    bool proven = prove(p, &child);
    free(made.pattern);
    return proven;
}

static bool count_node(prover *p, const node_state *s)
{
    node_state child = *s;
    open_count *count = &child.count[child.counts++];
    *count = (open_count){.t = (int)draw(p, 0, p->types - 1), .covers = s->covers};
    count->h = draw(p, 0, 1) == 0 ? 0 : draw(p, 1, 3);
    int64_t a = draw(p, 0, draw(p, 0, 9) == 0 ? 9 : 2);
    int drawn = (int)draw(p, draw(p, 0, 9) == 0 ? 0 : 1, p->classes);
    fprintf(p->out, "count %s %" PRId64 " %" PRId64 " %d", name_of(p, count->t), count->h, a,
            drawn);
    for (int i = 0; i < drawn; i++) {
        int c = (int)draw(p, 0, p->classes - 1);
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
static bool try_listing(prover *p, const node_state *s, bool *proven)
{
    int t = (int)draw(p, 0, p->types - 1);
    int v = (int)draw(p, 0, p->vectors - 1);
    if (s->lists < MAX_LISTS && draw(p, 0, 2) == 0 && holds(p, &p->vector[v], s)) {
        *proven = list_node(p, s, t, v);
        return true;
    }
    if (s->counts < MAX_COUNTS && p->classes > 0 && draw(p, 0, 4) == 0) {
        *proven = count_node(p, s);
        return true;
    }
    return false;
}

// Closes a state by a vector that means nothing there, where one says that there is no schedule.
static bool try_abuse(prover *p, const node_state *s)
{
    for (int v = 0; v < p->vectors; v++) {
        if (!holds(p, &p->vector[v], s) && find_budget(p, &p->vector[v], s) < 0) {
            p->lies++;
            fprintf(p->out, "price %d\n", v);
            return true;
        }
    }
    return false;
}

// Closes a state by a vector that would prove it, were its limit of a list not too low for the
// patterns, or for the prices of counts.
static bool try_wrong_limit(prover *p, const node_state *s)
{
    for (int round = 0; round < 8 && p->vectors < MAX_VECTORS; round++) {
        naive_vector v = {.area = false};
        draw_prices(p, &v, s);
        int64_t less = draw(p, 0, 1);
        for (int t = 0; t < p->types; t++) {
            v.most[t] -= v.listed[t] && v.most[t] >= less ? less : 0;
        }
        for (int i = 0; i < v.counts && less == 0; i++) {
            v.g[i] += v.g[i] > 0 ? draw(p, 0, 3) : 0;
        }
        if (find_budget(p, &v, s) < 0 && !holds(p, &v, s)) {
            print_prices(p, &v);
            fprintf(p->out, "price %d\n", p->vectors);
            p->vector[p->vectors++] = v;
            p->lies++;
            return true;
        }
    }
    return false;
}

// A leaf where one is to be had.
static bool try_leaf(prover *p, const node_state *s)
{
    for (int c = 0; c < p->classes; c++) {
        if (s->n[c] > 0 && s->lo[0][c] > s->hi[0][c]) {
            fprintf(p->out, "nowhere %d\n", c);
            return true;
        }
    }
    for (int v = 0; v < p->vectors && !p->style->only_covers; v++) {
        if (find_budget(p, &p->vector[v], s) < 0 && holds(p, &p->vector[v], s)) {
            bool knapsack = p->vector[v].area && draw(p, 0, 3) == 0 && p->types == 2;
            fprintf(p->out, "%s %d\n", knapsack ? "knapsack" : "price", v);
            return true;
        }
    }
    int v = (int)draw(p, 0, p->vectors - 1);
    if (p->vector[v].area && !p->style->only_covers && draw(p, 0, 2) > 0 && p->types == 2 &&
        !divides(p, s, 0, (wide)s->processors[0] * p->capacity[0],
                 (wide)s->processors[1] * p->capacity[1])) {
        fprintf(p->out, "knapsack %d\n", v);
        return true;
    }
    return false;
}

// Splits the state by a random class: one to branch on, or one that is forced onto a type.
static bool split(prover *p, const node_state *s)
{
    int offset = (int)draw(p, 0, p->classes - 1);
    bool fix_first = draw(p, 0, 2) > 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < p->classes; i++) {
            int c = (i + offset) % p->classes;
            int forced[MAX_TYPES];
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
                int t = forced[forcing > 1 ? draw(p, 0, forcing - 1) : 0];
                int v = p->style->only_covers ? 0 : (int)draw(p, 0, p->vectors - 1);
                v = is_plain(&p->vector[v]) ? v : 0; // the first always is
                return cover(p, s, t, c, v);
            }
        }
    }
    if (p->style->lie) { // all is placed: a schedule
        p->lies++;
        fprintf(p->out, "price %d\n", (int)draw(p, 0, p->vectors - 1));
    }
    return p->style->lie;
}

static bool prove(prover *p, const node_state *s)
{
    if (++p->nodes > p->style->most_nodes) {
        return false;
    }
    if (p->vectors < p->style->most_vectors && draw(p, 0, 1) == 0) {
        declare(p, s);
    }
    bool proven = false;
    if (p->style->lists && draw(p, 0, 1) == 0 && try_listing(p, s, &proven)) {
        return proven; // where a leaf might do as well
    }
    bool lists = p->style->lists;
    if (lists && p->style->lie && s->lists > 0 && draw(p, 0, 1) == 0 && try_wrong_limit(p, s)) {
        return true;
    }
    if (try_leaf(p, s)) {
        return true;
    }
    if (lists && p->style->lie && draw(p, 0, 3) == 0 && try_abuse(p, s)) {
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
    prover p = {.out = out, .style = style, .random = random};
    if (bound < 1 || duet_instance_kinds(instance) > MAX_CLASSES ||
        duet_instance_types(instance) > MAX_TYPES) {
        return 0;
    }
    p.types = (int)duet_instance_types(instance);
    find_classes(&p, instance, bound - 1);
    node_state root = {.lists = 0};
    for (int t = 0; t < p.types; t++) {
        root.processors[t] = duet_instance_type_count(instance, (size_t)t);
    }
    for (int c = 0; c < p.classes; c++) {
        root.n[c] = p.count[c];
        for (int t = 0; t < p.types; t++) {
            root.hi[t][c] = p.time[t][c] > 0 ? p.count[c] : 0;
        }
        narrow(&p, &root, c);
    }
    fprintf(out, "# written by the tests\nduet-proof 1\nbound %" PRId64 "\nclasses %d\n", bound,
            p.classes);
    declare(&p, &root);
    bool proven = prove(&p, &root);
    fputs("end\n", out);
    if (lies != NULL) {
        *lies = p.lies;
    }
    return proven ? p.nodes : 0;
}
