// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/parts.h"

#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "core/system/tasks.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { QUANTA = 512 }; // of a tree's work so far: the part of it between two exchanges

static duet_part *worker(const duet_parts *parts, size_t i)
{
    return parts->part[parts->working[i]];
}

static void walk_part(void *of, size_t i)
{
    const duet_parts *parts = of;
    duet_part *part = worker(parts, i);
    duet_counted before = duet_counted_here();
    int64_t spent;
    do {
        spent = parts->kind->spent(part);
        part->code = parts->kind->walk(part, spent + 1, &part->error);
        spent = parts->kind->spent(part);
    } while (part->code == DUET_OK && !part->ended && spent < parts->until[i] &&
             duet_counted_since(before).done < parts->quantum);
}

static int64_t spent(const duet_parts *parts)
{
    int64_t all = 0;
    for (size_t i = 0; i < parts->count; i++) {
        all += parts->kind->spent(parts->part[i]);
    }
    return all;
}

// One quantum of every part that has not ended.
static void walk_all(duet_parts *parts)
{
    int64_t left = (parts->most - spent(parts)) / (int64_t)parts->workers;
    left = duet_max(left, 1);
    for (size_t i = 0; i < parts->workers; i++) {
        parts->until[i] = parts->kind->spent(worker(parts, i)) + left;
    }
    duet_counted before = duet_counted_here();
    duet_tasks_share(parts->workers, walk_part, parts);
    parts->done += duet_counted_since(before).done;
    parts->quantum = duet_max(parts->done / QUANTA, parts->least);
}

// Leaves out the parts that have ended. *stopped: one of them by a limit.
static duet_code collect(duet_parts *parts, bool *stopped, duet_error *error)
{
    size_t going = 0;
    for (size_t i = 0; i < parts->workers; i++) {
        duet_part *part = worker(parts, i);
        if (part->code != DUET_OK) {
            return duet_error_set(error, part->code, "%s", part->error.message);
        }
        if (part->ended && part->verdict == DUET_FOUND && parts->found == NULL) {
            parts->found = part;
        }
        *stopped = *stopped || (part->ended && part->verdict == DUET_OPEN);
        if (part->ended) {
            parts->kind->rest(part);
        } else {
            parts->working[going++] = parts->working[i];
        }
    }
    parts->workers = going;
    return DUET_OK;
}

// What the parts came to. *over: the search has ended, with the verdict.
static duet_code judge(duet_parts *parts, bool *over, duet_verdict *verdict, duet_error *error)
{
    bool stopped = spent(parts) >= parts->most;
    duet_code code = collect(parts, &stopped, error);
    int64_t open = 0;
    for (size_t i = 0; i < parts->count; i++) {
        open += parts->part[i]->open;
    }
    for (size_t i = 0; i < parts->workers; i++) {
        worker(parts, i)->elsewhere = open - worker(parts, i)->open;
    }
    bool all = parts->workers == 0 && open == 0;
    for (size_t i = 0; i < parts->count; i++) {
        all = all && parts->part[i]->verdict == DUET_REFUTED;
    }
    *over = parts->found != NULL || parts->workers == 0 || stopped || open >= parts->most_open;
    *verdict = parts->found != NULL ? DUET_FOUND : all ? DUET_REFUTED : DUET_OPEN;
    return code;
}

// The part with the outermost node that can be divided; NULL: there is none.
static duet_part *largest(const duet_parts *parts, size_t *depth)
{
    duet_part *best = NULL;
    *depth = SIZE_MAX;
    for (size_t i = 0; i < parts->workers; i++) {
        size_t at = parts->kind->open_depth(worker(parts, i));
        if (at < *depth) {
            *depth = at;
            best = worker(parts, i);
        }
    }
    return best;
}

static size_t free_seat(const duet_parts *parts)
{
    bool taken[DUET_PARTS] = {false};
    for (size_t i = 0; i < parts->workers; i++) {
        taken[worker(parts, i)->seat] = true;
    }
    size_t seat = 0;
    while (taken[seat]) {
        seat++;
    }
    return seat;
}

// As many parts as there may be, as far as there are nodes to divide and memory.
static duet_code share_out(duet_parts *parts, duet_error *error)
{
    const duet_part_kind *kind = parts->kind;
    duet_code code = DUET_OK;
    while (parts->workers < DUET_PARTS && code == DUET_OK) {
        size_t depth;
        duet_part *from = largest(parts, &depth);
        size_t bytes = from == NULL ? 0 : kind->bytes(from, depth);
        if (from == NULL || parts->bytes + bytes > parts->most_bytes) {
            break;
        }
        code = duet_vec_grow(parts->part, parts->count, error);
        DUET_THEN(code, kind->split(from, depth, parts->count, free_seat(parts),
                                    &parts->part[parts->count], error));
        if (code == DUET_OK) {
            parts->bytes += bytes;
            parts->working[parts->workers++] = parts->count++;
        }
    }
    return code;
}

duet_code duet_parts_run(duet_parts *parts, duet_part *first, duet_verdict *verdict,
                         duet_error *error)
{
    bool over = false;
    *verdict = DUET_OPEN;
    duet_code code = duet_vec_push(parts->part, parts->count, error, first);
    if (code != DUET_OK) {
        parts->kind->drop(first);
        return code;
    }
    parts->workers = 1;
    parts->quantum = parts->alone;
    while (code == DUET_OK && !over) {
        walk_all(parts);
        code = judge(parts, &over, verdict, error);
        if (code == DUET_OK && !over) {
            code = share_out(parts, error);
        }
    }
    return code;
}

// The proof of a part, with those of the parts of it in their places.
static void put_proof(const duet_parts *parts, size_t number, duet_log *out)
{
    const duet_part *part = parts->part[number];
    duet_log_transfer transfer = {.from = part->log};
    for (size_t i = 0; i < part->gaps; i++) {
        duet_log_take(out, &transfer, part->gap[i].length);
        put_proof(parts, part->gap[i].taker, out);
    }
    duet_log_take(out, &transfer, part->log->out.length);
    duet_free(transfer.number);
}

void duet_parts_gather_proof(const duet_parts *parts)
{
    duet_log *log = parts->part[0]->log;
    if (log == NULL || parts->count == 1) {
        return;
    }
    duet_log whole;
    duet_log_start_like(&whole, log);
    put_proof(parts, 0, &whole);
    duet_log_free(log);
    *log = whole;
}

void duet_parts_free(duet_parts *parts)
{
    while (parts->count > 0) {
        duet_part *part = parts->part[--parts->count];
        duet_free(part->gap);
        parts->kind->drop(part);
    }
    duet_free(parts->part);
}
