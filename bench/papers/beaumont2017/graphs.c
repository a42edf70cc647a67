// SPDX-License-Identifier: Apache-2.0
// Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 6.2: the task graphs of its figures 7 to 9.
//
// Method: 20 CPUs and 4 GPUs; the makespan is held against the area bound with dependencies, the
// bound `graph`, as in the paper. Figure 9 divides the idle time of a type by the work that the
// bound's solution gives to it; that is all that the type offers in the time of the bound wherever
// the bound has a price for it, so we divide by that.
// Ties of HeteroPrio are those of section 2.2, ties=published. Section 6.2 says of graphs that the
// highest priority is first, which read alone is ties=highest.
#include "bench/papers/beaumont2017/graphs.h"

#include <inttypes.h>
#include <stdio.h>

#include "console/print.h"

enum { TYPES = 2, LEAST_TILES = DUET_BAG_FEWEST_TILES };

static const char *const labels[DUET_HP_RUNS] = {"HeteroPrio min", "HeteroPrio avg", "DualHP min",
                                                 "DualHP avg",     "DualHP fifo",    "HEFT avg",
                                                 "HEFT min"};
static const duet_paper_run runs[DUET_HP_RUNS] = {{"heteroprio", "rank=min ties=published"},
                                                  {"heteroprio", "rank=avg ties=published"},
                                                  {"dualhp", "rank=min"},
                                                  {"dualhp", "rank=avg"},
                                                  {"dualhp", "rank=fifo"},
                                                  {"heft", ""},
                                                  {"heft-min", ""}};

// --- instances -----------------------------------------------------------------------------------

static duet_code list(duet_paper_study *study, duet_error *error)
{
    enum { cpus = DUET_BAG_FIGURE6_CPUS, gpus = DUET_BAG_FIGURE6_GPUS, heights = 3 };
    static const int64_t height[heights] = {10, 100, 1000};
    const duet_paper_settings *s = study->settings;
    duet_code code = DUET_OK;
    for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
        for (int64_t n = LEAST_TILES; n <= DUET_HP_MOST_TILES && code == DUET_OK; n++) {
            if (duet_paper_is_wanted(s->tile, s->tile_count, n)) {
                duet_paper_case c = {.set = set, .n = n, .m = cpus, .k = gpus, .x = (double)n};
                snprintf(c.name, sizeof c.name, "%s-%" PRId64, duet_hp_set_name[set], n);
                code = duet_paper_add_case(study, &c, error);
            }
        }
    }
    for (size_t i = 0; i < heights && code == DUET_OK; i++) {
        duet_paper_case c = {.set = DUET_HP_WORST, .n = height[i], .m = 1, .k = 1};
        snprintf(c.name, sizeof c.name, "worst-heteroprio-graph-%" PRId64, c.n);
        code = duet_paper_add_case(study, &c, error);
    }
    return code;
}

// The paper prints acceleration factors, no times: GPU times are those of RR-9150. In 10^-6 ms.
static duet_code with_factors(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    static const int64_t gpu[DUET_PAPER_KERNELS] = {15600000, 8110000, 3650000, 5950000};
    static const int64_t hundredths[DUET_PAPER_KERNELS] = {172, 872, 2696, 2880};
    int64_t times[TYPES * DUET_PAPER_KERNELS];
    for (size_t i = 0; i < DUET_PAPER_KERNELS; i++) {
        times[TYPES * i] = gpu[i] / 100 * hundredths[i];
        times[TYPES * i + 1] = gpu[i];
    }
    return duet_paper_cholesky(c, "cholesky-factors", "ms", times, NULL, out, error);
}

static duet_code make(const duet_paper_case *c, duet_instance **out, duet_error *error)
{
    static const struct {
        const char *family, *options;
    } made[DUET_HP_SETS] = {{"chol", "row=canon2018-960 edges=true"},
                            {NULL, NULL},
                            {"chol", "row=sirocco-single-960 edges=true"},
                            {"lu", "edges=true"},
                            {"qr", "edges=true"},
                            {"worst-heteroprio-graph", ""}};
    return c->set == DUET_HP_FACTORS
               ? with_factors(c, out, error)
               : duet_paper_generate(made[c->set].family, c, made[c->set].options, out, error);
}

// --- figures -------------------------------------------------------------------------------------

static double to_bound(const duet_paper_study *study, size_t c, size_t run, size_t type)
{
    (void)type;
    return duet_paper_to_bound(study, c, run);
}

// The tables; what is unknown is 0 or less, of idle times below.
enum { TABLES = 5 };
static const struct {
    const char *title, *key; // of the JSON
    double (*value)(const duet_paper_study *study, size_t c, size_t run, size_t type);
    size_t type;
    const char *format;
} tables[TABLES] = {{"Figure 7: makespan / bound", "to_bound", to_bound, 0, "%.3f"},
                    {"Figure 8: acceleration factor of the tasks on CPUs", "acceleration_cpu",
                     duet_hp_acceleration, 0, "%.2f"},
                    {"Figure 8: acceleration factor of the tasks on GPUs", "acceleration_gpu",
                     duet_hp_acceleration, 1, "%.2f"},
                    {"Figure 9: idle time of CPUs / what they offer in the bound", "idle_cpu",
                     duet_hp_idle, 0, "%.3f"},
                    {"Figure 9: idle time of GPUs / what they offer in the bound", "idle_gpu",
                     duet_hp_idle, 1, "%.3f"}};

static void print_table(const duet_paper_study *study, size_t set, size_t t, FILE *stream)
{
    duet_cli_table table;
    duet_cells_begin(&table, "rrrrrrrr", "N");
    duet_cells_add(&table, labels, DUET_HP_RUNS);
    for (int64_t n = LEAST_TILES; n <= DUET_HP_MOST_TILES; n++) {
        size_t c = duet_hp_find(study, set, n);
        if (c == study->case_count || !duet_bag_shows_tiles(study, n)) {
            continue;
        }
        duet_cells_addf(&table, "%" PRId64, n);
        for (size_t r = 0; r < DUET_HP_RUNS; r++) {
            double value = tables[t].value(study, c, r, tables[t].type);
            bool known = value > 0 || (value == 0 && tables[t].value == duet_hp_idle);
            duet_cells_add_number(&table, known ? tables[t].format : "-", value);
        }
    }
    duet_cells_end(&table, 0, stream);
}

static void print(const duet_paper_study *study, FILE *stream)
{
    static const char *const about[DUET_HP_FIGURE_SETS] = {
        "Cholesky, times of RR-9150", "Cholesky, the acceleration factors of the paper's table 1",
        "Cholesky, sirocco, single precision", "LU, sirocco, double precision",
        "QR, CPU times of epyc, GPU times derived"};
    fprintf(stream, "%d CPUs and %d GPUs, N tiles of a side\n", DUET_BAG_FIGURE6_CPUS,
            DUET_BAG_FIGURE6_GPUS);
    for (size_t set = 0; set < DUET_HP_FIGURE_SETS; set++) {
        // Figures 8 and 9 of Cholesky once.
        bool once = set == DUET_HP_FACTORS || set == DUET_HP_SIROCCO;
        for (size_t t = 0; t < (once ? 1 : TABLES); t++) {
            duet_cli_print(stream, "\n%s, %s\n\n", tables[t].title, about[set]);
            print_table(study, set, t, stream);
        }
    }
    duet_claims claims[DUET_HP_CLAIMS];
    duet_hp_claims(study, claims);
    for (size_t i = 0; i < DUET_HP_CLAIMS; i++) {
        fputc('\n', stream);
        duet_paper_print_claims(&claims[i], stream);
    }
}

static void write_json(const duet_paper_study *study, duet_cli_json *json)
{
    static const char *const lists[DUET_HP_CLAIMS] = {"statements", "statements_utilisation"};
    duet_claims claims[DUET_HP_CLAIMS];
    duet_cli_json_open(json, "cases", '[');
    for (size_t c = 0; c < study->case_count; c++) {
        duet_cli_json_open(json, NULL, '{');
        duet_cli_json_members(json, "set:%s n:%" PRId64, duet_hp_set_name[study->cases[c].set],
                              study->cases[c].n);
        for (size_t r = 0; r < DUET_HP_RUNS; r++) {
            duet_cli_json_open(json, labels[r], '{');
            for (size_t t = 0; t < TABLES; t++) {
                double value = tables[t].value(study, c, r, tables[t].type);
                bool unknown = value == 0 && tables[t].value == to_bound;
                duet_cli_json_decimal(json, tables[t].key, unknown ? -1 : value, 6);
            }
            duet_cli_json_close(json, '}');
        }
        duet_cli_json_close(json, '}');
    }
    duet_cli_json_close(json, ']');
    duet_hp_claims(study, claims);
    for (size_t i = 0; i < DUET_HP_CLAIMS; i++) {
        duet_claims_json(&claims[i], lists[i], "statement", json);
    }
}

static bool is_of_set(const duet_paper_case *c, size_t set)
{
    return c->set == set;
}

#define OF_SET(set, name)                                                                          \
    {                                                                                              \
        "figure7-" name, name ": ratio to the bound over the tiles",                               \
            {.title = name ", 20 CPUs and 4 GPUs (Beaumont et al. 2017, figure 7)",                \
             .x_label = "tiles of a side",                                                         \
             .y_label = "makespan / area bound with dependencies",                                 \
             .linear_x = true,                                                                     \
             .linear_y = true},                                                                    \
            labels, 0, DUET_HP_RUNS, is_of_set, set, NULL, duet_paper_to_bound                     \
    }
static double acceleration_on_cpus(const duet_paper_study *study, size_t c, size_t run)
{
    return duet_hp_acceleration(study, c, run, 0);
}

static double acceleration_on_gpus(const duet_paper_study *study, size_t c, size_t run)
{
    return duet_hp_acceleration(study, c, run, 1);
}

static double idle_of_cpus(const duet_paper_study *study, size_t c, size_t run)
{
    return duet_hp_idle(study, c, run, 0);
}

static double idle_of_gpus(const duet_paper_study *study, size_t c, size_t run)
{
    return duet_hp_idle(study, c, run, 1);
}

#define BY_TYPE(figure, type, set, name, what, value)                                              \
    {                                                                                              \
        "figure" figure "-" type "-" name, NULL,                                                   \
            {.title = name ", 20 CPUs and 4 GPUs (Beaumont et al. 2017, figure " figure ")",       \
             .x_label = "tiles of a side",                                                         \
             .y_label = (what),                                                                    \
             .linear_x = true,                                                                     \
             .linear_y = true},                                                                    \
            labels, 0, DUET_HP_RUNS, is_of_set, set, NULL, value                                   \
    }
#define FIGURES_8_AND_9(set, name)                                                                 \
    BY_TYPE("8", "cpu", set, name, "acceleration of the tasks on CPUs", acceleration_on_cpus),     \
        BY_TYPE("8", "gpu", set, name, "acceleration of the tasks on GPUs", acceleration_on_gpus), \
        BY_TYPE("9", "cpu", set, name, "normalised idle time of CPUs", idle_of_cpus),              \
        BY_TYPE("9", "gpu", set, name, "normalised idle time of GPUs", idle_of_gpus)
static const duet_paper_chart charts[] = {OF_SET(DUET_HP_CHOLESKY, "chol"),
                                          OF_SET(DUET_HP_FACTORS, "chol-factors"),
                                          OF_SET(DUET_HP_SIROCCO, "chol-sirocco"),
                                          OF_SET(DUET_HP_LU, "lu-sirocco"),
                                          OF_SET(DUET_HP_QR, "qr-epyc"),
                                          FIGURES_8_AND_9(DUET_HP_CHOLESKY, "chol"),
                                          FIGURES_8_AND_9(DUET_HP_LU, "lu-sirocco"),
                                          FIGURES_8_AND_9(DUET_HP_QR, "qr-epyc"),
                                          {.what = NULL}};
static const char *const bounds[] = {"graph", NULL};

const duet_paper duet_paper_beaumont2017 = {
    .name = "beaumont2017",
    .title = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, figures 7, 8 and 9",
    .runs = runs,
    .run_count = DUET_HP_RUNS,
    .bounds = bounds,
    .sets = duet_hp_set_name,
    .list = list,
    .make = make,
    .print = print,
    .write_json = write_json,
    .charts = charts,
    .about =
        "Seven algorithms on the task graphs of factorisations, against the area bound with "
        "dependencies (`graph`). The paper\n"
        "prints no numbers and does not give its times, only acceleration factors; its "
        "statements are held against several sets\n"
        "of times. HeteroPrio breaks ties as in section 2.2 (`ties=published`): at equal "
        "acceleration of at least 1 a CPU takes\n"
        "the lowest priority. Figure 9 divides idle time by the work that the bound's solution "
        "gives to a type; here it is all\n"
        "that the type offers in the time of the bound, which is the same wherever the bound "
        "has a price for the type.\n"};
