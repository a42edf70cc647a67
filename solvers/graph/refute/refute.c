// SPDX-License-Identifier: Apache-2.0
// Refuting a guess for a task graph.
// Method:    windows of the tasks under the guess (windows.h); longest paths and the work before
//            and after each task narrow them, an interval with too much work refutes them
//            (energy.h); so do the dual of a linear program (lp/graph/interval.h) and prices over
//            time (refute_timed.c). What is left is shaved (shave.c) and divided into cases
//            (branch.c).
// Guarantee: floating point only proposes. Whatever is concluded is concluded in integers, by a
//            line of the proof that check/proof/graph/lines.c checks by itself.
// Cost:      propagation O(edges) a pass, ancestors O(closure), a program as in interval.c.
// Memory:    some 250 bytes a task, the transitive closure (up to 2^24 pairs), the program, and
//            the proof.
// Reference: Carlier, Pinson, "Adjustment of heads and tails for the job-shop problem", EJOR 78,
//            1994; Martin, Shmoys, "A new approach to computing optimal schedules for the job-shop
//            scheduling problem", IPCO 1996 (shaving); Klein, Scholl, "Computing lower bounds by
//            destructive improvement", EJOR 112, 1999.
#include "solvers/graph/refute/refute.h"

#include "core/system/assert.h"
#include "core/system/memory.h"

enum {
    ROOT_ROUNDS = 20,      // of delays at the root, at most
    SHIFTED_TASKS = 300,   // up to so many tasks are shifted
    GATHERED_TASKS = 5000, // and gathered more than once
    ROOT_POINTS = 24,      // beginnings of intervals there, as many ends,
    ROOT_WORK = 4000000    // and so many pairs of an interval and a task, at most
};

duet_code duet_refuter_create(duet_refuter *refuter, const duet_instance *instance,
                              const duet_context *context, duet_error *error)
{
    *refuter = (duet_refuter){.context = context, .work_end = INT64_MAX};
    duet_code code = duet_network_create(instance, &refuter->network, error);
    if (code == DUET_OK) {
        code = duet_windows_create(&refuter->windows, &refuter->network, context, error);
    }
    if (code == DUET_OK) {
        code = duet_energy_create(&refuter->energy, &refuter->windows, context, error);
    }
    if (code == DUET_OK) {
        code = duet_one_machine_create(&refuter->machine, &refuter->windows, error);
    }
    if (code == DUET_OK) {
        code = duet_colocation_create(&refuter->colocation, &refuter->windows, context, error);
    }
    if (code == DUET_OK) {
        code = duet_pseudocosts_create(&refuter->pseudocosts, refuter->windows.tasks, error);
    }
    if (code == DUET_OK) {
        size_t tasks = (size_t)refuter->windows.tasks;
        refuter->leaf = duet_alloc_raw(tasks, sizeof *refuter->leaf, error);
        code = refuter->leaf == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

void duet_refuter_free(duet_refuter *refuter)
{
    duet_interval_free(refuter->program);
    duet_free(refuter->head);
    duet_free(refuter->tail);
    duet_free(refuter->modes);
    duet_timed_free(refuter->timed);
    duet_free(refuter->timed_window);
    duet_free(refuter->leaf);
    duet_pseudocosts_free(&refuter->pseudocosts);
    duet_colocation_free(&refuter->colocation);
    duet_one_machine_free(&refuter->machine);
    duet_energy_free(&refuter->energy);
    duet_windows_free(&refuter->windows);
    duet_network_free(&refuter->network);
    *refuter = (duet_refuter){.context = NULL};
}

bool duet_refute_stop(const duet_refuter *refuter)
{
    return refuter->windows.no_memory || refuter->windows.proof.lost ||
           duet_context_stop(refuter->context);
}

void duet_refute_reason(duet_refuter *refuter, int rounds, size_t points)
{
    duet_windows *windows = &refuter->windows;
    duet_windows_propagate(windows);
    for (int i = 0; i < rounds && !windows->refuted && !duet_refute_stop(refuter); i++) {
        bool delayed = duet_energy_delay(&refuter->energy);
        bool shifted = windows->tasks <= SHIFTED_TASKS && duet_windows_shift(windows);
        duet_windows_propagate(windows);
        bool one_by_one = duet_one_machine_narrow(&refuter->machine);
        bool gathered = (i == 0 || windows->tasks <= GATHERED_TASKS) &&
                        duet_colocation_narrow(&refuter->colocation);
        if (!delayed && !shifted && !one_by_one && !gathered) {
            break;
        }
    }
    if (points > 0) {
        duet_energy_overload(&refuter->energy, points);
    }
}

duet_code duet_refute_make_program(duet_refuter *refuter, duet_error *error)
{
    size_t tasks = (size_t)refuter->windows.tasks;
    if (refuter->program != NULL || refuter->no_program) {
        return DUET_OK;
    }
    refuter->head = duet_alloc_raw(tasks, sizeof *refuter->head, error);
    refuter->tail = duet_alloc_raw(tasks, sizeof *refuter->tail, error);
    refuter->modes = duet_alloc_raw(tasks, sizeof *refuter->modes, error);
    if (refuter->head == NULL || refuter->tail == NULL || refuter->modes == NULL) {
        return DUET_E_MEMORY;
    }
    duet_error why = DUET_ERROR_INIT;
    duet_code code =
        duet_interval_create(&refuter->network, refuter->context, &refuter->program, &why);
    refuter->no_program = code == DUET_E_LIMIT;
    return code == DUET_OK || code == DUET_E_LIMIT ? DUET_OK
                                                   : duet_error_set(error, code, "%s", why.message);
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

// Crossings with a price.
static size_t count_crossings(const duet_refuter *refuter, const duet_interval_line *line)
{
    size_t count = 0;
    size_t all = (size_t)refuter->network.edges * refuter->windows.types;
    for (size_t at = 0; line->crossing_price != NULL && at < all; at++) {
        count += line->crossing_price[at] > 0 ? 1 : 0;
    }
    return count;
}

// " cross n  e t c g ...": edges, types, costs and prices
static void put_crossings(duet_refuter *refuter, const duet_interval_line *line, size_t count)
{
    duet_proof_writer *proof = &refuter->windows.proof;
    size_t types = refuter->windows.types;
    if (count == 0) {
        return;
    }
    duet_proof_put(proof, " cross");
    duet_proof_put_number(proof, (int64_t)count);
    for (size_t at = 0; at < (size_t)refuter->network.edges * types; at++) {
        if (line->crossing_price[at] > 0) {
            duet_proof_put_number(proof, (int64_t)(at / types));
            duet_proof_put_number(proof, (int64_t)(at % types));
            duet_proof_put_number(proof, line->crossing[at]);
            duet_proof_put_number(proof, line->crossing_price[at]);
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
    size_t crossings = count_crossings(refuter, line);
    numbers += 4 * crossings + 1;
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
    put_crossings(refuter, line, crossings);
    duet_proof_put(proof, "\n");
}

duet_interval_guess duet_refute_windows(duet_refuter *refuter)
{
    const duet_windows *windows = &refuter->windows;
    for (int64_t j = 0; j < windows->tasks; j++) {
        refuter->head[j] = windows->window[j].start;
        refuter->tail[j] = windows->window[j].tail;
        refuter->modes[j] = windows->window[j].types;
    }
    return (duet_interval_guess){windows->guess, refuter->head, refuter->tail, refuter->modes};
}

duet_code duet_refute_program(duet_refuter *refuter, duet_interval_effort effort, duet_error *error)
{
    duet_windows *windows = &refuter->windows;
    duet_code code = duet_refute_make_program(refuter, error);
    if (code != DUET_OK || refuter->no_program || windows->refuted || duet_refute_stop(refuter)) {
        return code;
    }
    duet_interval_guess guess = duet_refute_windows(refuter);
    bool refuted = false;
    int64_t before = duet_interval_work(refuter->program);
    code =
        duet_interval_refute(refuter->program, &guess, effort, refuter->context, &refuted, error);
    refuter->programs++;
    windows->work += duet_interval_work(refuter->program) - before;
    if (code == DUET_OK && refuted) {
        write_line(refuter, duet_interval_line_of(refuter->program));
        windows->refuted = true;
    }
    return code;
}

// What became of the call.
static duet_code judge(duet_refuter *refuter, duet_code code, duet_refutation *result,
                       duet_error *error)
{
    const duet_windows *windows = &refuter->windows;
    if (code == DUET_OK && windows->no_memory) {
        code = duet_error_set(error, DUET_E_MEMORY, "out of memory in a search on a task graph");
    }
    *result = DUET_NOT_REFUTED;
    if (code == DUET_OK && refuter->paused) {
        *result = DUET_PAUSED;
    } else if (code == DUET_OK && refuter->irrefutable) {
        *result = DUET_IRREFUTABLE;
    } else if (code == DUET_OK && windows->refuted && !windows->proof.lost) {
        *result = DUET_REFUTED;
    }
    return code;
}

// As many intervals as take no longer than about the rest of the propagation.
static size_t root_points(const duet_refuter *refuter)
{
    size_t points = ROOT_POINTS;
    while (points > 2 && (int64_t)(points * points) * refuter->windows.tasks > ROOT_WORK) {
        points--;
    }
    return points;
}

// From the prices at the root on.
static duet_code finish(duet_refuter *refuter, duet_error *error)
{
    const duet_refute_effort *effort = &refuter->effort;
    duet_code code = DUET_OK;
    if (effort->timed > 0 && !refuter->windows.refuted) {
        code = duet_refute_timed(refuter, effort->timed, true, error);
    }
    if (code == DUET_OK && effort->nodes > 0 && !refuter->windows.refuted && !refuter->paused) {
        code = duet_refute_branch(refuter, error);
    }
    return code;
}

static int64_t end_of_work(const duet_windows *windows, int64_t work)
{
    return work < INT64_MAX - windows->work ? windows->work + work : INT64_MAX;
}

duet_code duet_refute(duet_refuter *refuter, int64_t guess, const duet_refute_effort *effort,
                      duet_refutation *result, duet_error *error)
{
    duet_windows *windows = &refuter->windows;
    duet_code code = DUET_OK;
    refuter->effort = *effort;
    refuter->work_end = end_of_work(windows, effort->work == 0 ? INT64_MAX : effort->work);
    refuter->node_end = refuter->nodes + effort->nodes;
    refuter->paused = false;
    refuter->timed_paused = false;
    refuter->plainly = false;
    refuter->irrefutable = false;
    duet_windows_reset(windows, guess);
    duet_refute_reason(refuter, ROOT_ROUNDS, root_points(refuter));
    if (effort->program && !windows->refuted) {
        code = duet_refute_program(refuter,
                                   effort->mixed ? DUET_INTERVAL_MIXED : DUET_INTERVAL_FINE, error);
    }
    if (code == DUET_OK && effort->shave && !windows->refuted) {
        duet_refute_shave(refuter, 1);
    }
    code = code == DUET_OK ? finish(refuter, error) : code;
    return judge(refuter, code, result, error);
}

duet_code duet_refute_on(duet_refuter *refuter, int64_t work, duet_refutation *result,
                         duet_error *error)
{
    DUET_ASSERT(refuter->paused);
    refuter->work_end = end_of_work(&refuter->windows, work);
    refuter->paused = false;
    duet_code code =
        refuter->timed_paused ? finish(refuter, error) : duet_refute_branch(refuter, error);
    return judge(refuter, code, result, error);
}
