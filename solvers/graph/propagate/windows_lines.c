// SPDX-License-Identifier: Apache-2.0
// The lines of a proof about windows (docs/formats.md); see windows.h and windows_state.h.
// Lines of the proof: what the windows conclude, written as it is found.
#include "solvers/graph/propagate/windows_state.h"

enum { LINE = 64 }; // bytes: a line with a word and few numbers

void duet_windows_write_raised(duet_windows *windows, const char *word, int64_t count)
{
    duet_proof_writer *proof = &windows->proof;
    if (count > 0 && duet_proof_begin(proof, LINE + (size_t)count * DUET_PROOF_NUMBER)) {
        duet_proof_put(proof, word);
        duet_proof_put_number(proof, count);
        for (int64_t i = 0; i < count; i++) {
            duet_proof_put_number(proof, windows->raised[i]);
        }
        duet_proof_put(proof, "\n");
    }
}

void duet_windows_write_twins(duet_windows *windows)
{
    for (int32_t j = 0; j < windows->tasks; j++) {
        int64_t count = 0;
        if (windows->twin_before[j] < 0 && windows->twin_after[j] >= 0) {
            for (int32_t i = j; i >= 0; i = windows->twin_after[i]) {
                windows->raised[count++] = i;
            }
        }
        duet_windows_write_raised(windows, "twins", count);
    }
}

void duet_windows_write_supposition(duet_windows *windows, const duet_task_statement *what)
{
    static const char *const words[DUET_CLAIM_KINDS] = {"suppose on",       "suppose off",
                                                        "suppose start-by", "suppose start-after",
                                                        "suppose end-by",   "suppose end-after"};
    duet_proof_writer *proof = &windows->proof;
    if (!duet_proof_begin(proof, LINE + 2 * DUET_PROOF_NUMBER)) {
        return;
    }
    duet_proof_put(proof, words[what->kind]);
    duet_proof_put_number(proof, what->task);
    if (what->kind <= DUET_CLAIM_OFF && windows->types == 2) {
        duet_proof_put(proof, what->value == 0 ? " cpu" : " gpu");
    } else {
        duet_proof_put_number(proof, what->value);
    }
    duet_proof_put(proof, "\n");
}

void duet_windows_write_end(duet_windows *windows)
{
    if (duet_proof_begin(&windows->proof, LINE)) {
        duet_proof_put(&windows->proof, "end\n");
    }
}

void duet_windows_write_colocation(duet_windows *windows, int32_t task, int64_t by, bool before)
{
    if (duet_proof_begin(&windows->proof, LINE + 2 * DUET_PROOF_NUMBER)) {
        duet_proof_put(&windows->proof, before ? "gather" : "scatter");
        duet_proof_put_number(&windows->proof, task);
        duet_proof_put_number(&windows->proof, by);
        duet_proof_put(&windows->proof, "\n");
    }
}

static void put_interval(duet_windows *windows, const duet_area_line *line)
{
    duet_proof_put_number(&windows->proof, line->from);
    duet_proof_put_number(&windows->proof, line->back);
    for (size_t t = 0; t < windows->types; t++) {
        duet_proof_put_number(&windows->proof, line->price[t]);
    }
    duet_proof_put(&windows->proof, "\n");
}

void duet_windows_write_energy(duet_windows *windows, const duet_area_line *line)
{
    if (duet_proof_begin(&windows->proof, LINE + (windows->types + 2) * DUET_PROOF_NUMBER)) {
        duet_proof_put(&windows->proof, "energy");
        put_interval(windows, line);
    }
}

void duet_windows_write_delay(duet_windows *windows, int32_t task, const duet_area_line *line,
                              bool before)
{
    if (duet_proof_begin(&windows->proof, LINE + (windows->types + 3) * DUET_PROOF_NUMBER)) {
        duet_proof_put(&windows->proof, before ? "ancestors" : "descendants");
        duet_proof_put_number(&windows->proof, task);
        put_interval(windows, line);
    }
}
