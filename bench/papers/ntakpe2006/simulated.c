// SPDX-License-Identifier: Apache-2.0
// The first pairs of the study once more, with every schedule replayed in SimGrid, where transfers
// share links: what that takes over what the model says, and the paper's statements on simulated
// makespans.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "bench/papers/ntakpe2006/ntakpe2006.h"
#include "console/print.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static const char *const bounds[] = {"path", "area", NULL};
static const char nothing[] =
    "not simulated: --replay names no program that replays schedules, such "
    "as simgrid_moldable of a build with SimGrid\n";

static duet_code list(duet_paper_study *study, duet_error *error)
{
    uint64_t count = study->settings->replay == NULL ? 0 : study->settings->replays;
    return duet_ntakpe_list(study, count, error);
}

static duet_code measure(const duet_paper_settings *settings, const duet_instance *instance,
                         const duet_solution *solution, duet_paper_result *result,
                         duet_error *error)
{
    DUET_TRY(duet_ntakpe_measure(settings, instance, solution, result, error));
    return duet_ntakpe_replay(settings->replay, instance, solution, &result->simulated, error);
}

// The study with simulated makespans. Its results are to be freed; NULL: out of memory.
static duet_paper_study simulated_of(const duet_paper_study *study)
{
    size_t count = study->case_count * study->paper->run_count;
    duet_paper_study simulated = *study;
    simulated.results = duet_alloc(count + 1, sizeof *simulated.results, NULL);
    for (size_t i = 0; simulated.results != NULL && i < count; i++) {
        int64_t makespan = study->results[i].simulated;
        simulated.results[i] = study->results[i];
        simulated.results[i].makespan = makespan > 0 ? makespan : -1;
    }
    return simulated;
}

// How many times as long the replays of a run are, in the geometric mean; 0: there are none.
static double contention(const duet_paper_study *study, const duet_paper_study *simulated,
                         duet_ntakpe_run run, size_t set)
{
    double logarithm = 0;
    size_t count = 0;
    for (size_t c = 0; c < study->case_count; c++) {
        double planned = (double)duet_paper_makespan(study, c, run);
        double longer = (double)duet_paper_makespan(simulated, c, run);
        if (duet_ntakpe_by_clusters(&study->cases[c], set) && planned > 0 && longer > 0) {
            logarithm += log(longer / planned);
            count++;
        }
    }
    return count == 0 ? 0 : exp(logarithm / (double)count);
}

static void print_contention(const duet_paper_study *study, const duet_paper_study *simulated,
                             FILE *stream)
{
    duet_cli_table table;
    fputs("Simulated over planned makespan, geometric means by the number of clusters\n\n", stream);
    duet_cells_begin(&table, "rrrrrr", "clusters\tpairs\tCPA\tHCPA\tS-HCPA\tM-HEFT");
    for (size_t s = 0; s <= DUET_NTAKPE_SETS; s++) {
        duet_cells_addf(&table, "%s\t%zu", duet_ntakpe_set_name[s],
                        duet_ntakpe_count(duet_ntakpe_on(simulated, s)));
        for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
            duet_cells_add_positive(&table, "%.3f",
                                    contention(study, simulated, (duet_ntakpe_run)r, s));
        }
    }
    duet_cells_end(&table, 0, stream);
}

static double quotient(const duet_paper_study *study, duet_ntakpe_run over, duet_ntakpe_run under,
                       size_t set)
{
    return duet_ntakpe_quotient(duet_ntakpe_on(study, set), over, under, DUET_NTAKPE_MAKESPAN);
}

static void print_quotients(const duet_paper_study *study, const duet_paper_study *simulated,
                            FILE *stream)
{
    duet_cli_table table;
    fputs("\nMakespans against HCPA's, planned and simulated, geometric means\n\n", stream);
    duet_cells_begin(&table, "rrrrr",
                     "clusters\tCPA/HCPA planned\tsimulated\tHCPA/M-HEFT planned\tsimulated");
    for (size_t s = 0; s <= DUET_NTAKPE_SETS; s++) {
        const double cells[] = {quotient(study, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, s),
                                quotient(simulated, DUET_NTAKPE_CPA, DUET_NTAKPE_HCPA, s),
                                quotient(study, DUET_NTAKPE_HCPA, DUET_NTAKPE_M_HEFT, s),
                                quotient(simulated, DUET_NTAKPE_HCPA, DUET_NTAKPE_M_HEFT, s)};
        duet_cli_table_add(&table, duet_ntakpe_set_name[s]);
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            duet_cells_add_positive(&table, "%.2f", cells[i]);
        }
    }
    duet_cells_end(&table, 0, stream);
}

static void print(const duet_paper_study *study, FILE *stream)
{
    if (study->settings->replay == NULL) {
        duet_cli_put_own(stream, nothing);
        return;
    }
    duet_paper_study simulated = simulated_of(study);
    if (simulated.results == NULL) {
        return;
    }
    duet_claims claims;
    print_contention(study, &simulated, stream);
    print_quotients(study, &simulated, stream);
    duet_ntakpe_claims(&simulated, &claims);
    fputc('\n', stream);
    duet_paper_print_claims(&claims, stream);
    duet_free(simulated.results);
}

static void write_json(const duet_paper_study *study, duet_cli_json *json)
{
    enum { decimals = 6 };
    duet_paper_study simulated = simulated_of(study);
    if (simulated.results == NULL) {
        return;
    }
    duet_claims claims;
    duet_cli_json_open(json, "clusters", '[');
    for (size_t s = 0; s < DUET_NTAKPE_SETS; s++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_integer(json, "clusters", duet_ntakpe_clusters[s]);
        duet_cli_json_open(json, "simulated_over_planned", '{');
        for (size_t r = 0; r < DUET_NTAKPE_SHOWN; r++) {
            duet_cli_json_decimal(json, study->paper->runs[r].algorithm,
                                  contention(study, &simulated, (duet_ntakpe_run)r, s), decimals);
        }
        duet_cli_json_close(json, '}');
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_ntakpe_claims(&simulated, &claims);
    duet_claims_json(&claims, "statements", "statement", json);
    duet_free(simulated.results);
}

static void print_options(const duet_paper_settings *settings, FILE *stream)
{
    fprintf(stream, " --replays %" PRIu64 " --replay simgrid_moldable", settings->replays);
}

const duet_paper duet_paper_ntakpe2006_simulated = {
    .name = "ntakpe2006-simulated",
    .title = "N'Takpe, Suter, ICPADS 2006, simulated",
    .runs = duet_ntakpe_runs,
    .run_count = DUET_NTAKPE_RUNS,
    .bounds = bounds,
    .sets = duet_ntakpe_sets,
    .columns = duet_ntakpe_simulated_columns,
    .measure = measure,
    .list = list,
    .make = duet_ntakpe_make,
    .moldable = true,
    .print = print,
    .print_options = print_options,
    .write_json = write_json,
    .about =
        "The first pairs of the study, each schedule replayed in SimGrid, as in the paper: model "
        "`ptask_L07`, which shares the\n"
        "bandwidth of links between all that is sent at the same time. Schedules are planned "
        "without that; *planned* is what\n"
        "their makespans claim. The statements are held against the simulated makespans.\n"};
