// SPDX-License-Identifier: Apache-2.0
// The study of papers about bags of independent tasks: Table 1 and Figure 3 of Bleuse et al. 2015,
// Figure 6 of Beaumont et al. 2017. All come from the same sweep.
#ifndef DUET_BENCH_PAPERS_BAG_H
#define DUET_BENCH_PAPERS_BAG_H

#include "bench/papers/papers.h"
#include "bench/run/statistics.h"

// What is shown: a bit each. The first two come from the same runs.
enum {
    DUET_BAG_TABLE1 = 1,
    DUET_BAG_FIGURE3 = 2,
    DUET_BAG_FIGURE6 = 4,
    DUET_BAG_ALL = DUET_BAG_TABLE1 | DUET_BAG_FIGURE3 | DUET_BAG_FIGURE6,
    DUET_BAG_PARTS = 3
};

// Every instance is given to all of these, in this order.
typedef enum duet_bag_algorithm {
    DUET_BAG_DP,
    DUET_BAG_HEFT,
    DUET_BAG_ACCEL,
    DUET_BAG_DUAL_4_3,
    DUET_BAG_SHELF,
    DUET_BAG_DUALHP,
    DUET_BAG_HETEROPRIO,
    DUET_BAG_EXACT,
    DUET_BAG_ALGORITHMS
} duet_bag_algorithm;
extern const char *const duet_bag_name[DUET_BAG_ALGORITHMS];

// The sets of instances, which are families: Bleuse et al.'s, and Beaumont et al.'s factorisations.
enum { DUET_BAG_BLEUSE, DUET_BAG_CHOLESKY, DUET_BAG_LU, DUET_BAG_QR, DUET_BAG_SETS };
extern const char *const duet_bag_family[DUET_BAG_SETS];

// The sweep of Bleuse et al.: 100 sizes, 7 numbers of CPUs, 4 of GPUs, 30 instances of each.
enum {
    DUET_BAG_STEP = 10, // tasks of the first size, and from one to the next
    DUET_BAG_SIZES = 100,
    DUET_BAG_LAST = DUET_BAG_STEP * DUET_BAG_SIZES,
    DUET_BAG_CPUS = 7,
    DUET_BAG_GPUS = 4,
    DUET_BAG_REPEATS = 30,
    DUET_BAG_WHOLE = DUET_BAG_SIZES * DUET_BAG_CPUS * DUET_BAG_GPUS * DUET_BAG_REPEATS,
    DUET_BAG_COUNTED = 10500, // as the paper counts them
    DUET_BAG_EVERY = DUET_BAG_WHOLE / DUET_BAG_COUNTED
};

// Figure 6 of Beaumont et al.
enum {
    DUET_BAG_FEWEST_TILES = 4,
    DUET_BAG_MOST_TILES = 64,
    DUET_BAG_FIGURE6_CPUS = 20,
    DUET_BAG_FIGURE6_GPUS = 4
};

// A table or figure, by its name on the command line; in the order of the bits.
typedef struct duet_bag_part {
    const char *name;
    bool tiled; // of Beaumont et al.
    void (*print)(const duet_paper_study *study, FILE *stream);
    void (*write_section)(const duet_paper_study *study, const struct duet_bag_part *part,
                          const duet_paper_page *page);
    duet_code (*draw)(const duet_paper_study *study, const duet_drawing *drawing,
                      duet_error *error); // NULL: no chart
} duet_bag_part;
extern const duet_bag_part duet_bag_parts[DUET_BAG_PARTS];

// Whether a case is a factorisation, which has tiles.
bool duet_bag_is_tiled(const duet_paper_case *c);
// bag.c: whether this build has the family of a set; an instance.
bool duet_bag_has_family(size_t set);
duet_code duet_bag_make(const duet_paper_case *c, duet_instance **out, duet_error *error);
// In the section of a part: the command and what it prints.
void duet_bag_write_block(const duet_paper_study *study, const duet_bag_part *part,
                          const duet_paper_page *page);

// What a deviation is measured from.
typedef enum duet_bag_base {
    DUET_BAG_FROM_SEARCH, // the lower bound that the binary search of dual-2 ends with
    DUET_BAG_FROM_BEST    // the optimum, where it is not proven the best bound of all
} duet_bag_base;

// Figures over Bleuse et al.'s instances of one size, or all.
typedef struct duet_bag_figures {
    duet_ratio_statistics ratio; // of deviations, (makespan - base) / base
    double mean;                 // of them, in percent
} duet_bag_figures;
void duet_bag_figures_of(const duet_paper_study *study, size_t algorithm, duet_bag_base base,
                         int64_t n, duet_bag_figures *out);
// In percent.
double duet_bag_largest(const duet_bag_figures *figures);

typedef struct duet_bag_count {
    size_t cases;  // that were run
    size_t proven; // with the optimum
    size_t faults; // runs
    size_t failed; // runs without a schedule
    size_t broken; // proven ratios that the optimum shows to be exceeded
    double widest; // gap between best schedule and best bound, in percent
} duet_bag_count;
// Of one of the papers.
duet_bag_count duet_bag_count_of(const duet_paper_study *study, bool tiled);

// Table 1 as printed, in percent.
enum { DUET_BAG_PRINTED = 12, DUET_BAG_PRINTED_ALGORITHMS = 3 };
typedef struct duet_bag_printed {
    int64_t n;
    double deviation[DUET_BAG_PRINTED_ALGORITHMS]; // DP, HEFT, Accel
} duet_bag_printed;
extern const duet_bag_printed duet_bag_table1[DUET_BAG_PRINTED];

// Named as the papers do, where they do.
extern const char *const duet_bag_label[DUET_BAG_ALGORITHMS];

// bleuse2015/bleuse2015.c
duet_code duet_bleuse2015_list(duet_paper_study *study, duet_error *error);
void duet_bleuse2015_claims(const duet_paper_study *study, duet_claims *claims);
void duet_bleuse2015_write_json(const duet_paper_study *study, duet_cli_json *json);
// bleuse2015/view.c: the parts as text, as sections of the page of results, and as charts.
void duet_bleuse2015_print_table1(const duet_paper_study *study, FILE *stream);
void duet_bleuse2015_print_figure3(const duet_paper_study *study, FILE *stream);
void duet_bleuse2015_write_table1(const duet_paper_study *study, const duet_bag_part *part,
                                  const duet_paper_page *page);
void duet_bleuse2015_write_figure3(const duet_paper_study *study, const duet_bag_part *part,
                                   const duet_paper_page *page);
duet_code duet_bleuse2015_draw_figure3(const duet_paper_study *study, const duet_drawing *drawing,
                                       duet_error *error);

// beaumont2017/independent.c: whether a table has a row for `tiles` tiles.
bool duet_bag_shows_tiles(const duet_paper_study *study, int64_t tiles);
duet_code duet_beaumont2017_list(duet_paper_study *study, duet_error *error);
void duet_beaumont2017_write_json(const duet_paper_study *study, duet_cli_json *json);
void duet_beaumont2017_print(const duet_paper_study *study, FILE *stream);
void duet_beaumont2017_write_section(const duet_paper_study *study, const duet_bag_part *part,
                                     const duet_paper_page *page);
duet_code duet_beaumont2017_draw(const duet_paper_study *study, const duet_drawing *drawing,
                                 duet_error *error);

#endif
