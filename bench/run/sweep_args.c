// SPDX-License-Identifier: Apache-2.0
// The command line of a sweep, beside -j and -q of duet_cli_study_limits_options; and what is said
// of one.
#include "bench/run/study.h"

#include <inttypes.h>
#include <string.h>

#include "bench/run/mpi_world.h"
#include "console/args.h"
#include "console/exit_code.h"
#include "console/print.h"

enum { DIGITS = 24 };

static bool take_shard(void *input, const char *text)
{
    duet_sweep_args *args = input;
    static const uint64_t most = 1000000000;
    char first[DIGITS];
    size_t length = strcspn(text, "/");
    uint64_t shards = 0;
    uint64_t shard = 0;
    if (text[length] != '/' || length == 0 || length >= sizeof first) {
        return duet_cli_usage(&args->shared, "--shard: expected I/N such as 1/8, got '%s'", text);
    }
    memcpy(first, text, length);
    first[length] = '\0';
    if (!duet_cli_whole(&args->shared, "--shard", text + length + 1, 1, most, &shards) ||
        !duet_cli_whole(&args->shared, "--shard", first, 1, shards, &shard)) {
        return false;
    }
    args->shard = shard;
    args->shards = shards;
    return true;
}

const duet_cli_option duet_sweep_options[] = {
    {"csv", 0, "FILE", DUET_CLI_PATH(duet_sweep_args, csv),
     .text = "append one row per run to FILE, which must be new"},
    {"resume", 0, NULL, DUET_CLI_FLAG(duet_sweep_args, resume),
     .text = "go on with FILE: only what it has not is run"},
    {"shard", 0, "I/N", DUET_CLI_OWN(take_shard), .text = "only the I-th of N parts of the runs"},
    {0}};

duet_code duet_sweep_plan_make(const duet_sweep_args *args, const duet_cancel *cancel,
                               duet_sweep_plan *plan, duet_error *error)
{
    bool standard = args->csv != NULL && strcmp(args->csv, "-") == 0;
    *plan = (duet_sweep_plan){.threads = args->shared.threads,
                              .csv = args->csv,
                              .resume = args->resume,
                              .shard = args->shard,
                              .shards = args->shards,
                              .quiet = args->shared.quiet,
                              .cancel = cancel};
    if (args->resume && (args->csv == NULL || standard)) {
        return duet_error_set(error, DUET_E_USAGE,
                              "--resume: expected --csv FILE, the file to go on with");
    }
    if (args->shared.json && standard) {
        return duet_error_set(error, DUET_E_USAGE, "--csv: expected a file beside --json, got '-'");
    }
    return DUET_OK;
}

bool duet_sweep_is_another_rank(void)
{
    return !duet_mpi_world_find().is_first;
}

int duet_sweep_fail(const duet_error *error)
{
    bool everywhere = error->code == DUET_E_USAGE || error->code == DUET_E_UNSUPPORTED;
    if (everywhere && duet_sweep_is_another_rank()) {
        duet_mpi_world_wait();
        return duet_cli_exit_code(error->code);
    }
    return duet_cli_fail(error);
}

void duet_sweep_print_rows(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           const duet_sweep_summary *summary, FILE *stream)
{
    fprintf(stream, "%zu rows", summary->finished * sweep->rows_per_job);
    if (plan->shards > 0) {
        fprintf(stream, " of shard %" PRIu64 "/%" PRIu64, plan->shard, plan->shards);
    }
    if (summary->resumed > 0) {
        duet_cli_print(stream, ", %zu of them from %s", summary->resumed * sweep->rows_per_job,
                       plan->csv);
    }
    fprintf(stream, ", digest %016" PRIx64 ", %.3f s\n", summary->digest, summary->seconds);
}

void duet_sweep_print_interrupted(const duet_sweep_plan *plan, const duet_sweep_summary *summary)
{
    if (summary->interrupted) {
        duet_cli_print(stderr, "duet: interrupted: these are the results so far%s\n",
                       plan->csv == NULL ? "" : "; --resume goes on");
    }
}

void duet_sweep_print(const duet_sweep *sweep, const duet_sweep_plan *plan,
                      const duet_sweep_summary *summary, FILE *stream)
{
    duet_sweep_print_rows(sweep, plan, summary, stream);
    duet_sweep_print_interrupted(plan, summary);
}

void duet_sweep_print_json(const duet_sweep *sweep, const duet_sweep_plan *plan,
                           const duet_sweep_summary *summary, duet_cli_json *json)
{
    char digest[DIGITS];
    snprintf(digest, sizeof digest, "%016" PRIx64, summary->digest);
    duet_cli_json_members(json, "rows:%zu resumed:%zu", summary->finished * sweep->rows_per_job,
                          summary->resumed * sweep->rows_per_job);
    if (plan->shards > 0) {
        duet_cli_json_integer(json, "shard", (int64_t)plan->shard);
        duet_cli_json_integer(json, "shards", (int64_t)plan->shards);
    }
    duet_cli_json_members(json, "digest:%s interrupted:%d seconds:%.3f", digest,
                          summary->interrupted, summary->seconds);
    if (summary->interrupted) {
        fputs("duet: interrupted: these are the results so far\n", stderr);
    }
}
