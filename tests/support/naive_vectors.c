// SPDX-License-Identifier: Apache-2.0
#include "tests/support/naive_vectors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int64_t duet_naive_draw(duet_naive_prover *p, int64_t low, int64_t high)
{
    return duet_random_between(p->random, low, high);
}

const char *duet_naive_name_of(const duet_naive_prover *p, int t)
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

void duet_naive_find_classes(duet_naive_prover *p, const duet_instance *instance, int64_t length)
{
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        int64_t times[DUET_NAIVE_TYPES];
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
static duet_naive_wide most_of(const duet_naive_prover *p, const duet_naive_vector *v, int t, int c,
                               int64_t room)
{
    if (c == p->classes) {
        return 0;
    }
    duet_naive_wide best = most_of(p, v, t, c + 1, room);
    for (int64_t a = 1; p->time[t][c] > 0 && a <= p->count[c] && a * p->time[t][c] <= room; a++) {
        duet_naive_wide with = a * v->u[t][c] + most_of(p, v, t, c + 1, room - a * p->time[t][c]);
        best = with > best ? with : best;
    }
    return best;
}

static void declare_area(duet_naive_prover *p, duet_naive_vector *v)
{
    v->area = true;
    int64_t sum = 0;
    for (int t = 0; t < p->types; t++) {
        v->weight[t] =
            duet_naive_draw(p, 0, 4) == 0 ? duet_naive_draw(p, 0, 1) : duet_naive_draw(p, 1, 50);
        sum += v->weight[t];
    }
    v->weight[0] += sum == 0 ? 1 : 0;
    fputs("area", p->out);
    for (int t = 0; t < p->types; t++) {
        fprintf(p->out, " %" PRId64, v->weight[t]);
        v->most[t] = (duet_naive_wide)v->weight[t] * p->capacity[t];
        for (int c = 0; c < p->classes; c++) {
            v->u[t][c] = p->time[t][c] > 0 ? (duet_naive_wide)v->weight[t] * p->time[t][c] : 0;
        }
    }
    fputc('\n', p->out);
}

// By density, rounded up; by all sets, exactly, or now and then with some room above.
static int64_t find_limit(duet_naive_prover *p, const duet_naive_vector *v, int t, bool area)
{
    if (!area) {
        return (int64_t)most_of(p, v, t, 0, p->capacity[t]) +
               (duet_naive_draw(p, 0, 7) == 0 ? duet_naive_draw(p, 0, 2) : 0);
    }
    int64_t limit = 0;
    for (int c = 0; c < p->classes; c++) {
        if (p->time[t][c] > 0) {
            duet_naive_wide needed =
                (v->u[t][c] * p->capacity[t] + p->time[t][c] - 1) / p->time[t][c];
            limit = needed > limit ? (int64_t)needed : limit;
        }
    }
    return limit;
}

static int64_t available(const duet_naive_node *s, int t, int c)
{
    return s->hi[t][c];
}

// A walk through all choices of how many tasks of a class go to each type.
typedef struct choices {
    const duet_naive_node *s;
    int types;
    int class;
    const duet_naive_wide *price;  // of a task on each type; NULL: none is asked for
    int64_t x[DUET_NAIVE_TYPES];   // the choice
    int64_t low[DUET_NAIVE_TYPES]; // of all choices so far
    int64_t high[DUET_NAIVE_TYPES];
    duet_naive_wide least;
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
    duet_naive_wide price = 0;
    for (int i = 0; i < w->types; i++) {
        price += w->price == NULL ? 0 : w->price[i] * w->x[i];
        w->low[i] = w->found == 0 || w->x[i] < w->low[i] ? w->x[i] : w->low[i];
        w->high[i] = w->found == 0 || w->x[i] > w->high[i] ? w->x[i] : w->high[i];
    }
    w->least = w->found == 0 || price < w->least ? price : w->least;
    w->found++;
}

void duet_naive_narrow(const duet_naive_prover *p, duet_naive_node *s, int c)
{
    choices w = {.s = s, .types = p->types, .class = c};
    walk_choices(&w, 0, s->n[c]);
    for (int t = 0; t < p->types; t++) {
        s->lo[t][c] = w.found > 0 ? w.low[t] : 1;
        s->hi[t][c] = w.found > 0 ? w.high[t] : 0;
    }
}

// What a count counts of a pattern.
static int64_t counted(const duet_naive_prover *p, const duet_naive_count *count,
                       const duet_naive_pattern *list)
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
static duet_naive_wide value_of(const duet_naive_prover *p, const duet_naive_vector *v,
                                const duet_naive_node *s, int t, const duet_naive_pattern *list)
{
    duet_naive_wide value = 0;
    for (int c = 0; c < p->classes; c++) {
        value += list->a[c] * v->u[t][c];
    }
    for (int i = 0; i < v->counts; i++) {
        const duet_naive_count *count = &s->count[i];
        if (count->t == t && v->listed[t]) {
            duet_naive_wide part = (duet_naive_wide)v->g[i] * counted(p, count, list);
            value += count->at_least ? part : -part;
        }
    }
    return value;
}

// The highest price of a pattern of the open list, of those that the state still has the tasks of.
static duet_naive_wide most_listed(const duet_naive_prover *p, const duet_naive_vector *v,
                                   const duet_naive_node *s, int t)
{
    duet_naive_wide most = 0;
    int patterns = s->list[t] == NULL ? 0 : s->list[t]->patterns;
    for (int i = 0; i < patterns; i++) {
        const duet_naive_pattern *list = &s->list[t]->pattern[i];
        bool fits = true;
        for (int c = 0; c < p->classes; c++) {
            fits = fits && list->a[c] <= available(s, t, c);
        }
        duet_naive_wide value = fits ? value_of(p, v, s, t, list) : 0;
        most = value > most ? value : most;
    }
    return most;
}

// Whether a price of a count means anything: it is that of its tasks, or of listed patterns.
static bool is_about(const duet_naive_vector *v, const duet_naive_node *s,
                     const duet_naive_count *count)
{
    return (v->listed[count->t] || count->h == 0) && count->covers == s->covers;
}

bool duet_naive_holds(const duet_naive_prover *p, const duet_naive_vector *v,
                      const duet_naive_node *s)
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

bool duet_naive_is_plain(const duet_naive_vector *v)
{
    bool listed = false;
    for (int t = 0; t < DUET_NAIVE_TYPES; t++) {
        listed = listed || v->listed[t];
    }
    return !listed && v->counts == 0;
}

// Which limits are to be those of lists, and prices for some of the counts.
static void draw_listed(duet_naive_prover *p, duet_naive_vector *v, const duet_naive_node *s,
                        int64_t largest)
{
    for (int t = 0; t < p->types; t++) {
        v->listed[t] = s->list[t] != NULL && duet_naive_draw(p, 0, 4) > 0;
    }
    v->counts = duet_naive_draw(p, 0, 3) > 0 ? s->counts : (int)duet_naive_draw(p, 0, s->counts);
    for (int i = 0; i < v->counts; i++) {
        const duet_naive_count *count = &s->count[i];
        v->g[i] = is_about(v, s, count) && duet_naive_draw(p, 0, 4) > 0
                      ? duet_naive_draw(p, 0, 2 * largest)
                      : 0;
        for (int c = 0; c < p->classes && v->g[i] > 0 && duet_naive_draw(p, 0, 1) == 0; c++) {
            if (count->has[c] && p->time[count->t][c] > 0) {
                v->u[count->t][c] = v->g[i]; // worth just what the count takes, or gives
            }
        }
    }
}

void duet_naive_draw_prices(duet_naive_prover *p, duet_naive_vector *v, const duet_naive_node *s)
{
    int64_t largest = p->style->lists && duet_naive_draw(p, 0, 2) > 0 ? duet_naive_draw(p, 1, 3)
                                                                      : duet_naive_draw(p, 1, 30);
    for (int c = 0; c < p->classes; c++) {
        for (int t = 0; t < p->types; t++) {
            v->u[t][c] = p->time[t][c] > 0 ? duet_naive_draw(p, 0, largest) : 0;
        }
        // What runs anywhere is worth the same everywhere, more often than not.
        int first = 0;
        while (first < p->types - 1 && v->u[first][c] == 0) {
            first++;
        }
        for (int t = first + 1; t < p->types; t++) {
            if (v->u[first][c] > 0 && v->u[t][c] > 0 && duet_naive_draw(p, 0, 3) > 0) {
                v->u[t][c] = v->u[first][c];
            }
        }
    }
    if (p->style->lists) {
        draw_listed(p, v, s, largest);
    }
    for (int t = 0; t < p->types; t++) {
        if (v->listed[t]) {
            v->most[t] = most_listed(p, v, s, t) +
                         (duet_naive_draw(p, 0, 7) == 0 ? duet_naive_draw(p, 0, 2) : 0);
            continue;
        }
        bool area = duet_naive_draw(p, 0, 2) == 0;
        int64_t limit = find_limit(p, v, t, area);
        if (limit >= INT64_C(1) << 20) { // for times far above prices
            area = false;
            limit = find_limit(p, v, t, false);
        }
        v->most[t] = limit;
        v->by_density[t] = area;
    }
}

void duet_naive_print_prices(duet_naive_prover *p, const duet_naive_vector *v)
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
    if (v->counts > 0 || (p->style->lists && duet_naive_draw(p, 0, 5) == 0)) {
        fprintf(p->out, " counts %d", v->counts);
    }
    for (int i = 0; i < v->counts; i++) {
        fprintf(p->out, " %" PRId64, v->g[i]);
    }
    fputc('\n', p->out);
}

void duet_naive_declare(duet_naive_prover *p, const duet_naive_node *s)
{
    duet_naive_vector *v = &p->vector[p->vectors++];
    *v = (duet_naive_vector){.area = false};
    if (duet_naive_draw(p, 0, 9) == 0) {
        fputs("# a comment between\n\n", p->out);
    }
    bool listed = false;
    for (int t = 0; t < p->types; t++) {
        listed = listed || s->list[t] != NULL;
    }
    if (p->style->only_area || (!listed && duet_naive_draw(p, 0, 1) == 0)) {
        declare_area(p, v);
    } else {
        duet_naive_draw_prices(p, v, s);
        duet_naive_print_prices(p, v);
    }
}

// What a task of a class adds to the demand on a type: with what counts of such tasks cost, unless
// the patterns pay for that.
static duet_naive_wide need_of(const duet_naive_vector *v, const duet_naive_node *s, int t, int c)
{
    duet_naive_wide need = v->u[t][c];
    for (int i = 0; i < v->counts && i < s->counts && !v->listed[t]; i++) {
        const duet_naive_count *count = &s->count[i];
        if (count->t == t && count->has[c]) {
            need += count->at_least ? -v->g[i] : v->g[i];
        }
    }
    return need;
}

duet_naive_wide duet_naive_find_budget(const duet_naive_prover *p, const duet_naive_vector *v,
                                       const duet_naive_node *s)
{
    duet_naive_wide budget = 0;
    for (int t = 0; t < p->types; t++) {
        budget += s->processors[t] * v->most[t];
    }
    for (int c = 0; c < p->classes; c++) {
        duet_naive_wide price[DUET_NAIVE_TYPES] = {0};
        choices w = {.s = s, .types = p->types, .class = c, .price = price};
        for (int t = 0; t < p->types; t++) {
            price[t] = need_of(v, s, t, c);
        }
        walk_choices(&w, 0, s->n[c]);
        budget -= w.least;
    }
    for (int i = 0; i < v->counts && i < s->counts; i++) {
        duet_naive_wide part = (duet_naive_wide)v->g[i] * s->count[i].bound;
        budget += s->count[i].at_least ? -part : part;
    }
    return budget;
}

bool duet_naive_divides(const duet_naive_prover *p, const duet_naive_node *s, int c,
                        duet_naive_wide cpu, duet_naive_wide gpu)
{
    if (cpu < 0 || gpu < 0) {
        return false;
    }
    if (c == p->classes) {
        return true;
    }
    for (int64_t x = s->lo[0][c]; x <= s->hi[0][c]; x++) {
        duet_naive_wide on_cpu = x == 0 ? 0 : (duet_naive_wide)x * p->time[0][c];
        duet_naive_wide on_gpu = s->n[c] == x ? 0 : (duet_naive_wide)(s->n[c] - x) * p->time[1][c];
        if (duet_naive_divides(p, s, c + 1, cpu - on_cpu, gpu - on_gpu)) {
            return true;
        }
    }
    return false;
}

static int compare(const void *left, const void *right)
{
    const duet_naive_pattern *a = left;
    const duet_naive_pattern *b = right;
    if (a->price != b->price) {
        return a->price > b->price ? -1 : 1;
    }
    for (int c = 0; c < DUET_NAIVE_CLASSES; c++) {
        if (a->a[c] != b->a[c]) {
            return a->a[c] > b->a[c] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_listed(const duet_naive_listing *list, const duet_naive_pattern *wanted)
{
    for (int i = 0; i < list->patterns; i++) {
        if (memcmp(list->pattern[i].a, wanted->a, sizeof wanted->a) == 0) {
            return true;
        }
    }
    return false;
}

duet_naive_pattern *duet_naive_list_patterns(const duet_naive_prover *p, const duet_naive_node *s,
                                             const duet_naive_vector *v, int t, int class,
                                             int *count)
{
    duet_naive_pattern *list = NULL;
    duet_naive_pattern now = {{0}, 0};
    duet_naive_wide budget = duet_naive_find_budget(p, v, s);
    *count = 0;
    for (int c = 0; (class < 0 || s->processors[t] > 0) && c < p->classes;) {
        duet_naive_wide time = 0;
        int64_t tasks = 0;
        for (int i = 0; i < p->classes; i++) {
            time += now.a[i] == 0 ? 0 : now.a[i] * (duet_naive_wide)p->time[t][i];
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
