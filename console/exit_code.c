// SPDX-License-Identifier: Apache-2.0
#include "console/exit_code.h"

#include <stddef.h>
#include <stdio.h>

#include "console/print.h"
#include "core/system/utf8.h"

const duet_cli_exit duet_cli_exits[] = {{0, "done"},
                                        {1, "a check said no"},
                                        {2, "wrong usage"},
                                        {3, "unreadable or invalid input"},
                                        {4, "no schedule exists"},
                                        {5, "a limit (time, memory, disk) came before the result"},
                                        {70, "a bug in Duet"},
                                        {0, NULL}};

int duet_cli_exit_code(duet_code code)
{
    switch (code) {
    case DUET_OK:
        return DUET_CLI_OK;
    case DUET_E_USAGE:
    case DUET_E_UNSUPPORTED:
        return 2;
    case DUET_E_INPUT:
        return 3;
    case DUET_E_INFEASIBLE:
        return 4;
    case DUET_E_LIMIT:
    case DUET_E_MEMORY:
    case DUET_E_OUTPUT:
    case DUET_E_CANCELLED:
        return 5;
    case DUET_E_INTERNAL:
        break;
    }
    return 70;
}

int duet_cli_fail(const duet_error *error)
{
    char text[DUET_SHOWN * sizeof error->file + sizeof error->message + 32];
    duet_error_format(error, text, sizeof text);
    duet_cli_print(stderr, "duet: %s\n", text);
    return duet_cli_exit_code(error->code);
}
