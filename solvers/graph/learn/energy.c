// SPDX-License-Identifier: Apache-2.0
// What the work of intervals says; see learn_state.h.
// Method:    a task on a type takes at least so much of an interval as it would if it started as
//            early or ended as late as it may. Priced, by its cheapest type, that adds up to at
//            most what the processors have there. Where it does not, that is a conflict; where it
//            would not with a task on one of its types, or with more of it in the interval, the
//            task is elsewhere. Of what a conclusion needs the smallest work that it can do without
//            is left away, and windows are as wide as the rest allows.
// Guarantee: every conclusion comes with literals that hold and imply it.
// Cost:      for each beginning of an interval its ends in rising order. The work of tasks on one
//            type grows by as much a tick until it is all there, and from one beginning to the next
//            only that of tasks which may start between them is another: O(tasks^2) a row, and more
//            where tasks may still be on several types or where little is left.
// Memory:    O(tasks types).
// Reference: Erschler, Lopez, PMS 1990; explained: Schutt, Feydy, Stuckey, Wallace, Constraints 16,
//            2011.
#include <string.h>

#include "core/number/minmax.h"
#include "solvers/graph/learn/learn_state.h"

// --- conclusions ---------------------------------------------------------------------------------

static duet_learn_rule rule_of(const duet_learn *s, const duet_learn_interval *of)
{
    return (duet_learn_rule){of->from, of->to, DUET_LEARN_BY_OVERLOAD, (int32_t)(of->row - s->row),
                             0,        0};
}

static bool refute(duet_learn *s, const duet_learn_interval *of)
{
    s->engine.conflict_rule = rule_of(s, of);
    duet_learn_need_others(s, of, NULL, of->demand - of->supply - 1);
    s->engine.conflict.count = 0;
    for (size_t i = 0; i < s->why.count; i++) {
        duet_learn_push(&s->engine, &s->engine.conflict, s->why.literal[i]);
    }
    return false;
}

// --- what would be too much ----------------------------------------------------------------------

// The job is not on a type on which it would take more than is left for it.
static bool exclude_type(duet_learn *s, const duet_learn_interval *of, size_t number, int64_t left)
{
    const duet_learn_job *job = &s->job[number];
    const duet_learn_rule rule = rule_of(s, of);
    for (int32_t o = 0; o < job->options; o++) {
        const duet_learn_option *option = &s->option[job->options_at + (size_t)o];
        int64_t most = duet_learn_overlap(option->time, job, of->from, of->to);
        if (option->price * most <= left) {
            continue;
        }
        int64_t need = left / option->price + 1;
        duet_learn_need_others(s, of, job, need * option->price - left - 1);
        duet_learn_need_window(s, job->task, of->from + need - option->time,
                               of->to - need + option->time);
        duet_learn_literal on =
            job->guard.side >= 0 ? job->guard : duet_learn_on(s, job->task, (size_t)option->type);
        return s->engine.no_memory ||
               duet_learn_conclude(&s->engine, duet_learn_not(on), &s->why, &rule);
    }
    return true;
}

// A job of one type has at most so much of it in the interval that it starts behind that or ends
// before.
static bool move_job(duet_learn *s, const duet_learn_interval *of, size_t number, int64_t left)
{
    const duet_learn_job *job = &s->job[number];
    const duet_learn_option *option = &s->option[job->options_at];
    if (option->price * duet_min(option->time, of->to - of->from) <= left) {
        return true;
    }
    int64_t most = left / option->price;
    int64_t spare = (most + 1) * option->price - left - 1;
    const duet_learn_rule rule = rule_of(s, of);
    duet_learn_literal on =
        job->guard.side >= 0 ? job->guard : duet_learn_on(s, job->task, (size_t)option->type);
    duet_learn_literal later = duet_learn_least(s->start[job->task], of->to - most);
    duet_learn_literal sooner = duet_learn_most(s->end[job->task], of->from + most);
    if (job->earliest + option->time - of->from > most && !duet_learn_holds(&s->engine, later)) {
        duet_learn_need_others(s, of, job, spare);
        duet_learn_push(&s->engine, &s->why, on);
        duet_learn_push(&s->engine, &s->why,
                        duet_learn_least(s->start[job->task], of->from + most + 1 - option->time));
        if (!s->engine.no_memory && !duet_learn_conclude(&s->engine, later, &s->why, &rule)) {
            return false;
        }
    }
    if (of->to - job->latest + option->time > most && !duet_learn_holds(&s->engine, sooner)) {
        duet_learn_need_others(s, of, job, spare);
        duet_learn_push(&s->engine, &s->why, on);
        duet_learn_push(&s->engine, &s->why,
                        duet_learn_most(s->end[job->task], of->to - most - 1 + option->time));
        return s->engine.no_memory || duet_learn_conclude(&s->engine, sooner, &s->why, &rule);
    }
    return true;
}

// Whether a job has one type and is on it.
static bool is_fixed(const duet_learn_job *job)
{
    return job->options == 1 && (job->guard.side < 0 || job->counts);
}

// What is left of an interval for a job beside the least that it takes there, and whether it takes
// more than that if it starts as early or ends as late as it may, or on one of several types.
static bool exceeds(const duet_learn *s, const duet_learn_interval *of, const duet_learn_job *job,
                    int64_t spare, int64_t *left)
{
    const duet_learn_option *option = s->option + job->options_at;
    int64_t most = 0;
    int64_t least = INT64_MAX;
    if (is_fixed(job)) {
        int64_t longest = duet_min(option->time, of->to - of->from);
        int64_t early = duet_min(job->earliest + option->time - of->from, of->to - job->earliest);
        int64_t late = duet_min(of->to - job->latest + option->time, job->latest - of->from);
        early = duet_max(duet_min(early, longest), 0);
        late = duet_max(duet_min(late, longest), 0);
        most = option->price * duet_max(early, late);
        least = option->price * duet_min(early, late);
    } else {
        for (int32_t o = 0; o < job->options; o++) {
            int64_t priced =
                option[o].price * duet_learn_overlap(option[o].time, job, of->from, of->to);
            least = duet_min(priced, least);
            most = duet_max(priced, most);
        }
    }
    *left = spare + (job->counts ? least : 0);
    return most > *left;
}

// Of jobs that could take more than is left.
static bool filter(duet_learn *s, const duet_learn_interval *of)
{
    int64_t spare = of->supply - of->demand;
    for (size_t k = 0; k < s->gains && s->gain[k].most > spare && !s->engine.no_memory; k++) {
        const duet_learn_gain *gain = &s->gain[k];
        int64_t left;
        s->engine.work++;
        if (gain->since >= of->to) {
            continue;
        }
        const duet_learn_job *job = &s->job[gain->job];
        if (exceeds(s, of, job, spare, &left) &&
            !(is_fixed(job) ? move_job(s, of, gain->job, left)
                            : exclude_type(s, of, gain->job, left))) {
            return false;
        }
    }
    return true;
}

// --- all intervals -------------------------------------------------------------------------------

// The first end of intervals that is not before a time.
static size_t find_ending(const duet_learn *s, size_t endings, int64_t time)
{
    size_t low = 0;
    while (low < endings) {
        size_t middle = (low + endings) / 2;
        if (s->ending[middle] < time) {
            low = middle + 1;
        } else {
            endings = middle;
        }
    }
    return low;
}

// Adds the ramp of a job with one option to the sum.
static void bend(duet_learn *s, const duet_learn_ramp *ramp)
{
    uint64_t price = (uint64_t)ramp->price;
    s->bend[ramp->begins_at].slope += price;
    s->bend[ramp->begins_at].level -= price * (uint64_t)ramp->begin;
    s->bend[ramp->full_at].slope -= price;
    s->bend[ramp->full_at].level += price * (uint64_t)ramp->begin + (uint64_t)ramp->most;
}

// Takes it away again.
static void unbend(duet_learn *s, const duet_learn_ramp *ramp)
{
    uint64_t price = (uint64_t)ramp->price;
    s->bend[ramp->begins_at].slope -= price;
    s->bend[ramp->begins_at].level += price * (uint64_t)ramp->begin;
    s->bend[ramp->full_at].slope += price;
    s->bend[ramp->full_at].level -= price * (uint64_t)ramp->begin + (uint64_t)ramp->most;
}

// The ramp of a job in intervals that begin at a time. Its `most` is at most 0 if it adds nothing,
// nor to those that begin later.
static duet_learn_ramp ramp_of(const duet_learn *s, const duet_learn_job *job, int64_t from)
{
    const duet_learn_option *option = s->option + job->options_at;
    duet_learn_ramp ramp = {.begin = duet_max(from, job->late), .most = INT64_MAX};
    for (int32_t o = 0; o < job->options; o++) {
        int64_t length = duet_min(option[o].time, job->earliest + option[o].time - from);
        int64_t begin = duet_max(from, job->latest - option[o].time);
        ramp.most = duet_min(option[o].price * length, ramp.most);
        ramp.full = duet_max(begin + length, ramp.full);
    }
    ramp.price = job->options == 1 ? option->price : 0;
    return ramp;
}

// The ramps of all jobs in intervals that begin before they may start, and their sum.
static void begin_ramps(duet_learn *s, size_t endings)
{
    size_t at = 0;
    s->lives = 0;
    s->several_count = 0;
    s->most = 0;
    memset(s->bend, 0, endings * sizeof *s->bend);
    for (size_t i = 0; i < s->jobs; i++) {
        const duet_learn_job *job = &s->job[i];
        duet_learn_ramp *ramp = &s->ramp[i];
        if (!job->counts) {
            continue;
        }
        *ramp = ramp_of(s, job, job->earliest);
        s->most += ramp->most;
        while (s->ending[at] <= job->late) {
            at++;
        }
        if (ramp->price > 0) {
            ramp->begins_at = at;
            ramp->full_at = job->ends_at;
            bend(s, ramp);
        } else {
            s->several[s->several_count++] = i;
        }
    }
    s->engine.work += (int64_t)s->jobs;
}

// The ramps of jobs that may start before a time are others in intervals that begin then, and end
// at `first` or later ends. `*started` is how many of the tasks by their starts are among these.
static void change_ramps(duet_learn *s, int64_t from, size_t first, size_t endings, size_t *started)
{
    for (; *started < (size_t)s->tasks; ++*started) {
        int32_t job = s->job_of[s->by_start[*started]];
        if (job >= 0 && s->job[job].earliest >= from) {
            break;
        }
        if (job >= 0 && s->job[job].counts) {
            s->live[s->lives++] = (size_t)job;
            if (s->ramp[job].price > 0) {
                unbend(s, &s->ramp[job]);
            }
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->lives; i++) {
        const duet_learn_job *job = &s->job[s->live[i]];
        duet_learn_ramp *ramp = &s->ramp[s->live[i]];
        size_t begins_at = ramp->begins_at;
        s->most -= ramp->most;
        *ramp = ramp_of(s, job, from);
        if (ramp->most <= 0) {
            ramp->most = 0;
            continue;
        }
        s->most += ramp->most;
        s->live[kept++] = s->live[i];
        if (ramp->price > 0) {
            ramp->begins_at = duet_max(begins_at, first);
            ramp->full_at =
                ramp->full == job->latest ? job->ends_at : find_ending(s, endings, ramp->full);
            bend(s, ramp);
        }
    }
    s->engine.work += (int64_t)s->lives + 1;
    s->lives = kept;
}

// Leaves the sum to those that may not yet have started.
static void take_back_ramps(duet_learn *s)
{
    for (size_t i = 0; i < s->lives; i++) {
        const duet_learn_ramp *ramp = &s->ramp[s->live[i]];
        if (ramp->price > 0) {
            unbend(s, ramp);
        }
    }
}

// A job of one type takes at most one tick more with each by which it moves. One of several types
// takes more than its least on the type on which it must take the most.
static duet_learn_gain gain_of(const duet_learn *s, size_t number)
{
    const duet_learn_job *job = &s->job[number];
    const duet_learn_option *option = s->option + job->options_at;
    duet_learn_gain gain = {0, job->latest, job->earliest, number};
    if (is_fixed(job)) {
        int64_t moves = job->latest - job->earliest - option->time;
        gain.most = option->price * duet_max(duet_min(option->time, moves), 0);
        return gain;
    }
    int64_t longest = 0;
    for (int32_t o = 0; o < job->options; o++) {
        longest = duet_max(option[o].time, longest);
        gain.most = duet_max(option[o].price * option[o].time, gain.most);
    }
    gain.until = duet_min(job->earliest + longest, gain.until);
    gain.since = duet_max(job->latest - longest, gain.since);
    return gain;
}

static void sort_gains(duet_learn *s, const duet_learn_row *row)
{
    int32_t *order = s->by_gain + (size_t)(row - s->row) * (size_t)s->tasks;
    for (int32_t j = 0; j < s->tasks; j++) {
        s->key[j] = s->job_of[j] < 0 ? 0 : -gain_of(s, (size_t)s->job_of[j]).most;
    }
    duet_learn_sort_again(s, order);
    s->gains = 0;
    for (int32_t i = 0; i < s->tasks && s->key[order[i]] < 0; i++) {
        s->gain[s->gains++] = gain_of(s, (size_t)s->job_of[order[i]]);
    }
}

// Ramps under way at one end of intervals.
typedef struct under_way {
    size_t next;         // The first of several options that has not begun: s->several.
    size_t active;       // Those that have begun and are not full: s->active.
    int64_t full;        // What the full ones of these add.
    duet_learn_bend sum; // Of those with one option.
} under_way;

// Jobs of several options that may have work in an interval that begins at a time.
static void drop_several(duet_learn *s)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->several_count; i++) {
        if (s->ramp[s->several[i]].most > 0) {
            s->several[kept++] = s->several[i];
        }
    }
    s->several_count = kept;
}

static int64_t add_up(duet_learn *s, under_way *now, int64_t from, int64_t to)
{
    for (; now->next < s->several_count && s->ramp[s->several[now->next]].begin < to; now->next++) {
        s->active[now->active++] = s->several[now->next];
    }
    int64_t demand = (int64_t)(now->sum.level + now->sum.slope * (uint64_t)to);
    size_t kept = 0;
    for (size_t i = 0; i < now->active; i++) {
        const duet_learn_ramp *ramp = &s->ramp[s->active[i]];
        if (ramp->full <= to) {
            now->full += ramp->most;
        } else {
            s->active[kept++] = s->active[i];
            demand += duet_learn_work_in(s, &s->job[s->active[i]], from, to);
        }
    }
    s->engine.work += (int64_t)now->active + 1;
    now->active = kept;
    return demand + now->full;
}

// The first start of a job that has changed and may run after a time; INT64_MAX: there is none.
// Only intervals that such windows reach into can say something new.
static int64_t find_changed(duet_learn *s, int64_t from)
{
    int64_t first = INT64_MAX;
    size_t kept = 0;
    for (size_t i = 0; i < s->moves; i++) {
        const duet_learn_job *job = &s->job[s->moved[i]];
        if (job->latest > from) { // else it runs after no later time
            first = duet_min(job->earliest, first);
            s->moved[kept++] = s->moved[i];
        }
    }
    s->moves = kept;
    return first;
}

// Gains are listed that intervals which begin at a time, or later, may have.
static void drop_gains(duet_learn *s, int64_t from)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->gains; i++) {
        if (s->gain[i].until > from) {
            s->gain[kept++] = s->gain[i];
        }
    }
    s->gains = kept;
}

// Intervals from a time on, which end at `first` or later ends, and after a time.
static bool weigh_from(duet_learn *s, const duet_learn_row *row, int64_t from, size_t first,
                       size_t endings, int64_t after)
{
    under_way now = {.next = 0};
    drop_gains(s, from);
    drop_several(s);
    int64_t gain = s->gains > 0 ? s->gain[0].most : 0;
    for (size_t i = first; i < endings && s->most > 0; i++) {
        now.sum.slope += s->bend[i].slope;
        now.sum.level += s->bend[i].level;
        if (s->ending[i] <= after) {
            continue;
        }
        duet_learn_interval of = {row, from, s->ending[i], (s->ending[i] - from) * row->supply, 0};
        if (s->most + gain <= of.supply) { // the others are longer
            return true;
        }
        of.demand = add_up(s, &now, from, of.to);
        if (of.demand > of.supply) {
            return refute(s, &of);
        }
        if (of.demand > 0 && of.demand + gain > of.supply && !filter(s, &of)) {
            return false;
        }
    }
    return true;
}

// The beginnings of intervals, which are the earliest starts of jobs. How many there are.
static size_t list_beginnings(duet_learn *s)
{
    size_t count = 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t job = s->job_of[s->by_start[i]];
        if (job >= 0 && (count == 0 || s->job[job].earliest > s->beginning[count - 1])) {
            s->beginning[count++] = s->job[job].earliest;
        }
    }
    return count;
}

// Their ends, likewise.
static size_t list_endings(duet_learn *s)
{
    size_t count = 0;
    for (int32_t i = 0; i < s->tasks; i++) {
        int32_t job = s->job_of[s->by_end[i]];
        if (job >= 0) {
            if (count == 0 || s->job[job].latest > s->ending[count - 1]) {
                s->ending[count++] = s->job[job].latest;
            }
            s->job[job].ends_at = count - 1;
        }
    }
    return count;
}

static void begin_row(duet_learn *s, const duet_learn_row *row, size_t endings)
{
    s->moves = 0;
    for (size_t i = 0; i < s->jobs; i++) {
        if (s->job[i].changed) {
            s->moved[s->moves++] = i;
        }
    }
    sort_gains(s, row);
    begin_ramps(s, endings);
}

static bool weigh_row(duet_learn *s, const duet_learn_row *row)
{
    if (!duet_learn_list_jobs(s, row)) {
        return true;
    }
    size_t beginnings = list_beginnings(s);
    size_t endings = list_endings(s);
    size_t first = 0;
    size_t started = 0;
    begin_row(s, row, endings);
    bool holds = true;
    for (size_t i = 0; i < beginnings && holds && !s->engine.no_memory; i++) {
        int64_t after = find_changed(s, s->beginning[i]);
        if (after == INT64_MAX) { // nor may any after a later beginning
            break;
        }
        while (first < endings && s->ending[first] <= s->beginning[i]) {
            first++;
        }
        change_ramps(s, s->beginning[i], first, endings, &started);
        holds = weigh_from(s, row, s->beginning[i], first, endings, after);
        take_back_ramps(s);
    }
    return holds;
}

// Whether a task has changed that may count in a row.
static bool has_changed(const duet_learn *s, const duet_learn_row *row)
{
    bool changed = false;
    for (int32_t j = 0; j < s->tasks && !changed; j++) {
        bool may = row->type < 0 || duet_learn_allows(s, j, (size_t)row->type);
        changed = s->changed[j] && may;
    }
    return changed;
}

static void sort_windows(duet_learn *s)
{
    for (int32_t j = 0; j < s->tasks; j++) {
        s->key[j] = duet_learn_earliest(s, j);
    }
    duet_learn_sort_again(s, s->by_start);
    for (int32_t j = 0; j < s->tasks; j++) {
        s->key[j] = duet_learn_latest(s, j);
    }
    duet_learn_sort_again(s, s->by_end);
}

bool duet_learn_weigh(duet_learn *s)
{
    size_t entries = s->engine.entries;
    if (s->any_changed) {
        sort_windows(s);
    }
    for (size_t r = 0; r < s->rows && s->any_changed && !s->engine.no_memory; r++) {
        if (has_changed(s, &s->row[r]) && !weigh_row(s, &s->row[r])) {
            return false;
        }
        if (s->engine.entries > entries) { // clauses and arcs come first
            return true;
        }
    }
    for (int32_t j = 0; j < s->tasks; j++) {
        s->changed[j] = false;
    }
    s->any_changed = false;
    return true;
}
