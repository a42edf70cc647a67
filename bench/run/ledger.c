// SPDX-License-Identifier: Apache-2.0
#include "bench/run/ledger.h"

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

size_t duet_sweep_share(const duet_sweep *sweep, const duet_sweep_plan *plan)
{
    if (plan->shards == 0) {
        return sweep->jobs;
    }
    size_t first = (size_t)(plan->shard - 1);
    return sweep->jobs > first ? (sweep->jobs - first - 1) / plan->shards + 1 : 0;
}

size_t duet_sweep_job(const duet_sweep_plan *plan, size_t index)
{
    return plan->shards == 0 ? index : (size_t)(plan->shard - 1) + index * (size_t)plan->shards;
}

bool duet_sweep_bit(const unsigned char *bits, size_t index)
{
    return (bits[index / 8] >> (index % 8) & 1) != 0;
}

size_t duet_sweep_bytes(size_t bits)
{
    return bits / 8 + 1;
}

void duet_sweep_set_bit(unsigned char *bits, size_t index, bool value)
{
    unsigned bit = 1u << (index % 8);
    bits[index / 8] = (unsigned char)(value ? bits[index / 8] | bit : bits[index / 8] & ~bit);
}

duet_code duet_sweep_ledger_take(duet_sweep_ledger *ledger, size_t job, const duet_sweep_row *rows,
                                 duet_error *error)
{
    const duet_sweep *sweep = ledger->sweep;
    size_t step = ledger->plan->shards == 0 ? 1 : (size_t)ledger->plan->shards;
    bool whole = true;
    for (size_t r = 0; r < sweep->rows_per_job; r++) {
        whole = whole && !rows[r].cut;
    }
    DUET_ASSERT(whole || sweep->keeps_cut_jobs);
    DUET_ASSERT(!duet_sweep_bit(ledger->done, job / step));
    for (size_t r = 0; r < sweep->rows_per_job && whole; r++) {
        ledger->summary->digest += duet_sweep_row_digest(job, &rows[r]);
    }
    if (whole) {
        duet_sweep_set_bit(ledger->done, job / step, true);
        ledger->summary->finished++;
    }
    return sweep->take == NULL ? DUET_OK : sweep->take(sweep->state, job, rows, error);
}

// Appends the rows of a job that the file has not, all at once.
static duet_code append(duet_sweep_ledger *ledger, size_t job, const duet_sweep_row *rows,
                        duet_error *error)
{
    const duet_sweep *sweep = ledger->sweep;
    size_t count = sweep->rows_per_job;
    size_t length = 0;
    for (size_t r = 0; r < count; r++) {
        if (!rows[r].cut && !duet_sweep_bit(ledger->have, job * count + r)) {
            length += duet_sweep_format_row(sweep, job, &rows[r], ledger->text + length);
            duet_sweep_set_bit(ledger->have, job * count + r, true);
        }
    }
    return duet_sweep_file_append(&ledger->file, ledger->text, length, error);
}

duet_code duet_sweep_ledger_enter(duet_sweep_ledger *ledger, size_t job, const duet_sweep_row *rows,
                                  duet_error *error)
{
    duet_code code = DUET_OK;
    for (size_t r = 0; r < ledger->sweep->rows_per_job && code == DUET_OK; r++) {
        code = rows[r].cut ? DUET_OK : duet_sweep_check_row(ledger->sweep, &rows[r], error);
    }
    if (code == DUET_OK && ledger->has_file) {
        code = append(ledger, job, rows, error);
    }
    DUET_THEN(code, duet_sweep_ledger_take(ledger, job, rows, error));
    duet_sweep_progress_show(&ledger->progress, ledger->summary->finished);
    return code;
}

duet_code duet_sweep_ledger_close(duet_sweep_ledger *ledger, duet_error *error)
{
    duet_sweep_progress_clear(&ledger->progress);
    duet_code code = ledger->has_file ? duet_sweep_file_close(&ledger->file, error) : DUET_OK;
    duet_free(ledger->have);
    duet_free(ledger->done);
    duet_free(ledger->text);
    ledger->have = ledger->done = NULL;
    ledger->text = NULL;
    return code;
}
