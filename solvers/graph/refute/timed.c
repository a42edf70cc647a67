// SPDX-License-Identifier: Apache-2.0
// Time-indexed prices (lp/graph/timed/timed.h) on the windows of a refutation, and their line in
// the proof.
#include "core/number/minmax.h"
#include "solvers/graph/refute/node.h"
#include "solvers/graph/refute/tuning.h"

// Begins with the line of the linear program. Where that does not fit into the memory, neither do
// prices, which take more.
static void make_timed(duet_refuter *refuter)
{
    duet_refute_make_program(refuter);
    if (refuter->code != DUET_OK || refuter->timed_state != DUET_RELAXATION_NOT_MADE ||
        refuter->program_state != DUET_RELAXATION_MADE) {
        return;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code =
        duet_timed_create(&refuter->network, refuter->context, refuter->windows.guess,
                          duet_interval_line_of(refuter->program), &refuter->timed, &why);
    if (code != DUET_OK && code != DUET_E_LIMIT) {
        refuter->code = duet_error_set(refuter->error, code, "%s", why.message);
        return;
    }
    refuter->timed_state = code == DUET_OK ? DUET_RELAXATION_MADE : DUET_RELAXATION_TOO_LARGE;
}

// The cells of all types with a price: "n  type cell price ...".
static void put_cells(const duet_refuter *refuter, const duet_timed_line *line,
                      duet_proof_writer *proof)
{
    size_t cells = line->cells;
    int64_t some = 0;
    for (size_t i = 0; i < refuter->windows.types * cells; i++) {
        some += line->tick[i] > 0 ? 1 : 0;
    }
    duet_proof_put_number(proof, some);
    for (size_t i = 0; i < refuter->windows.types * cells; i++) {
        if (line->tick[i] > 0) {
            duet_proof_put_number(proof, (int64_t)(i / cells));
            duet_proof_put_number(proof, (int64_t)(i % cells));
            duet_proof_put_number(proof, line->tick[i]);
        }
    }
}

// The edges with a price: "n  edge count  cell price ...  edge count ...".
static void put_entries(const duet_timed_line *line, duet_proof_writer *proof)
{
    int64_t edges = 0;
    for (size_t i = 0; i < line->entries; i++) {
        edges += i == 0 || line->entry[i].edge != line->entry[i - 1].edge ? 1 : 0;
    }
    duet_proof_put_number(proof, edges);
    for (size_t i = 0; i < line->entries;) {
        size_t end = i;
        while (end < line->entries && line->entry[end].edge == line->entry[i].edge) {
            end++;
        }
        duet_proof_put_number(proof, line->entry[i].edge);
        duet_proof_put_number(proof, (int64_t)(end - i));
        for (; i < end; i++) {
            duet_proof_put_number(proof, line->entry[i].cell);
            duet_proof_put_number(proof, line->entry[i].price);
        }
    }
}

static void write_timed(duet_refuter *refuter, const duet_timed_line *line)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    size_t numbers = 3 * refuter->windows.types * line->cells + 4 * line->entries +
                     duet_refute_mixing_numbers(line->mixings) + 8;
    if (duet_proof_begin(proof, numbers * DUET_PROOF_NUMBER)) {
        duet_proof_put(proof, "timed");
        duet_proof_put_number(proof, line->width);
        duet_proof_put_number(proof, line->unit);
        put_cells(refuter, line, proof);
        put_entries(line, proof);
        duet_refute_put_mixing(refuter, line->mixing, line->mixing_price, line->mixings);
        duet_proof_put(proof, "\n");
    }
}

// Takes what the prices have left of windows.
static void take_windows(duet_refuter *refuter)
{
    duet_windows *windows = &refuter->windows;
    size_t count;
    const duet_window_of_task *narrowed = duet_timed_narrowed(refuter->timed, &count);
    for (size_t i = 0; i < count; i++) {
        const duet_window *left = &narrowed[i].window;
        duet_windows_restrict_types(windows, narrowed[i].task, left->types);
        duet_windows_raise_start(windows, narrowed[i].task, left->start);
        duet_windows_raise_tail(windows, narrowed[i].task, left->tail);
    }
}

// Asks the prices, or goes on asking them where they paused. After an error they say nothing.
static duet_timed_result ask(duet_refuter *refuter, const duet_timed_effort *effort)
{
    duet_windows *windows = &refuter->windows;
    duet_timed_result result = DUET_TIMED_NOTHING;
    int64_t before = duet_timed_work(refuter->timed);
    if (refuter->status == DUET_REFUTE_PAUSED_AT_ROOT) {
        refuter->code = duet_timed_refute_on(refuter->timed, effort->work, refuter->context,
                                             &result, refuter->error);
    } else {
        duet_interval_guess guess = {windows->guess, windows->window};
        duet_mixing *mixing = duet_interval_mixing(refuter->program);
        if (mixing != NULL && duet_timed_has_rows(refuter->timed)) {
            windows->work += duet_mixing_update(mixing, &guess);
        }
        refuter->code = duet_timed_refute(refuter->timed, windows->guess, windows->window, mixing,
                                          effort, refuter->context, &result, refuter->error);
    }
    result = refuter->code == DUET_OK ? result : DUET_TIMED_NOTHING;
    bool paused = result == DUET_TIMED_PAUSED;
    refuter->status = paused ? DUET_REFUTE_PAUSED_AT_ROOT : DUET_REFUTE_RUNS;
    windows->work += duet_timed_work(refuter->timed) - before;
    return result;
}

// The work of prices until the call pauses: not before their first step.
static int64_t work_left(const duet_refuter *refuter)
{
    int64_t left =
        refuter->work_end == INT64_MAX ? INT64_MAX : refuter->work_end - refuter->windows.work;
    return duet_max(left, 1);
}

void duet_refute_timed(duet_refuter *refuter, int steps, bool pauses)
{
    duet_windows *windows = &refuter->windows;
    if (windows->guess > 0) {
        make_timed(refuter);
    }
    if (windows->guess < 1 || refuter->timed == NULL || windows->refuted ||
        duet_refute_stop(refuter)) {
        refuter->status = DUET_REFUTE_RUNS;
        return;
    }
    // Each turn but the last narrows windows, which are finite: the turns end without a limit.
    for (bool narrows = true; narrows;) {
        duet_timed_effort effort = {steps, pauses ? work_left(refuter) : INT64_MAX};
        int64_t narrowed = windows->narrowed;
        duet_timed_result result = ask(refuter, &effort);
        if (result == DUET_TIMED_NOTHING || result == DUET_TIMED_PAUSED) {
            break;
        }
        write_timed(refuter, duet_timed_line_of(refuter->timed));
        if (result == DUET_TIMED_REFUTED) {
            windows->refuted = true;
            break;
        }
        take_windows(refuter);
        duet_refute_propagate(refuter, DUET_REFUTE_NODE_ROUNDS, 0);
        narrows = !windows->refuted &&
                  windows->narrowed - narrowed >= (int64_t)DUET_REFUTE_TIMED_WORTH * DUET_NARROWED;
    }
}
