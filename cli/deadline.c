// SPDX-License-Identifier: Apache-2.0
#include "cli/deadline.h"

#include <stdio.h>

#include "console/exit_code.h"
#include "console/print.h"
#include "console/texts.h"
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
    if (args->deadline == NULL) {
        return;
    }
    duet_cli_time(instance, duet_solution_lower_bound(solution), low);
    duet_cli_time(instance, duet_solution_makespan(solution), high);
    switch (duet_solution_meets(solution, args->due.ticks)) {
    case DUET_YES:
        duet_cli_print(stdout, "deadline     %s: yes, all can end by then\n", args->due.text);
        break;
    case DUET_NO:
        duet_cli_print(stdout, "deadline     %s: no, nothing ends before %s (%s)\n",
                       args->due.text, low, duet_solution_bound_name(solution));
        break;
    default:
        duet_cli_print(stdout,
                       "deadline     %s: not decided, the shortest makespan is between %s and %s\n",
                       args->due.text, low, high);
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
