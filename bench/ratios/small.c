// SPDX-License-Identifier: Apache-2.0
// `duet bench small-ratios`: how far from the optimum every algorithm gets on small random
// instances, against what is proven of it.
//
// Method: instances of 3 to 9 tasks on up to 3 + 3 processors, of every mix: accelerated,
// decelerated and unrelated times, small ranges with many ties and large ones, equal tasks,
// forbidden types, types without processors. The optimum is found by trying every assignment. Each
// algorithm runs with its defaults and with every other choice of its options, one at a time.
#include "bench/ratios/small.h"

#include <inttypes.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/run/args.h"
#include "bench/run/measure.h"
#include "bench/run/published.h"
#include "console/exit_code.h"
#include "console/options.h"
#include "console/paths.h"
#include "console/table.h"
#include "core/context.h"
#include "core/memory.h"
#include "core/output.h"

typedef struct ratio_args {
    duet_cli_args shared;
    uint64_t instances;
    uint64_t seed;
    const char *csv;
    const char *save;
} ratio_args;

// Fewer instances may miss a violation by chance.
enum { ENOUGH_TO_REFUTE = 5000 };

static const char *subject_name(const duet_bench_algorithm *subject, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s%s%s", subject->entry->name, subject->option[0] == '\0' ? "" : " ",
             subject->option);
    return buffer;
}

static bool breaks_published(const duet_bench_algorithm *subject, const duet_bench_seen *seen)
{
    return seen->optimum > 0 &&
           duet_bench_refutes(subject->entry->name,
                              (duet_fraction){(uint64_t)seen->makespan, (uint64_t)seen->optimum});
}

static bool is_at_fault(const duet_bench_ratios *ratios, size_t s)
{
    const duet_bench_seen *seen = &ratios->seen[s];
    bool unrefuted = ratios->subject[s].only_accelerated && ratios->instances >= ENOUGH_TO_REFUTE &&
                     !breaks_published(&ratios->subject[s], seen);
    return seen->exceeded > 0 || seen->faults > 0 || unrefuted;
}

// The last column: what the run says about the proof.
static const char *verdict(const duet_bench_ratios *ratios, size_t s)
{
    const duet_bench_algorithm *subject = &ratios->subject[s];
    const duet_bench_seen *seen = &ratios->seen[s];
    if (seen->runs == 0) {
        return "not run";
    }
    if (seen->faults > 0) {
        return "FAULT";
    }
    if (seen->exceeded > 0) {
        return "EXCEEDED";
    }
    if (subject->only_accelerated) {
        return breaks_published(subject, seen) ? "refuted" : "not refuted";
    }
    return subject->is_bound || subject->entry->guarantee != NULL ? "respected" : "-";
}

static const char *proven(const duet_bench_algorithm *subject, char *buffer, size_t size)
{
    if (subject->is_bound) {
        return "at most OPT";
    }
    if (subject->only_accelerated) {
        snprintf(buffer, size, "none (published: %s)", duet_bench_published(subject->entry->name));
        return buffer;
    }
    return subject->entry->guarantee == NULL ? "none" : subject->entry->guarantee;
}

static double largest(const duet_bench_seen *seen)
{
    return seen->seed == 0 ? 1.0 : (double)seen->makespan / (double)seen->optimum;
}

static void print_part(const duet_bench_ratios *ratios, bool bounds)
{
    static const char *const heads[2][6] = {
        {"algorithm", "runs", "largest ratio", "seed", "proven ratio", ""},
        {"bound", "runs", "largest OPT/bound", "seed", "must be", ""}};
    duet_cli_table table;
    duet_cli_table_init(&table, "lrrrll");
    for (int i = 0; i < 6; i++) {
        duet_cli_table_add(&table, heads[bounds][i]);
    }
    for (size_t s = 0; s < ratios->count; s++) {
        const duet_bench_algorithm *subject = &ratios->subject[s];
        const duet_bench_seen *seen = &ratios->seen[s];
        if (subject->is_bound != bounds) {
            continue;
        }
        char text[128];
        duet_cli_table_add(&table, subject_name(subject, text, sizeof text));
        snprintf(text, sizeof text, "%" PRId64, seen->runs);
        duet_cli_table_add(&table, text);
        snprintf(text, sizeof text, "%.4f", largest(seen));
        duet_cli_table_add(&table, seen->seed == 0 ? "-" : text);
        snprintf(text, sizeof text, "%" PRIu64, seen->seed);
        duet_cli_table_add(&table, seen->seed == 0 ? "-" : text);
        duet_cli_table_add(&table, proven(subject, text, sizeof text));
        duet_cli_table_add(&table, verdict(ratios, s));
    }
    duet_cli_table_print(&table, 0, stdout);
    duet_cli_table_free(&table);
}

// Returns whether everything held.
static bool print_all(const duet_bench_ratios *ratios)
{
    printf("%" PRId64 " random instances of 3 to 9 tasks (seeds %" PRIu64 " to %" PRIu64
           ") against the exhaustive optimum\n\n",
           ratios->instances, ratios->first_seed,
           ratios->first_seed + (uint64_t)ratios->instances - 1);
    print_part(ratios, false);
    printf("\n");
    print_part(ratios, true);
    bool good = true;
    for (size_t s = 0; s < ratios->count; s++) {
        const duet_bench_seen *seen = &ratios->seen[s];
        char name[128];
        subject_name(&ratios->subject[s], name, sizeof name);
        if (seen->faults > 0) {
            printf("\n%s: %" PRId64 " faults, the first at seed %" PRIu64 ": %s\n", name,
                   seen->faults, seen->fault_seed, seen->fault);
        }
        if (seen->exceeded > 0) {
            printf("\n%s: %" PRId64 " runs above what is proven, the worst at seed %" PRIu64 "\n",
                   name, seen->exceeded, seen->seed);
        }
        good = good && !is_at_fault(ratios, s);
    }
    return good;
}

static duet_code write_csv(const duet_bench_ratios *ratios, const char *path, duet_error *error)
{
    duet_output output;
    duet_code code = duet_output_open(&output, path, error);
    if (code != DUET_OK) {
        return code;
    }
    fprintf(output.stream, "subject,kind,option,runs,numerator,denominator,ratio,seed,proven,"
                           "exceeded,faults,verdict\n");
    for (size_t s = 0; s < ratios->count; s++) {
        const duet_bench_algorithm *subject = &ratios->subject[s];
        const duet_bench_seen *seen = &ratios->seen[s];
        char text[64];
        fprintf(output.stream,
                "%s,%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.6f,%" PRIu64 ",\"%s\",%" PRId64
                ",%" PRId64 ",%s\n",
                subject->entry->name, subject->is_bound ? "bound" : "algorithm", subject->option,
                seen->runs, seen->makespan, seen->optimum, largest(seen), seen->seed,
                proven(subject, text, sizeof text), seen->exceeded, seen->faults,
                verdict(ratios, s));
    }
    return duet_output_commit(&output, error);
}

// The worst instance of every algorithm as FOLDER/NAME[-KEY=VALUE]-SEED.json.
static duet_code save_worst(const duet_bench_ratios *ratios, const char *folder, duet_error *error)
{
    for (size_t s = 0; s < ratios->count; s++) {
        const duet_bench_algorithm *subject = &ratios->subject[s];
        uint64_t seed =
            ratios->seen[s].faults > 0 ? ratios->seen[s].fault_seed : ratios->seen[s].seed;
        if (seed == 0 || (subject->is_bound && ratios->seen[s].faults == 0)) {
            continue;
        }
        char path[512];
        snprintf(path, sizeof path, "%s/%s%s%s-%" PRIu64 ".json", folder, subject->entry->name,
                 subject->option[0] == '\0' ? "" : "-", subject->option, seed);
        duet_instance *instance = duet_bench_ratios_instance(seed);
        duet_code code = instance == NULL ? duet_error_set(error, DUET_E_MEMORY, "out of memory")
                                          : duet_write_instance(path, "json", instance, error);
        duet_instance_free(instance);
        if (code != DUET_OK) {
            return code;
        }
    }
    return DUET_OK;
}

static const duet_cli_option options[] = {
    {"instances", 'n', "N", DUET_CLI_WHOLE(ratio_args, instances, 1, 1000000000), .preset = "20000",
     .text = "number of instances"},
    {"seed", 0, "S", DUET_CLI_WHOLE(ratio_args, seed, 1, INT64_MAX), .preset = "1",
     .text = "seed of the first instance"},
    {"threads", 'j', "THREADS", DUET_CLI_WHOLE(ratio_args, shared.threads, 1, 4096),
     .fallback = "all processors", .text = "threads to use"},
    {"csv", 0, "FILE", DUET_CLI_PATH(ratio_args, csv), .text = "also write the figures to FILE"},
    {"save", 0, "FOLDER", DUET_CLI_PATH(ratio_args, save),
     .text = "also write every algorithm's worst instance to FOLDER"},
    {0}};
static const duet_cli_syntax syntax = {
    "bench small-ratios",
    NULL,
    0,
    "Runs every algorithm and bound on N small random instances and compares with the exhaustive "
    "optimum. Exits 1 when a proven ratio is exceeded, a bound is above the optimum, or the "
    "checker refuses a schedule. The result does not depend on the number of threads."
    "\vExamples:\n"
    "  duet bench small-ratios\n"
    "  duet bench small-ratios -n 1000 --seed 50000 --csv ratios.csv --save worst\n",
    {options, duet_cli_help_options, NULL}};

static duet_code run(const ratio_args *args, duet_bench_ratios *ratios, bool *good,
                     duet_error *error)
{
    ratios->instances = (int64_t)args->instances;
    ratios->first_seed = args->seed;
    ratios->threads = args->shared.threads > 0 ? args->shared.threads : duet_bench_processors();
    // A place that cannot be written is refused before the first run.
    duet_code code = args->csv == NULL ? DUET_OK : duet_cli_check_target(args->csv, error);
    if (code == DUET_OK && args->save != NULL) {
        code = duet_bench_make_folder(args->save, error);
    }
    if (code == DUET_OK) {
        code = duet_bench_ratios_algorithms(ratios, error);
    }
    if (code == DUET_OK) {
        code = duet_bench_ratios_run(ratios, error);
    }
    if (code == DUET_OK) {
        *good = print_all(ratios);
    }
    if (code == DUET_OK && args->csv != NULL) {
        code = write_csv(ratios, args->csv, error);
    }
    if (code == DUET_OK && args->save != NULL) {
        code = save_worst(ratios, args->save, error);
    }
    duet_bench_ratios_free(ratios);
    return code;
}

int duet_bench_small_ratios(int argc, char **argv)
{
    ratio_args args = {0};
    int exit_code = DUET_CLI_OK;
    if (!duet_cli_parse(&syntax, argc, argv, &args, &exit_code)) {
        return exit_code;
    }
    duet_error error = DUET_ERROR_INIT;
    duet_bench_ratios *ratios = duet_alloc(1, sizeof *ratios, &error);
    bool good = false;
    duet_code code = ratios == NULL ? DUET_E_MEMORY : run(&args, ratios, &good, &error);
    duet_free(ratios);
    duet_cli_args_free(&args.shared);
    if (code != DUET_OK) {
        return duet_cli_fail(&error);
    }
    return good ? DUET_CLI_OK : DUET_CLI_FAULT;
}
