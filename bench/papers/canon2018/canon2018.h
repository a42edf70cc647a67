// SPDX-License-Identifier: Apache-2.0
// What the files of Canon et al. 2018 share.
#ifndef DUET_BENCH_PAPERS_CANON2018_H
#define DUET_BENCH_PAPERS_CANON2018_H

#include "bench/papers/papers.h"

// The sets of instances.
enum { DUET_CANON_CHOLESKY, DUET_CANON_STG, DUET_CANON_ADHOC, DUET_CANON_SETS };

// The rules of the paper, in the order of its figures.
typedef enum duet_canon_rule {
    DUET_CANON_EFT,
    DUET_CANON_QA,
    DUET_CANON_ER_LS,
    DUET_CANON_RATIO,
    DUET_CANON_QUICKEST,
    DUET_CANON_MIXEFT, // with the default, 2
    DUET_CANON_RULES
} duet_canon_rule;
extern const char *const duet_canon_rule_name[DUET_CANON_RULES];

// Values of mixeft's parameter in figure 16, in hundredths; 2 is among the rules.
enum { DUET_CANON_LAMBDAS = 11 };
extern const int duet_canon_lambda[DUET_CANON_LAMBDAS];

// The platforms of figure 17; of the third are the instances of the other figures.
enum { DUET_CANON_PLATFORMS = 10, DUET_CANON_MAIN_PLATFORM = 6 };
typedef struct duet_canon_platform {
    int64_t m, k;
} duet_canon_platform;
extern const duet_canon_platform duet_canon_platforms[DUET_CANON_PLATFORMS];
enum { DUET_CANON_LEAST_TILES = 2, DUET_CANON_MOST_TILES = 15 };

// The runs: heft, then for each way to run an online rule the rules, and mixeft with each lambda.
// The report does not say how a task finds its processor, nor which of those revealed together is
// first.
enum { DUET_CANON_HEFT = 0 };
typedef enum duet_canon_bind {
    DUET_CANON_QUEUE,  // at once, at the end of a queue; in order of index
    DUET_CANON_IDLE,   // when one is idle
    DUET_CANON_BOTTOM, // at once, highest bottom level first
    DUET_CANON_BINDS
} duet_canon_bind;
extern const char *const duet_canon_bind_name[DUET_CANON_BINDS];
enum { DUET_CANON_OF_A_BIND = DUET_CANON_RULES + DUET_CANON_LAMBDAS - 1 };
size_t duet_canon_run(duet_canon_bind bind, duet_canon_rule rule);
size_t duet_canon_lambda_run(duet_canon_bind bind, size_t lambda);
// How many times as long as heft it takes; 0: unknown.
double duet_canon_over_heft(const duet_paper_study *study, size_t c, size_t run);
// The platform of figures 13 to 16.
const duet_canon_platform *duet_canon_main_platform(void);

// The cases of a figure.
bool duet_canon_on_platform(const duet_paper_case *c, size_t platform); // of Cholesky
bool duet_canon_in_set(const duet_paper_case *c, size_t set);           // on the main platform
// The ratios of a run to heft over these cases.
duet_paper_ratios duet_canon_ratios(const duet_paper_study *study, size_t run,
                                    duet_paper_filter *filter, size_t value);
// The generator of a case of the Standard Task Graph Set is what it is shown over.
bool duet_canon_by_generator(const duet_paper_case *c, size_t generator);

// claims.c
enum { DUET_CANON_CLAIMS = 5 }; // figures 13 and 14, 16 and 17, 15 twice, theorems
void duet_canon_claims(const duet_paper_study *study, duet_claims claims[DUET_CANON_CLAIMS]);

// theorems.c
void duet_canon_theorems(duet_claims *claims);

// strategies.c
void duet_canon_strategies(duet_claims *claims);

// view.c
void duet_canon_print(const duet_paper_study *study, FILE *stream);
void duet_canon_write_json(const duet_paper_study *study, duet_cli_json *json);
extern const duet_paper_chart duet_canon_charts[];
duet_code duet_canon_draw(const duet_paper_study *study, const duet_drawing *drawing,
                          duet_error *error);

#endif
