// SPDX-License-Identifier: Apache-2.0
// The linear program of intervals (lp/graph/interval.h) on the windows of a refutation, and its
// line in the proof.
#include "solvers/graph/refute/node.h"

void duet_refute_make_program(duet_refuter *refuter)
{
    if (refuter->code != DUET_OK || refuter->program_state != DUET_RELAXATION_NOT_MADE) {
        return;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code =
        duet_interval_create(&refuter->network, refuter->context, &refuter->program, &why);
    if (code != DUET_OK && code != DUET_E_LIMIT) {
        refuter->code = duet_error_set(refuter->error, code, "%s", why.message);
        return;
    }
    refuter->program_state = code == DUET_OK ? DUET_RELAXATION_MADE : DUET_RELAXATION_TOO_LARGE;
}

// Writes the pairs of an index and a number above 0.
static void put_pairs(duet_proof_writer *proof, const int64_t *value, int64_t count)
{
    int64_t some = 0;
    for (int64_t i = 0; i < count; i++) {
        some += value[i] > 0 ? 1 : 0;
    }
    duet_proof_put_number(proof, some);
    for (int64_t i = 0; i < count; i++) {
        if (value[i] > 0) {
            duet_proof_put_number(proof, i);
            duet_proof_put_number(proof, value[i]);
        }
    }
}

// "u v g h n  j t c j t c ...": the number of tasks stands for what is outside
static void put_row(duet_refuter *refuter, const duet_mixing_row *row, int64_t price)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    int64_t tasks = refuter->network.tasks;
    int64_t some = 0;
    for (int32_t i = 0; i < row->items; i++) {
        some += row->item[i].more > 0 ? 1 : 0;
    }
    duet_proof_put_number(proof, row->from == DUET_MIXING_OUTSIDE ? tasks : row->from);
    duet_proof_put_number(proof, row->to == DUET_MIXING_OUTSIDE ? tasks : row->to);
    duet_proof_put_number(proof, price);
    duet_proof_put_number(proof, row->length);
    duet_proof_put_number(proof, some);
    for (int32_t i = 0; i < row->items; i++) {
        if (row->item[i].more > 0) {
            duet_proof_put_number(proof, row->item[i].task);
            duet_proof_put_number(proof, row->item[i].type);
            duet_proof_put_number(proof, row->item[i].more);
        }
    }
}

size_t duet_refute_mixing_numbers(size_t rows)
{
    enum { of_row = 5, of_item = 3 };
    return 1 + rows * (of_row + of_item * DUET_MIXING_MOST);
}

void duet_refute_put_mixing(duet_refuter *refuter, const duet_mixing_row *rows,
                            const int64_t *price, size_t count)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    int64_t some = 0;
    for (size_t i = 0; i < count; i++) {
        some += price[i] > 0 ? 1 : 0;
    }
    if (some > 0) {
        duet_proof_put(proof, " mix");
        duet_proof_put_number(proof, some);
    }
    for (size_t i = 0; i < count; i++) {
        if (price[i] > 0) {
            put_row(refuter, &rows[i], price[i]);
        }
    }
}

// The inter-type transfers that have a price.
static size_t count_transfers(const duet_refuter *refuter, const duet_interval_line *line)
{
    size_t count = 0;
    size_t all = (size_t)refuter->network.edges * refuter->windows.types;
    for (size_t at = 0; line->transfer_price != NULL && at < all; at++) {
        count += line->transfer_price[at] > 0 ? 1 : 0;
    }
    return count;
}

// " cross n  e t c g ...": edges, types, costs and prices
static void put_transfers(duet_refuter *refuter, const duet_interval_line *line, size_t count)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    size_t types = refuter->windows.types;
    if (count == 0) {
        return;
    }
    duet_proof_put(proof, " cross");
    duet_proof_put_number(proof, (int64_t)count);
    for (size_t at = 0; at < (size_t)refuter->network.edges * types; at++) {
        if (line->transfer_price[at] > 0) {
            duet_proof_put_number(proof, (int64_t)(at / types));
            duet_proof_put_number(proof, (int64_t)(at % types));
            duet_proof_put_number(proof, line->transfer[at]);
            duet_proof_put_number(proof, line->transfer_price[at]);
        }
    }
}

static void write_line(duet_refuter *refuter, const duet_interval_line *line)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    const duet_network *network = &refuter->network;
    size_t types = refuter->windows.types;
    size_t numbers = 2 * (size_t)network->edges + 4 * (size_t)network->tasks +
                     line->intervals * (types + 2) + duet_refute_mixing_numbers(line->mixings) + 8;
    size_t transfers = count_transfers(refuter, line);
    numbers += 4 * transfers + 1;
    if (!duet_proof_begin(proof, numbers * DUET_PROOF_NUMBER)) {
        return;
    }
    duet_proof_put(proof, "lp");
    put_pairs(proof, line->flow, network->edges);
    put_pairs(proof, line->alpha, network->tasks);
    put_pairs(proof, line->beta, network->tasks);
    duet_proof_put_number(proof, (int64_t)line->intervals);
    for (size_t i = 0; i < line->intervals; i++) {
        duet_proof_put_number(proof, line->interval[i].after);
        duet_proof_put_number(proof, line->interval[i].before);
        for (size_t t = 0; t < types; t++) {
            duet_proof_put_number(proof, line->interval[i].price[t]);
        }
    }
    duet_refute_put_mixing(refuter, line->mixing, line->mixing_price, line->mixings);
    put_transfers(refuter, line, transfers);
    duet_proof_put(proof, "\n");
}

void duet_refute_program(duet_refuter *refuter, duet_interval_effort effort)
{
    duet_windows *windows = &refuter->windows;
    duet_refute_make_program(refuter);
    if (refuter->program_state != DUET_RELAXATION_MADE || windows->refuted ||
        duet_refute_stop(refuter)) {
        return;
    }
    duet_interval_guess guess = {windows->guess, windows->window};
    bool refuted = false;
    int64_t before = duet_interval_work(refuter->program);
    refuter->code = duet_interval_refute(refuter->program, &guess, effort, refuter->context,
                                         &refuted, refuter->error);
    refuter->programs++;
    windows->work += duet_interval_work(refuter->program) - before;
    if (refuter->code == DUET_OK && refuted) {
        write_line(refuter, duet_interval_line_of(refuter->program));
        windows->refuted = true;
    }
}
