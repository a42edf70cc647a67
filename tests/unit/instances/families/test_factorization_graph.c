// SPDX-License-Identifier: Apache-2.0
// The task graphs of chol, lu and qr against programs that note who wrote each tile last.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <duet/duet.h>

#include "core/instance/instance.h"
#include "tests/support/fixtures.h"

enum { MOST_TILES = 7, MOST_EDGES = 2000, DATA = 2 };

// A program that runs kernels in order.
typedef struct program {
    const duet_instance *instance;
    int64_t next[4];                              // copy of each kernel
    int64_t writer[DATA][MOST_TILES][MOST_TILES]; // last one of a tile's data; -1: none
    int64_t from[MOST_EDGES], to[MOST_EDGES];
    int64_t edges;
    int64_t task; // that runs now
} program;

static void begin(program *p, const char *kernel)
{
    size_t kind = 0;
    while (strcmp(duet_instance_kind_id(p->instance, kind), kernel) != 0) {
        kind++;
    }
    p->task = p->instance->first[kind] + p->next[kind]++;
}

static void wait_for(program *p, int64_t writer)
{
    bool there = writer < 0;
    for (int64_t e = 0; e < p->edges; e++) {
        there = there || (p->from[e] == writer && p->to[e] == p->task);
    }
    if (!there) {
        assert_true(p->edges < MOST_EDGES);
        p->from[p->edges] = writer;
        p->to[p->edges++] = p->task;
    }
}

static void reads(program *p, int data, int64_t i, int64_t j)
{
    wait_for(p, p->writer[data][i][j]);
}

static void writes(program *p, int data, int64_t i, int64_t j)
{
    wait_for(p, p->writer[data][i][j]);
    p->writer[data][i][j] = p->task;
}

static void run_cholesky(program *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        begin(p, "potrf");
        writes(p, 0, k, k);
        for (int64_t i = k + 1; i < n; i++) {
            begin(p, "trsm");
            reads(p, 0, k, k);
            writes(p, 0, i, k);
        }
        for (int64_t i = k + 1; i < n; i++) {
            begin(p, "syrk");
            reads(p, 0, i, k);
            writes(p, 0, i, i);
            for (int64_t j = k + 1; j < i; j++) {
                begin(p, "gemm");
                reads(p, 0, i, k);
                reads(p, 0, j, k);
                writes(p, 0, i, j);
            }
        }
    }
}

static void run_lu(program *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        begin(p, "getrf");
        writes(p, 0, k, k);
        for (int64_t j = k + 1; j < n; j++) {
            begin(p, "trsm-ll");
            reads(p, 0, k, k);
            writes(p, 0, k, j);
            begin(p, "trsm-ru");
            reads(p, 0, k, k);
            writes(p, 0, j, k);
        }
        for (int64_t i = k + 1; i < n; i++) {
            for (int64_t j = k + 1; j < n; j++) {
                begin(p, "gemm");
                reads(p, 0, i, k);
                reads(p, 0, k, j);
                writes(p, 0, i, j);
            }
        }
    }
}

// Data 0 of a diagonal tile is R, data 1 is V.
static void run_qr(program *p, int64_t n)
{
    for (int64_t k = 0; k < n; k++) {
        begin(p, "geqrt");
        writes(p, 0, k, k);
        writes(p, 1, k, k);
        for (int64_t j = k + 1; j < n; j++) {
            begin(p, "unmqr");
            reads(p, 1, k, k);
            writes(p, 0, k, j);
        }
        for (int64_t i = k + 1; i < n; i++) {
            begin(p, "tsqrt");
            writes(p, 0, k, k);
            writes(p, 0, i, k);
            for (int64_t j = k + 1; j < n; j++) {
                begin(p, "tsmqr");
                reads(p, 0, i, k);
                writes(p, 0, k, j);
                writes(p, 0, i, j);
            }
        }
    }
}

static void check_family(const char *family, void run(program *, int64_t))
{
    duet_options *options = NULL;
    assert_int_equal(duet_options_create(&options, NULL), DUET_OK);
    assert_int_equal(duet_options_add(options, "edges=true", NULL), DUET_OK);
    for (int64_t n = 1; n <= MOST_TILES; n++) {
        duet_instance *instance = NULL;
        assert_int_equal(duet_test_generate(family, n, 2, 1, 1, options, &instance, NULL), DUET_OK);
        static program p;
        p = (program){.instance = instance};
        memset(p.writer, -1, sizeof p.writer);
        run(&p, n);
        assert_int_equal(duet_instance_edges(instance), p.edges);
        for (int64_t e = 0; e < p.edges; e++) {
            bool found = false;
            for (int64_t i = 0; i < p.edges && !found; i++) {
                duet_edge edge = duet_instance_edge(instance, i);
                found = edge.from == p.from[e] && edge.to == p.to[e];
            }
            if (!found) {
                fail_msg("%s of %d tiles: no edge from task %d to %d", family, (int)n,
                         (int)p.from[e], (int)p.to[e]);
            }
        }
        duet_instance_free(instance);
    }
    duet_options_free(options);
}

static void test_chol(void **state)
{
    (void)state;
    check_family("chol", run_cholesky);
}

static void test_lu(void **state)
{
    (void)state;
    check_family("lu", run_lu);
}

static void test_qr(void **state)
{
    (void)state;
    check_family("qr", run_qr);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chol),
        cmocka_unit_test(test_lu),
        cmocka_unit_test(test_qr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
