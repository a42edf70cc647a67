// SPDX-License-Identifier: Apache-2.0
// The GLPK backend: the program is copied into GLPK, solved, and its answer copied out, all behind
// one guard.
#include "core/number/minmax.h"
#include "core/system/counted.h"
#include "lp/lp_model.h"

#include <limits.h>
#include <math.h>

#include <glpk.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/glpk_guard.h"

// One solve. Everything the guarded work writes to lives outside of it.
typedef struct job {
    duet_lp *lp;
    bool exact;
    const duet_context *context;
    duet_lp_visit *visit;
    void *user;
    double *values; // integer solve: the node's values, from index 1
    double cutoff;
    bool stop; // asked for by the callback
    int failure;
    int64_t steps; // of the simplex methods
} job;

duet_code duet_lp_backend_check(duet_error *error)
{
    (void)error;
    return DUET_OK;
}

static int bound_type(double lower, double upper)
{
    if (lower == -INFINITY) {
        return upper == INFINITY ? GLP_FR : GLP_UP;
    }
    if (upper == INFINITY) {
        return GLP_LO;
    }
    return lower == upper ? GLP_FX : GLP_DB;
}

// GLPK reads only the bound that its type names, but does not like an infinity in the other.
static double or_zero(double bound)
{
    return isfinite(bound) ? bound : 0.0;
}

static int to_glpk(duet_lp_basis basis)
{
    static const int code[] = {GLP_BS, GLP_NL, GLP_NU, GLP_NF, GLP_NS};
    return code[basis];
}

static duet_lp_basis from_glpk(int code)
{
    switch (code) {
    case GLP_NL:
        return DUET_LP_AT_LOWER;
    case GLP_NU:
        return DUET_LP_AT_UPPER;
    case GLP_NF:
        return DUET_LP_FREE;
    case GLP_NS:
        return DUET_LP_FIXED;
    default:
        return DUET_LP_BASIC;
    }
}

static void copy_basis_in(const duet_lp *lp, glp_prob *problem)
{
    for (size_t i = 0; i < lp->rows; i++) {
        glp_set_row_stat(problem, (int)i + 1, to_glpk(lp->row[i].basis));
    }
    for (size_t j = 0; j < lp->columns; j++) {
        if (lp->place[j] > 0) {
            glp_set_col_stat(problem, lp->place[j], to_glpk(lp->column[j].basis));
        }
    }
    int code = glp_factorize(problem);
    if (code != 0) {
        glp_adv_basis(problem, 0);
    }
}

// Says which columns the backend gets: all that are not fixed at 0, or all. Column generation keeps
// thousands that are of no use now, and every step of a solve looks at all that it has.
static duet_code place_columns(duet_lp *lp, bool all, duet_error *error)
{
    duet_code code = duet_vec_reserve(lp->place, lp->columns, error);
    lp->placed = 0;
    for (size_t j = 0; j < lp->columns && code == DUET_OK; j++) {
        const duet_lp_column *column = &lp->column[j];
        bool zero = column->lower == 0 && column->upper == 0 && column->basis != DUET_LP_BASIC;
        lp->place[j] = all || !zero ? ++lp->placed : 0;
    }
    return code;
}

// The entries of these columns.
static duet_code keep_entries(duet_lp *lp, duet_error *error)
{
    duet_code code = duet_vec_reserve(lp->kept_row, lp->entries, error);
    DUET_THEN(code, duet_vec_reserve(lp->kept_column, lp->entries, error));
    DUET_THEN(code, duet_vec_reserve(lp->kept_value, lp->entries, error));
    lp->kept = 1;
    for (size_t e = 1; e < lp->entries && code == DUET_OK; e++) {
        int place = lp->place[lp->entry_column[e] - 1];
        if (place > 0) {
            lp->kept_row[lp->kept] = lp->entry_row[e];
            lp->kept_column[lp->kept] = place;
            lp->kept_value[lp->kept++] = lp->entry_value[e];
        }
    }
    return code;
}

static duet_code prepare(duet_lp *lp, bool all, duet_error *error)
{
    DUET_TRY(place_columns(lp, all, error));
    return keep_entries(lp, error);
}

static glp_prob *copy_in(const duet_lp *lp)
{
    glp_prob *problem = glp_create_prob();
    glp_set_obj_dir(problem, GLP_MIN);
    if (lp->rows > 0) {
        glp_add_rows(problem, (int)lp->rows);
    }
    if (lp->placed > 0) {
        glp_add_cols(problem, lp->placed);
    }
    for (size_t i = 0; i < lp->rows; i++) {
        const duet_lp_row *row = &lp->row[i];
        glp_set_row_bnds(problem, (int)i + 1, bound_type(row->lower, row->upper),
                         or_zero(row->lower), or_zero(row->upper));
    }
    for (size_t j = 0; j < lp->columns; j++) {
        const duet_lp_column *column = &lp->column[j];
        if (lp->place[j] > 0) {
            glp_set_col_bnds(problem, lp->place[j], bound_type(column->lower, column->upper),
                             or_zero(column->lower), or_zero(column->upper));
            glp_set_obj_coef(problem, lp->place[j], column->cost);
        }
    }
    if (lp->kept > 1) {
        glp_load_matrix(problem, (int)lp->kept - 1, lp->kept_row, lp->kept_column, lp->kept_value);
    }
    if (lp->has_basis) {
        copy_basis_in(lp, problem);
    }
    return problem;
}

static void copy_out(duet_lp *lp, glp_prob *problem)
{
    lp->objective = glp_get_obj_val(problem);
    for (size_t i = 0; i < lp->rows; i++) {
        lp->row[i].dual = glp_get_row_dual(problem, (int)i + 1);
        lp->row[i].basis = from_glpk(glp_get_row_stat(problem, (int)i + 1));
    }
    for (size_t j = 0; j < lp->columns; j++) {
        duet_lp_column *column = &lp->column[j];
        int place = lp->place[j];
        column->value = place > 0 ? glp_get_col_prim(problem, place) : 0;
        column->basis = place > 0 ? from_glpk(glp_get_col_stat(problem, place)) : DUET_LP_FIXED;
    }
    lp->has_basis = true;
}

static duet_lp_status simplex_status(glp_prob *problem)
{
    switch (glp_get_status(problem)) {
    case GLP_OPT:
        return DUET_LP_OPTIMAL;
    case GLP_NOFEAS:
        return DUET_LP_INFEASIBLE;
    case GLP_UNBND:
        return DUET_LP_UNBOUNDED;
    default:
        return DUET_LP_UNSOLVED;
    }
}

// Message level and frequency are what lets the guard stop it.
static glp_smcp stoppable(void)
{
    glp_smcp parameters;
    glp_init_smcp(&parameters);
    parameters.msg_lev = GLP_MSG_ON;
    parameters.out_frq = DUET_GLPK_TICK_MS;
    return parameters;
}

// `limit`: of the objective, for the dual simplex method alone; GLP_EOBJUL where that is passed.
// Whoever sets one can do without an answer, and gets none that takes very long.
static int run_simplex(glp_prob *problem, bool dual, double limit, bool exact)
{
    enum { enough = 20000, each = 20 }; // steps: either method may cycle
    bool patient = !isfinite(limit);
    int size = patient ? glp_get_num_rows(problem) + glp_get_num_cols(problem) : 0;
    glp_smcp parameters = stoppable();
    parameters.tol_bnd = 1e-9;
    parameters.tol_dj = 1e-9;
    if (dual) {
        parameters.meth = GLP_DUAL;
        parameters.it_lim = enough;
        parameters.r_test = GLP_RT_FLIP; // shares move between their bounds in whole flocks
        parameters.obj_ul = patient ? parameters.obj_ul : limit;
        if (glp_simplex(problem, &parameters) == GLP_EOBJUL) {
            return GLP_EOBJUL;
        } // whatever else it comes to, the primal method goes on
        parameters.meth = GLP_PRIMAL;
        parameters.r_test = GLP_RT_HAR;
    }
    parameters.it_lim = size < (INT_MAX - enough) / each ? enough + each * size : INT_MAX;
    int failure = glp_simplex(problem, &parameters);
    if (patient && (failure != 0 || simplex_status(problem) == DUET_LP_UNSOLVED)) {
        // A basis that went bad or in circles, or tolerances that cannot be met: once more, from
        // scratch.
        parameters = stoppable();
        glp_adv_basis(problem, 0);
        failure = glp_simplex(problem, &parameters);
    }
    if (exact && failure == 0) {
        failure = glp_exact(problem, &parameters);
    }
    return failure;
}

// Some steps of the dual simplex method. If their limit comes first, the objective has not reached
// the optimum from below.
static int run_trial(glp_prob *problem, int steps)
{
    glp_smcp parameters = stoppable();
    parameters.meth = GLP_DUAL;
    parameters.it_lim = steps;
    int failure = glp_simplex(problem, &parameters);
    if (failure != 0 && failure != GLP_EITLIM) {
        return failure;
    }
    // Only then the objective is below the optimum.
    return glp_get_dual_stat(problem) == GLP_FEAS ? 0 : GLP_EFAIL;
}

static void solve_work(void *data)
{
    job *j = data;
    glp_prob *problem = copy_in(j->lp);
    if (j->lp->trial > 0) {
        j->failure = run_trial(problem, j->lp->trial);
        j->steps = glp_get_it_cnt(problem);
        j->lp->status = DUET_LP_OPTIMAL;
        j->lp->objective = glp_get_obj_val(problem);
        return;
    }
    j->failure = run_simplex(problem, j->lp->dual, j->lp->limit, j->exact);
    j->steps = glp_get_it_cnt(problem);
    bool beyond = j->failure == GLP_EOBJUL;
    if (j->failure == 0 || beyond) {
        j->failure = 0;
        j->lp->status = beyond ? DUET_LP_BEYOND : simplex_status(problem);
        copy_out(j->lp, problem);
        j->lp->steps += j->steps;
    }
}

// A step goes over rows and columns; the matrix is handed over and factorised.
static void count_work(const duet_lp *lp, int64_t steps)
{
    enum { solve = 15000, entry = 30, row = 50, column = 20 }; // nanoseconds
    int64_t a_step = row * (int64_t)lp->rows + column * (int64_t)lp->columns;
    duet_count_work(solve + entry * (int64_t)lp->kept + steps * a_step);
}

static duet_code run(duet_glpk_work *work, job *j, const char *what, duet_error *error)
{
    bool stopped = false;
    duet_code code = duet_glpk_run(work, j, j->context, &stopped, error);
    if (code != DUET_OK) {
        return code;
    }
    if (stopped || j->stop) {
        j->lp->status = DUET_LP_STOPPED;
        return DUET_OK;
    }
    if (j->failure != 0 || j->lp->status == DUET_LP_UNSOLVED) {
        // Numbers too far apart for floating-point arithmetic are no bug.
        bool numeric =
            j->failure == GLP_EFAIL || j->failure == GLP_ESING || j->failure == GLP_ECOND;
        return duet_error_set(error, numeric ? DUET_E_LIMIT : DUET_E_INTERNAL,
                              "GLPK could not solve the %s program of %zu rows and %zu columns "
                              "(code %d)",
                              what, j->lp->rows, j->lp->columns, j->failure);
    }
    return DUET_OK;
}

duet_code duet_lp_backend_solve(duet_lp *lp, bool exact, const duet_context *context,
                                duet_error *error)
{
    job j = {.lp = lp, .exact = exact, .context = context};
    duet_code code = prepare(lp, false, error);
    DUET_THEN(code, run(solve_work, &j, "linear", error));
    count_work(lp, j.steps);
    return code;
}

// The bound on everything the tree may still find.
static double tree_bound(glp_tree *tree)
{
    int best = glp_ios_best_node(tree);
    return best > 0 ? glp_ios_node_bound(tree, best) : INFINITY;
}

// GLPK has no cutoff to set, but cuts at its best solution's objective, and believes what it is
// told about that. So it is told of a solution that has the cutoff as its objective. Its values are
// those of the node but for one continuous column with a cost, which is set to make up the
// difference.
static void tell_cutoff(job *j, glp_tree *tree)
{
    const duet_lp *lp = j->lp;
    glp_prob *problem = glp_ios_get_prob(tree);
    if (glp_mip_status(problem) == GLP_FEAS && glp_mip_obj_val(problem) <= j->cutoff) {
        return;
    }
    double rest = j->cutoff;
    size_t carrier = lp->columns;
    for (size_t c = 0; c < lp->columns; c++) {
        const duet_lp_column *column = &lp->column[c];
        j->values[c + 1] = column->integer ? nearbyint(j->values[c + 1]) : j->values[c + 1];
        if (!column->integer && column->cost != 0.0) {
            carrier = c;
        } else {
            rest -= column->cost * j->values[c + 1];
        }
    }
    if (carrier < lp->columns) {
        j->values[carrier + 1] = rest / lp->column[carrier].cost;
        glp_ios_heur_sol(tree, j->values);
    }
}

static void on_node(glp_tree *tree, void *info)
{
    job *j = info;
    if (j->context != NULL && duet_context_stop(j->context)) {
        j->stop = true;
        glp_ios_terminate(tree);
        return;
    }
    int reason = glp_ios_reason(tree);
    if (reason != GLP_IBINGO && reason != GLP_IHEUR) {
        return;
    }
    glp_prob *problem = glp_ios_get_prob(tree);
    for (size_t c = 0; c < j->lp->columns; c++) {
        j->values[c + 1] = glp_get_col_prim(problem, (int)c + 1);
    }
    int total = 0;
    glp_ios_tree_size(tree, NULL, NULL, &total);
    j->lp->nodes = total;
    if (j->visit != NULL) {
        double cutoff = j->visit(j->user, j->values + 1, tree_bound(tree), reason == GLP_IBINGO);
        j->cutoff = duet_min(cutoff, j->cutoff);
    }
    if (reason == GLP_IHEUR && j->cutoff < INFINITY) {
        tell_cutoff(j, tree);
    }
}

static int run_branch_and_bound(job *j, glp_prob *problem)
{
    glp_iocp parameters;
    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_ON;
    parameters.out_frq = DUET_GLPK_TICK_MS;
    parameters.out_dly = 0;
    parameters.tol_int = 1e-9;
    parameters.tol_obj = 1e-9;
    parameters.mip_gap = 0.0;
    parameters.cb_func = on_node;
    parameters.cb_info = j;
    return glp_intopt(problem, &parameters);
}

static void integer_work(void *data)
{
    job *j = data;
    duet_lp *lp = j->lp;
    glp_prob *problem = copy_in(lp);
    for (size_t c = 0; c < lp->columns; c++) {
        glp_set_col_kind(problem, (int)c + 1, lp->column[c].integer ? GLP_IV : GLP_CV);
    }
    j->failure = run_simplex(problem, false, INFINITY, false);
    if (j->failure != 0) {
        return;
    }
    lp->status = simplex_status(problem);
    if (lp->status != DUET_LP_OPTIMAL) {
        return;
    }
    lp->status = DUET_LP_UNSOLVED;
    j->failure = run_branch_and_bound(j, problem);
    if (j->failure != 0) {
        return;
    }
    switch (glp_mip_status(problem)) {
    case GLP_OPT:
        lp->status = DUET_LP_OPTIMAL;
        lp->objective = glp_mip_obj_val(problem);
        break;
    case GLP_NOFEAS:
        lp->status = DUET_LP_INFEASIBLE;
        break;
    default:
        break;
    }
    for (size_t c = 0; c < lp->columns; c++) {
        lp->column[c].value = glp_mip_col_val(problem, (int)c + 1);
    }
}

duet_code duet_lp_backend_integer(duet_lp *lp, duet_lp_visit *visit, void *user,
                                  const duet_context *context, duet_error *error)
{
    // The values in front of the columns' own, since GLPK counts from 1.
    double *values = duet_alloc(lp->columns + 1, sizeof *values, error);
    DUET_NEED(values);
    job j = {.lp = lp,
             .context = context,
             .visit = visit,
             .user = user,
             .values = values,
             .cutoff = INFINITY};
    duet_code code = prepare(lp, true, error);
    DUET_THEN(code, run(integer_work, &j, "integer", error));
    duet_free(values);
    return code;
}
