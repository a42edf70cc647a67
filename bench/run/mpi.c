// SPDX-License-Identifier: Apache-2.0
// A sweep among several processes that mpirun started. Rank 0 has the ledger and the counter that
// hands out chunks of jobs; its own threads take jobs from it directly. Every other rank asks for a
// chunk when half of the last is begun, and sends the rows of what it has done.
//
// In every rank the first thread does nothing but talk to MPI, and the work is done by others.
// Hence rank 0 answers at once, whatever its jobs take: one-sided access to a counter would wait
// for rank 0 to enter MPI wherever the network has no atomics of its own. The first thread naps
// between its looks, since a thread that waits in MPI keeps a processor busy.
//
// The last words of a rank are BYE, and END back: after that no message between the two is left.
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/run/job_source.h"
#include "bench/run/ledger.h"
#include "core/context.h"
#include "core/memory.h"

enum { TAG_ASK = 1, TAG_ROWS, TAG_FAIL, TAG_BYE, TAG_CHUNK, TAG_STOP, TAG_END };

enum {
    LARGEST_CHUNK = 512,
    CHUNKS_PER_RANK = 8, // of what is left: chunks shrink towards the end
    SEND_BYTES = 1 << 16,
    SHORTEST_NAP_NS = 50000,
    LONGEST_NAP_NS = 1000000,
    EXIT_LIMIT = 5 // the command's, where memory runs out
};
static const int64_t send_ns = 100000000; // rows are not kept back for longer

typedef struct chunk {
    uint64_t begin, end; // indices of the shard's jobs; none: there is nothing more
} chunk;

// Of one process. What several threads use is guarded by the mutex.
typedef struct rank_state {
    const duet_sweep *sweep;
    const duet_sweep_plan *plan;
    int rank, size;
    const unsigned char *done; // jobs of the shard with nothing left to do
    duet_cancel *halt;         // of what runs here
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t at, end; // jobs not begun: of the chunk; at rank 0 all that are not handed out
    bool over;        // no more is begun
    bool worked;      // the threads have ended
    duet_error error; // the first
    // Rank 0:
    duet_sweep_ledger *ledger;
    int present; // ranks that have not said BYE
    bool *gone;  // which have
    bool stopped;
    duet_sweep_row *rows; // of a job, as they come in
    // Other ranks:
    chunk spare; // the next chunk, if it is there
    uint64_t size_of_last;
    int waiting;   // threads that wait for a chunk
    bool asked;    // for a chunk that has not come
    bool dry;      // rank 0 has no more
    bool reported; // why this rank halted
    char *outbox;  // lines of jobs that are done
    size_t out_used, out_room;
    int64_t sent_ns;
} rank_state;

static void nap(long *length)
{
    struct timespec pause = {0, *length};
    nanosleep(&pause, NULL);
    *length = 2 * *length < LONGEST_NAP_NS ? 2 * *length : LONGEST_NAP_NS;
}

static bool cancelled(const rank_state *s)
{
    return s->plan->cancel != NULL && duet_cancel_requested(s->plan->cancel);
}

// Nothing more is begun, and what runs is asked to end. Called with the mutex held.
static void halt(rank_state *s)
{
    s->over = true;
    duet_cancel_request(s->halt);
    pthread_cond_broadcast(&s->changed);
}

static void keep_error(rank_state *s, const duet_error *error)
{
    if (s->error.code == DUET_OK) {
        s->error = *error;
    }
    halt(s);
}

static void desk_fail(void *state, const duet_error *error)
{
    rank_state *s = state;
    pthread_mutex_lock(&s->mutex);
    keep_error(s, error);
    pthread_mutex_unlock(&s->mutex);
}

// Whether there is a job to begin, after the spare chunk has taken the place of an empty one.
static bool has_next(rank_state *s)
{
    for (;;) {
        while (s->at < s->end && duet_sweep_bit(s->done, s->at)) {
            s->at++;
        }
        if (s->at < s->end || s->spare.begin == s->spare.end) {
            return s->at < s->end;
        }
        s->at = s->spare.begin;
        s->end = s->spare.end;
        s->spare = (chunk){0, 0};
    }
}

static bool desk_next(void *state, size_t *job)
{
    rank_state *s = state;
    bool found = false;
    pthread_mutex_lock(&s->mutex);
    while (!s->over && !found) {
        found = has_next(s);
        if (found) {
            *job = duet_sweep_job(s->plan, s->at++);
        } else if (s->rank == 0 || s->dry) {
            break;
        } else {
            s->waiting++;
            pthread_cond_wait(&s->changed, &s->mutex);
            s->waiting--;
        }
    }
    pthread_mutex_unlock(&s->mutex);
    return found;
}

// Rank 0: rows of its own threads.
static void enter(void *state, size_t job, const duet_sweep_row *rows)
{
    rank_state *s = state;
    duet_error error = DUET_ERROR_INIT;
    pthread_mutex_lock(&s->mutex);
    if (!duet_cancel_requested(s->halt) &&
        duet_sweep_ledger_enter(s->ledger, job, rows, &error) != DUET_OK) {
        keep_error(s, &error);
    }
    pthread_mutex_unlock(&s->mutex);
}

// Makes room for the lines of one more job.
static duet_code grow_outbox(rank_state *s, duet_error *error)
{
    size_t job = s->sweep->rows_per_job * DUET_SWEEP_LINE;
    if (s->out_used > INT_MAX - job) {
        return duet_error_set(error, DUET_E_LIMIT, "rows come faster than they can be sent");
    }
    if (s->out_room - s->out_used >= job) {
        return DUET_OK;
    }
    size_t room = 2 * s->out_used + job;
    char *more = duet_resize(s->outbox, room, 1, error);
    if (more == NULL) {
        return DUET_E_MEMORY;
    }
    s->outbox = more;
    s->out_room = room;
    return DUET_OK;
}

// Other ranks: rows on their way to rank 0, as lines.
static void post(void *state, size_t job, const duet_sweep_row *rows)
{
    rank_state *s = state;
    duet_error error = DUET_ERROR_INIT;
    size_t count = s->sweep->rows_per_job;
    char stamp[DUET_SWEEP_STAMP];
    duet_code code = DUET_OK;
    duet_sweep_stamp(s->sweep, stamp);
    for (size_t r = 0; r < count && code == DUET_OK; r++) {
        code = duet_sweep_check_row(s->sweep, &rows[r], &error);
    }
    pthread_mutex_lock(&s->mutex);
    if (code == DUET_OK) {
        code = grow_outbox(s, &error);
    }
    for (size_t r = 0; r < count && code == DUET_OK && !duet_cancel_requested(s->halt); r++) {
        s->out_used += duet_sweep_format_row(s->sweep, job, &rows[r], s->outbox + s->out_used);
    }
    if (code != DUET_OK) {
        keep_error(s, &error);
    }
    pthread_mutex_unlock(&s->mutex);
}

static void *work(void *state)
{
    rank_state *s = state;
    duet_job_source desk = {desk_next, s->rank == 0 ? enter : post, desk_fail, s->halt, s};
    const char *local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"); // ranks on this machine
    int neighbours = local == NULL ? 1 : (int)strtol(local, NULL, 10);
    duet_sweep_work(s->sweep, &desk, duet_sweep_threads(s->plan, neighbours));
    pthread_mutex_lock(&s->mutex);
    s->worked = true;
    pthread_mutex_unlock(&s->mutex);
    return NULL;
}

// Rank 0: takes the lines of whole jobs.
static duet_code take_lines(rank_state *s, char *text, duet_error *error)
{
    const duet_sweep *sweep = s->sweep;
    duet_code code = DUET_OK;
    for (char *at = text; *at != '\0' && code == DUET_OK;) {
        size_t job = 0;
        char stamp[DUET_SWEEP_STAMP];
        for (size_t r = 0; r < sweep->rows_per_job && code == DUET_OK; r++) {
            size_t length = strcspn(at, "\n");
            at[length] = '\0';
            if (!duet_sweep_parse_row(sweep, at, &job, &s->rows[r], stamp)) {
                code = duet_error_set(error, DUET_E_INTERNAL,
                                      "a bug in Duet: another process sent the row '%.300s'", at);
            } else if (strcmp(stamp, s->ledger->stamp) != 0) {
                code = duet_error_set(error, DUET_E_UNSUPPORTED,
                                      "another process is of another Duet, or has other settings: "
                                      "expected the same on every machine");
            }
            at += length + 1;
        }
        if (code == DUET_OK) {
            code = duet_sweep_ledger_enter(s->ledger, job, s->rows, error);
        }
    }
    return code;
}

// Rank 0: the next chunk off the counter. Called with the mutex held.
static chunk hand_out(rank_state *s)
{
    chunk next = {s->at, s->at};
    if (s->over) {
        return next;
    }
    uint64_t left = s->end - s->at;
    uint64_t size = left / ((uint64_t)s->size * CHUNKS_PER_RANK);
    size = size > LARGEST_CHUNK ? LARGEST_CHUNK : size;
    size = size < 1 ? 1 : size;
    next.end = s->at + (size < left ? size : left);
    s->at = next.end;
    return next;
}

// Receives a message with a NUL behind it.
static char *receive(const MPI_Status *probed)
{
    int length = 0;
    MPI_Get_count(probed, MPI_BYTE, &length);
    char *text = duet_alloc((size_t)length + 1, 1, NULL);
    if (text == NULL) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_LIMIT); // the file can be resumed
    }
    MPI_Recv(text, length, MPI_BYTE, probed->MPI_SOURCE, probed->MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return text;
}

// Rank 0: answers one message.
static void answer(rank_state *s, const MPI_Status *probed)
{
    duet_error error = DUET_ERROR_INIT;
    int from = probed->MPI_SOURCE;
    char *text = receive(probed);
    pthread_mutex_lock(&s->mutex);
    if (probed->MPI_TAG == TAG_FAIL) {
        memcpy(&error, text, sizeof error);
        if (error.code == DUET_E_CANCELLED) {
            halt(s); // a signal to that rank alone: no error, as here
        } else {
            keep_error(s, &error);
        }
    } else if (s->error.code == DUET_OK && take_lines(s, text, &error) != DUET_OK) {
        keep_error(s, &error);
    }
    chunk next = {0, 0};
    if (probed->MPI_TAG == TAG_ASK) {
        next = hand_out(s);
    }
    pthread_mutex_unlock(&s->mutex);
    duet_free(text);
    if (probed->MPI_TAG == TAG_ASK) {
        MPI_Send(&next, sizeof next, MPI_BYTE, from, TAG_CHUNK, MPI_COMM_WORLD);
    } else if (probed->MPI_TAG == TAG_BYE) {
        MPI_Send(NULL, 0, MPI_BYTE, from, TAG_END, MPI_COMM_WORLD);
        s->gone[from] = true;
        s->present--;
    }
}

// Rank 0: tells the others to stop, once.
static void spread_stop(rank_state *s)
{
    pthread_mutex_lock(&s->mutex);
    if (cancelled(s) && !duet_cancel_requested(s->halt)) {
        halt(s);
    }
    bool stop = duet_cancel_requested(s->halt) && !s->stopped;
    s->stopped = s->stopped || stop;
    pthread_mutex_unlock(&s->mutex);
    for (int r = 1; r < s->size && stop; r++) {
        if (!s->gone[r]) {
            MPI_Send(NULL, 0, MPI_BYTE, r, TAG_STOP, MPI_COMM_WORLD);
        }
    }
}

static bool has_worked(rank_state *s)
{
    pthread_mutex_lock(&s->mutex);
    bool worked = s->worked;
    pthread_mutex_unlock(&s->mutex);
    return worked;
}

// Rank 0's first thread.
static void serve(rank_state *s)
{
    long pause = SHORTEST_NAP_NS;
    while (s->present > 0 || !has_worked(s)) {
        int there = 0;
        MPI_Status status;
        spread_stop(s);
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there) {
            answer(s, &status);
            pause = SHORTEST_NAP_NS;
        } else {
            nap(&pause);
        }
    }
}

// Other ranks: sends all rows there are with `tag`.
static void send_rows(rank_state *s, int tag)
{
    pthread_mutex_lock(&s->mutex);
    char *text = s->outbox;
    size_t length = s->out_used;
    s->outbox = NULL;
    s->out_used = s->out_room = 0;
    pthread_mutex_unlock(&s->mutex);
    MPI_Send(text, (int)length, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    duet_free(text);
    s->sent_ns = duet_clock_ns();
}

// Other ranks: takes one message of rank 0. False: it was the last.
static bool take_message(rank_state *s, const MPI_Status *probed)
{
    chunk next = {0, 0};
    MPI_Recv(&next, sizeof next, MPI_BYTE, 0, probed->MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&s->mutex);
    if (probed->MPI_TAG == TAG_STOP) {
        halt(s);
    } else if (probed->MPI_TAG == TAG_CHUNK) {
        s->asked = false;
        s->dry = next.begin == next.end;
        s->spare = next;
        s->size_of_last = next.end - next.begin;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->mutex);
    return probed->MPI_TAG != TAG_END;
}

// Other ranks: what to send next; 0: nothing.
static int next_word(rank_state *s, bool said_bye)
{
    int64_t now = duet_clock_ns();
    int tag = 0;
    pthread_mutex_lock(&s->mutex);
    if (cancelled(s) && !duet_cancel_requested(s->halt)) {
        duet_error_set(&s->error, DUET_E_CANCELLED, "interrupted");
        halt(s);
    }
    bool low = s->waiting > 0 || s->end - s->at < s->size_of_last / 2;
    bool lacks = low && s->spare.begin == s->spare.end && !s->asked && !s->dry && !s->over;
    if (s->error.code != DUET_OK && !s->reported) {
        s->reported = true;
        tag = TAG_FAIL;
    } else if (lacks) {
        s->asked = true;
        tag = TAG_ASK;
    } else if (s->worked && !s->asked && !said_bye) {
        tag = TAG_BYE;
    } else if (s->out_used > SEND_BYTES || (s->out_used > 0 && now - s->sent_ns > send_ns)) {
        tag = TAG_ROWS;
    }
    pthread_mutex_unlock(&s->mutex);
    return tag;
}

// The other ranks' first thread.
static void attend(rank_state *s)
{
    long pause = SHORTEST_NAP_NS;
    bool said_bye = false;
    for (;;) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there && !take_message(s, &status)) {
            return;
        }
        int tag = next_word(s, said_bye);
        said_bye = said_bye || tag == TAG_BYE;
        if (tag == TAG_FAIL) {
            MPI_Send(&s->error, sizeof s->error, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
        } else if (tag != 0) {
            send_rows(s, tag);
        }
        if (there || tag != 0) {
            pause = SHORTEST_NAP_NS;
        } else {
            nap(&pause);
        }
    }
}

// Rank 0's `length` bytes to all, without keeping a processor busy.
static void broadcast(void *bytes, size_t length)
{
    MPI_Request request;
    long pause = SHORTEST_NAP_NS;
    int there = 0;
    MPI_Ibcast(bytes, (int)length, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
    while (!there) {
        nap(&pause);
        MPI_Request_get_status(request, &there, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void run_rank(rank_state *s)
{
    pthread_t worker;
    pthread_mutex_init(&s->mutex, NULL);
    pthread_cond_init(&s->changed, NULL);
    int failed = pthread_create(&worker, NULL, work, s);
    if (failed) {
        duet_error_set(&s->error, DUET_E_LIMIT, "cannot start a thread: %s", strerror(failed));
        s->worked = s->over = true;
        duet_cancel_request(s->halt);
    }
    (s->rank == 0 ? serve : attend)(s);
    if (!failed) {
        pthread_join(worker, NULL);
    }
    pthread_mutex_destroy(&s->mutex);
    pthread_cond_destroy(&s->changed);
    duet_free(s->outbox);
}

static duet_code run_first(rank_state *s, duet_sweep_summary *summary, duet_error *error)
{
    duet_sweep_ledger ledger;
    size_t share = duet_sweep_share(s->sweep, s->plan);
    duet_code code = duet_sweep_ledger_open(&ledger, s->sweep, s->plan, summary, error);
    s->gone = duet_alloc((size_t)s->size, sizeof *s->gone, error);
    s->rows = duet_alloc(s->sweep->rows_per_job, sizeof *s->rows, error);
    s->halt = duet_cancel_create();
    if (s->halt == NULL) {
        duet_error_set(error, DUET_E_MEMORY, "out of memory");
    }
    code = error->code;
    broadcast(&code, sizeof code);
    if (code == DUET_OK) {
        s->ledger = &ledger;
        s->done = ledger.done;
        s->end = share;
        s->present = s->size - 1;
        broadcast(ledger.done, duet_sweep_bytes(share));
        run_rank(s);
        *error = s->error.code != DUET_OK ? s->error : *error;
        if (summary->finished < share && !duet_cancel_requested(s->halt)) {
            duet_error_set(error, DUET_E_INTERNAL, "a bug in Duet: %zu of %zu jobs were lost",
                           share - summary->finished, share);
        }
    }
    duet_sweep_ledger_close(&ledger, error);
    duet_free(s->gone);
    duet_free(s->rows);
    duet_cancel_free(s->halt);
    return error->code;
}

static duet_code run_other(rank_state *s, duet_sweep_summary *summary, duet_error *error)
{
    size_t bytes = duet_sweep_bytes(duet_sweep_share(s->sweep, s->plan));
    unsigned char *done = duet_alloc(bytes, 1, error);
    s->halt = duet_cancel_create();
    *summary = (duet_sweep_summary){.writer = false};
    if (done == NULL || s->halt == NULL) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_LIMIT);
    }
    duet_code code = DUET_OK;
    broadcast(&code, sizeof code);
    if (code == DUET_OK) {
        broadcast(done, bytes);
        s->done = done;
        run_rank(s);
    }
    duet_free(done);
    duet_cancel_free(s->halt);
    return DUET_OK; // rank 0 says what went wrong
}

duet_code duet_sweep_mpi_run(const duet_sweep *sweep, const duet_sweep_plan *plan,
                             duet_sweep_summary *summary, duet_error *error)
{
    rank_state s = {.sweep = sweep, .plan = plan, .sent_ns = duet_clock_ns()};
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    return (s.rank == 0 ? run_first : run_other)(&s, summary, error);
}

static void finalize(void)
{
    MPI_Finalize();
}

// What mpirun, or a batch system with PMIx, sets.
static bool is_started_by_mpi(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") != NULL || getenv("PMIX_RANK") != NULL ||
           getenv("PMI_RANK") != NULL;
}

duet_code duet_sweep_mpi_join(bool *several, duet_error *error)
{
    int started = 0;
    int provided = MPI_THREAD_SINGLE;
    int size = 1;
    *several = false;
    if (!is_started_by_mpi()) {
        return DUET_OK;
    }
    MPI_Initialized(&started);
    if (!started) {
        MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
        atexit(finalize); // a command may run several sweeps
    }
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_FUNNELED) {
        return duet_error_set(error, DUET_E_UNSUPPORTED, "this MPI does not work with threads");
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *several = size > 1;
    return DUET_OK;
}
