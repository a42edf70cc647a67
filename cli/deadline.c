// SPDX-License-Identifier: Apache-2.0
// What solve and show say beside a schedule: whether a deadline is met, and what the run costs.
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>

#include "console/exit_code.h"
#include "console/price.h"
#include "console/print.h"
#include "console/texts.h"
#include "core/instance/instance.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"

duet_code duet_cli_take_deadline(duet_cli_args *args, const duet_instance *instance,
                                 duet_error *error)
{
    return args->deadline == NULL ? DUET_OK
                                  : duet_cli_read_given_time("--deadline", args->deadline, instance,
                                                             &args->due, error);
}

void duet_cli_keep_deadline(const duet_cli_args *args, const duet_instance *instance,
                            duet_solution *solution)
{
    if (args->deadline != NULL) {
        duet_solution_set_deadline(solution, instance, args->due.ticks, args->due.text);
    }
}

void duet_cli_print_deadline(const duet_cli_args *args, const duet_instance *instance,
                             const duet_solution *solution)
{
    char low[DUET_CLI_TEXT];
    char high[DUET_CLI_TEXT];
    char due[DUET_CLI_GIVEN_TEXT];
    if (args->deadline == NULL) {
        return;
    }
    duet_cli_given_text(&args->due, instance, due);
    duet_cli_finer_time(instance, 0, duet_solution_lower_bound(solution), low);
    duet_cli_finer_time(instance, 0, duet_solution_makespan(solution), high);
    switch (duet_solution_meets(solution, args->due.ticks)) {
    case DUET_YES:
        duet_cli_print(stdout, "deadline     %s: yes, all can end by then\n", due);
        break;
    case DUET_NO:
        duet_cli_print(stdout, "deadline     %s: no, nothing ends before %s (%s)\n", due, low,
                       duet_solution_bound_name(solution));
        break;
    default:
        duet_cli_print(stdout,
                       "deadline     %s: not decided, the shortest makespan is between %s and %s\n",
                       due, low, high);
        break;
    }
}

int duet_cli_deadline_code(const duet_cli_args *args, const duet_solution *solution)
{
    if (args->deadline == NULL) {
        return DUET_CLI_OK;
    }
    duet_feasibility answer = duet_solution_meets(solution, args->due.ticks);
    return answer == DUET_YES  ? DUET_CLI_OK
           : answer == DUET_NO ? duet_cli_exit_code(DUET_E_INFEASIBLE)
                               : duet_cli_exit_code(DUET_E_LIMIT);
}

duet_code duet_cli_check_price(const duet_cli_args *args, const duet_instance *instance,
                               duet_error *error)
{
    duet_cli_price price;
    return duet_cli_read_price(args->price, instance, &price, error);
}

// What the platform costs an hour, and the run; false where nothing is said of prices.
static bool find_price(const duet_cli_args *args, const duet_instance *instance,
                       const duet_solution *solution, char hour[DUET_CLI_PRICE],
                       char all[DUET_CLI_PRICE])
{
    duet_cli_price price;
    int64_t counts[DUET_MAX_TYPES];
    size_t types = duet_instance_types(instance);
    if (args->price == NULL ||
        duet_cli_read_price(args->price, instance, &price, NULL) != DUET_OK) {
        return false;
    }
    for (size_t t = 0; t < types; t++) {
        counts[t] = duet_instance_type_count(instance, t);
    }
    duet_cli_price_text(&price, types, counts, hour);
    duet_cli_run_price_text(&price, instance, counts, duet_solution_makespan(solution), all);
    return true;
}

void duet_cli_print_price(const duet_cli_args *args, const duet_instance *instance,
                          const duet_solution *solution)
{
    char hour[DUET_CLI_PRICE];
    char all[DUET_CLI_PRICE];
    if (find_price(args, instance, solution, hour, all)) {
        duet_cli_print(stdout, "price        %s an hour, %s the run\n", hour,
                       all[0] == '\0' ? "unknown (--unit)" : all);
    }
}

void duet_cli_json_price(const duet_cli_args *args, const duet_instance *instance,
                         const duet_solution *solution, duet_cli_json *json)
{
    char hour[DUET_CLI_PRICE];
    char all[DUET_CLI_PRICE];
    if (find_price(args, instance, solution, hour, all)) {
        duet_cli_json_number(json, "price", hour);
        if (all[0] == '\0') {
            duet_cli_json_string(json, "run_price", NULL);
        } else {
            duet_cli_json_number(json, "run_price", all);
        }
    }
}

// A task that ends after its deadline.
typedef struct late_task {
    int64_t task;
    duet_decimal by;
} late_task;

enum { NAMED = 5 }; // late tasks at most; the others are counted

static bool is_later(duet_decimal a, duet_decimal b)
{
    double first = (double)a.mantissa * pow(10, -a.places); // for people alone: which is named
    return first > (double)b.mantissa * pow(10, -b.places);
}

// The latest tasks, the first of them in front. Returns how many tasks are late.
static int64_t find_latest(const duet_instance *instance, const duet_solution *solution,
                           late_task latest[NAMED + 1])
{
    int64_t count = 0;
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        duet_decimal by;
        if (duet_solution_late(instance, solution, j, &by)) {
            size_t at = (size_t)duet_min(count, (int64_t)NAMED);
            for (; at > 0 && is_later(by, latest[at - 1].by); at--) {
                latest[at] = latest[at - 1];
            }
            latest[at] = (late_task){j, by};
            count++;
        }
    }
    return count;
}

// A time for people, in the unit that reads best; where it has too many digits for that, all of
// them.
static char *text_of(const duet_instance *instance, duet_decimal time, char *buffer)
{
    int finer = time.places > instance->decimals ? time.places - instance->decimals : 0;
    int64_t ticks = time.mantissa;
    bool fits = finer <= DUET_FINER_PLACES;
    for (int places = time.places; places < instance->decimals && fits; places++) {
        fits = ticks <= INT64_MAX / 10;
        ticks = fits ? 10 * ticks : ticks;
    }
    return fits ? duet_cli_finer_time(instance, finer, ticks, buffer)
                : duet_decimal_format(time.mantissa, time.places, buffer);
}

void duet_cli_print_late(const duet_instance *instance, const duet_solution *solution)
{
    late_task latest[NAMED + 1];
    if (instance->deadline == NULL) {
        return;
    }
    int64_t count = find_latest(instance, solution, latest);
    if (count == 0) {
        puts("late         none: every task ends by its deadline");
        return;
    }
    for (int64_t i = 0; i < count && i < NAMED; i++) {
        char id[200];
        char by[DUET_CLI_TEXT];
        char due[DUET_CLI_TEXT];
        duet_decimal at = instance->deadline[duet_instance_kind_of(instance, latest[i].task)];
        duet_instance_task_id(instance, latest[i].task, id, sizeof id);
        duet_cli_print(stdout, "%s%s by %s (due %s)", i == 0 ? "late         " : ", ", id,
                       text_of(instance, latest[i].by, by), text_of(instance, at, due));
    }
    if (count > NAMED) {
        duet_cli_print(stdout, " and %lld more", (long long)(count - NAMED));
    }
    puts("; lateness is not minimised");
}

void duet_cli_json_late(const duet_instance *instance, const duet_solution *solution,
                        duet_cli_json *json)
{
    if (instance->deadline == NULL) {
        return;
    }
    duet_cli_json_open(json, "late", '[');
    for (int64_t j = 0; j < duet_instance_tasks(instance); j++) {
        char id[200];
        char digits[40];
        duet_decimal by;
        if (duet_solution_late(instance, solution, j, &by)) {
            duet_instance_task_id(instance, j, id, sizeof id);
            duet_cli_json_open(json, NULL, '{');
            duet_cli_json_string(json, "task", id);
            duet_cli_json_number(json, "by", duet_decimal_format(by.mantissa, by.places, digits));
            duet_cli_json_close(json, '}');
        }
    }
    duet_cli_json_close(json, ']');
}
