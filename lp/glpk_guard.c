// SPDX-License-Identifier: Apache-2.0
// The one boundary around GLPK: its errors and our wish to stop leave it by longjmp.
//
// Reference: GLPK reference manual, sections 6.1 (environment) and 6.2 (terminal output and error
// handling); the idea of the hook is igraph's.
#include "lp/glpk_guard.h"

#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <glpk.h>

#include "core/system/allocator.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum escape { ESCAPE_NONE = 0, ESCAPE_ERROR, ESCAPE_STOP };

typedef struct guard {
    jmp_buf target;
    duet_glpk_work *work;
    void *data;
    const duet_context *context;
    duet_source source; // of the thread that called
    enum escape escape;
    bool no_memory;    // the environment itself could not be made
    char message[256]; // the last line GLPK wanted to print
} guard;

// GLPK's terminal output. Never reaches a terminal; the last line is kept, since a fatal error
// prints its reason, then its place in GLPK's source, and then calls the error hook.
static int on_output(void *info, const char *text)
{
    guard *g = info;
    if (g->context != NULL && duet_context_stop(g->context)) {
        longjmp(g->target, ESCAPE_STOP);
    }
    if (strncmp(text, "Error detected", 14) != 0) {
        snprintf(g->message, sizeof g->message, "%s", text);
        g->message[strcspn(g->message, "\n")] = '\0';
    }
    return 1;
}

static void on_error(void *info)
{
    guard *g = info;
    longjmp(g->target, ESCAPE_ERROR);
}

// GLPK counts its memory itself. What the call has left when it begins is the limit.
static void limit_memory(void)
{
    size_t left = duet_memory_left() >> 20;
    if (left < INT_MAX) {
        glp_mem_limit(left > 0 ? (int)left : 1);
    }
}

// Runs the work in this thread's fresh environment and destroys that.
static void run_here(guard *g)
{
    limit_memory();
    glp_term_hook(on_output, g);
    glp_error_hook(on_error, g);
    switch (setjmp(g->target)) {
    case 0:
        g->work(g->data);
        break;
    case ESCAPE_STOP:
        g->escape = ESCAPE_STOP;
        break;
    default:
        g->escape = ESCAPE_ERROR;
        break;
    }
    glp_free_env();
}

static void *run_in_helper(void *info)
{
    guard *g = info;
    duet_source_enter(g->source);
    if (glp_init_env() == 0) {
        run_here(g);
    } else {
        g->no_memory = true;
    }
    return NULL;
}

static duet_code run_elsewhere(guard *g, duet_error *error)
{
    pthread_t helper;
    if (pthread_create(&helper, NULL, run_in_helper, g) != 0) {
        return duet_error_set(error, DUET_E_MEMORY,
                              "out of resources: no thread could be started for GLPK");
    }
    pthread_join(helper, NULL);
    return DUET_OK;
}

static duet_code report(const guard *g, bool *stopped, duet_error *error)
{
    *stopped = g->escape == ESCAPE_STOP;
    if (g->no_memory || (g->escape == ESCAPE_ERROR && strstr(g->message, "memory") != NULL)) {
        return duet_error_set(error, DUET_E_MEMORY, "out of memory in GLPK%s%s%s",
                              g->message[0] != '\0' ? ": " : "", g->message,
                              strstr(g->message, "limit") != NULL ? DUET_MEMORY_RAISE : "");
    }
    if (g->escape == ESCAPE_ERROR) {
        return duet_error_set(error, DUET_E_INTERNAL, "GLPK failed: %s", g->message);
    }
    return DUET_OK;
}

duet_code duet_glpk_run(duet_glpk_work *work, void *data, const duet_context *context,
                        bool *stopped, duet_error *error)
{
    *stopped = false;
    if (glp_config("TLS") == NULL) {
        return duet_error_set(error, DUET_E_UNSUPPORTED,
                              "this GLPK was built without thread-local storage; expected one with "
                              "it, such as Debian's libglpk40");
    }
    guard g = {.work = work, .data = data, .context = context, .source = duet_source_current()};
    int state = glp_init_env();
    if (state == 0) {
        run_here(&g);
    } else if (state == 1) {
        DUET_TRY(run_elsewhere(&g, error));
    } else {
        g.no_memory = true;
    }
    return report(&g, stopped, error);
}
