// SPDX-License-Identifier: Apache-2.0
// What the processes of a sweep say to each other. The last words of a rank are BYE, and END back:
// after that no message between the two is left.
#include "bench/run/mpi/rank.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/run/sweep_row.h"
#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum {
    LONGEST_NAP_NS = 1000000,
    EXIT_LIMIT = 5, // the command's, where memory runs out
    NUMBER = 24     // bytes of a job's number and the blank behind it
};

// Makes room for the rows of one more job.
static duet_code grow(duet_mpi_lines *lines, size_t rows, duet_error *error)
{
    size_t more = rows * (NUMBER + DUET_SWEEP_LINE);
    if (lines->used > INT_MAX - more) {
        return duet_error_set(error, DUET_E_LIMIT, "rows come faster than they can be sent");
    }
    if (lines->room - lines->used >= more) {
        return DUET_OK;
    }
    size_t room = 2 * lines->used + more;
    char *text = duet_resize(lines->text, room, 1, error);
    DUET_NEED(text);
    lines->text = text;
    lines->room = room;
    return DUET_OK;
}

duet_code duet_mpi_lines_add(duet_mpi_lines *lines, const duet_sweep *sweep, size_t job,
                             const duet_sweep_row *rows, duet_error *error)
{
    duet_code code = grow(lines, sweep->rows_per_job, error);
    for (size_t r = 0; r < sweep->rows_per_job && code == DUET_OK; r++) {
        code = duet_sweep_check_row(sweep, &rows[r], error);
    }
    for (size_t r = 0; r < sweep->rows_per_job && code == DUET_OK; r++) {
        lines->used += (size_t)snprintf(lines->text + lines->used, NUMBER, "%zu ", job);
        lines->used += duet_sweep_format_row(sweep, job, &rows[r], lines->text + lines->used);
    }
    DUET_ASSERT(lines->used <= lines->room);
    return code;
}

// The line without its job's number, which goes to *job.
static const char *take_number(char *line, size_t *job)
{
    char *end = NULL;
    *job = (size_t)strtoull(line, &end, 10);
    return end != line && *end == ' ' ? end + 1 : NULL;
}

duet_code duet_mpi_lines_read(char **text, const duet_sweep *sweep, size_t *job,
                              duet_sweep_row *rows, duet_error *error)
{
    char own[DUET_SWEEP_STAMP];
    char stamp[DUET_SWEEP_STAMP];
    size_t in_line;
    duet_sweep_stamp(sweep, own);
    for (size_t r = 0; r < sweep->rows_per_job; r++) {
        char *line = *text;
        size_t length = strcspn(line, "\n");
        line[length] = '\0';
        *text += length + 1;
        const char *row = take_number(line, job);
        if (row == NULL || !duet_sweep_parse_row(sweep, row, &in_line, &rows[r], stamp)) {
            return duet_error_set(error, DUET_E_INTERNAL,
                                  "a bug in Duet: another process sent the row '%.300s'", line);
        }
        if (strcmp(stamp, own) != 0) {
            return duet_error_set(error, DUET_E_UNSUPPORTED,
                                  "another process is of another Duet, or has other settings: "
                                  "expected the same on every machine");
        }
    }
    return DUET_OK;
}

char *duet_mpi_receive(const MPI_Status *probed)
{
    int length = 0;
    MPI_Get_count(probed, MPI_BYTE, &length);
    char *text = duet_alloc((size_t)length + 1, 1, NULL);
    if (text == NULL) {
        duet_mpi_abort();
    }
    MPI_Recv(text, length, MPI_BYTE, probed->MPI_SOURCE, probed->MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return text;
}

void duet_mpi_broadcast(void *bytes, size_t length)
{
    MPI_Request request;
    long pause = DUET_MPI_SHORTEST_NAP_NS;
    int there = 0;
    MPI_Ibcast(bytes, (int)length, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
    while (!there) {
        duet_mpi_nap(&pause);
        MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void duet_mpi_abort(void)
{
    MPI_Abort(MPI_COMM_WORLD, EXIT_LIMIT);
}

void duet_mpi_nap(long *length)
{
    struct timespec pause = {0, *length};
    nanosleep(&pause, NULL);
    *length = duet_min(2 * *length, LONGEST_NAP_NS);
}
