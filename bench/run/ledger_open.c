// SPDX-License-Identifier: Apache-2.0
// Opens the ledger of a sweep, and goes on from the rows that its file has.
#include "bench/run/ledger.h"

#include "core/system/memory.h"

static duet_code make_room(duet_sweep_ledger *ledger, duet_error *error)
{
    const duet_sweep *sweep = ledger->sweep;
    if (sweep->rows_per_job == 0 || sweep->jobs > (SIZE_MAX >> 4) / sweep->rows_per_job) {
        return duet_error_set(error, DUET_E_LIMIT, "%zu jobs of %zu rows are not to be counted",
                              sweep->jobs, sweep->rows_per_job);
    }
    ledger->have = duet_alloc(duet_sweep_bytes(sweep->jobs * sweep->rows_per_job), 1, error);
    ledger->done = duet_alloc(duet_sweep_bytes(ledger->share), 1, error);
    ledger->text = duet_alloc(sweep->rows_per_job, DUET_SWEEP_LINE, error);
    return ledger->have == NULL || ledger->done == NULL || ledger->text == NULL ? DUET_E_MEMORY
                                                                                : DUET_OK;
}

static duet_code write_header(duet_sweep_ledger *ledger, duet_error *error)
{
    size_t length = duet_sweep_format_header(ledger->sweep, ledger->text);
    return duet_sweep_file_append(&ledger->file, ledger->text, length, error);
}

static duet_code open_file(duet_sweep_ledger *ledger, duet_error *error)
{
    const duet_sweep_plan *plan = ledger->plan;
    duet_code code = duet_sweep_file_open(&ledger->file, plan->csv, plan->resume, error);
    ledger->has_file = code == DUET_OK;
    if (code == DUET_OK && ledger->file.size > 0) {
        code = duet_sweep_resume(ledger, error);
    }
    if (code == DUET_OK && ledger->file.size == 0) {
        code = write_header(ledger, error);
    }
    return code;
}

duet_code duet_sweep_ledger_open(duet_sweep_ledger *ledger, const duet_sweep *sweep,
                                 const duet_sweep_plan *plan, duet_sweep_summary *summary,
                                 duet_error *error)
{
    *ledger = (duet_sweep_ledger){
        .sweep = sweep, .plan = plan, .summary = summary, .share = duet_sweep_share(sweep, plan)};
    duet_sweep_stamp(sweep, ledger->stamp);
    duet_code code = make_room(ledger, error);
    if (code == DUET_OK && plan->csv != NULL) {
        code = open_file(ledger, error);
    }
    summary->resumed = summary->finished;
    duet_sweep_progress_start(&ledger->progress, ledger->share, summary->resumed, plan->quiet);
    return code;
}
