// SPDX-License-Identifier: Apache-2.0
// Every reader of instances with each of its allocations failing in turn.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/faults/stage.h"

// What a file holds, and how it is read.
typedef struct file {
    const char *name;
    const char *text;
    const char *option;  // of the reader; NULL: none
    const char *columns; // NULL: by the names
    const char *start;   // NULL: the earliest date
} file;

// "id,cpu,gpu,after", "a,3,2," and "b,,1,a", packed.
static const unsigned char gzip_bytes[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x4c, 0xd1,
    0x49, 0x2e, 0x28, 0xd5, 0x49, 0x07, 0xe2, 0xc4, 0xb4, 0x92, 0xd4, 0x22, 0xae,
    0x44, 0x1d, 0x63, 0x1d, 0x23, 0x1d, 0xae, 0x24, 0x1d, 0x1d, 0x43, 0x9d, 0x44,
    0x2e, 0x00, 0xea, 0x5f, 0x12, 0x87, 0x1f, 0x00, 0x00, 0x00,
};
static const unsigned char xz_bytes[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36, 0x02, 0x00,
    0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x1e, 0x69,
    0x64, 0x2c, 0x63, 0x70, 0x75, 0x2c, 0x67, 0x70, 0x75, 0x2c, 0x61, 0x66, 0x74, 0x65,
    0x72, 0x0a, 0x61, 0x2c, 0x33, 0x2c, 0x32, 0x2c, 0x0a, 0x62, 0x2c, 0x2c, 0x31, 0x2c,
    0x61, 0x0a, 0x00, 0x00, 0xea, 0x5f, 0x12, 0x87, 0x00, 0x01, 0x33, 0x1f, 0xee, 0xdd,
    0xe5, 0x59, 0x90, 0x42, 0x99, 0x0d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a,
};
static const unsigned char zstd_bytes[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0xf9, 0x00, 0x00, 0x69, 0x64, 0x2c, 0x63, 0x70, 0x75,
    0x2c, 0x67, 0x70, 0x75, 0x2c, 0x61, 0x66, 0x74, 0x65, 0x72, 0x0a, 0x61, 0x2c, 0x33, 0x2c,
    0x32, 0x2c, 0x0a, 0x62, 0x2c, 0x2c, 0x31, 0x2c, 0x61, 0x0a, 0xb6, 0x67, 0xee, 0x49,
};

static const char starpu[] =
    "%rec: memory_workers\n\nMemoryNode: 0\nName: NUMA 0\nWorkers: 1 2\n\n"
    "MemoryNode: 1\nName: CUDA 0\nWorkers: 0\n\n%rec: memory_performance\n\n"
    "MemoryNodeSrc: 0\nMemoryNodeDst: 1\nBandwidth: 10500\nLatency: 10\n\n"
    "MemoryNodeSrc: 1\nMemoryNodeDst: 0\nBandwidth: 10400\nLatency: 11\n\n%rec: timing\n\n"
    "Name: g\nArchitecture: cpu0_impl0 (Comb0)\nFootprint: 24c84a50\nMean: 90\nSamples: 3\n\n"
    "Name: g\nArchitecture: cuda0_impl0 (Comb1)\nFootprint: 24c84a50\nMean: 9.5\nSamples: 3\n\n"
    "Architecture: cuda0\nNbWorkers: 1\n\nArchitecture: cpu0\nNbWorkers: 2\n\n"
    "Name: g\nModel: g\nJobId: 1\nSubmitOrder: 1\nFootprint: 24c84a50\nPriority: 3\n"
    "Handles: 0x1 0x2\nModes: R RW\nSizes: 8000 16000\nMPIRank: -1\n\n"
    "Name: g\nModel: g\nJobId: 2\nSubmitOrder: 2\nDependsOn: 1\nFootprint: 24c84a50\n"
    "Handles: 0x2\nModes: RW\nSizes: 16000\nMPIRank: -1\n";

static const char dax[] =
    "<?xml version=\"1.0\"?>\n<adag name=\"x\"><job id=\"a\" name=\"n\" runtime=\"3.5\" "
    "cores=\"2\">"
    "<uses file=\"f\" link=\"output\" size=\"100\"/></job><job id=\"b\" name=\"n\">"
    "<profile namespace=\"pegasus\" key=\"runtime\">4</profile>"
    "<uses file=\"f\" link=\"input\" size=\"100\"/></job>"
    "<child ref=\"b\"><parent ref=\"a\"/></child></adag>\n";

static const char tgff[] =
    "@HYPERPERIOD 300\n@TASK_GRAPH 0 {\n\tPERIOD 300\n\tTASK t0_0\tTYPE 0\n\tTASK t0_1\tTYPE 1\n"
    "\tARC a0_0 \tFROM t0_0  TO  t0_1 TYPE 0\n\tHARD_DEADLINE d0_0 ON t0_1 AT 300\n}\n"
    "@COMMUN 0 {\n# type  quantity\n  0     1000\n}\n"
    "@PE 0 {\n# price\n  3\n#------\n# type exec_time\n  0    14\n  1    13\n}\n";

static const char airflow[] =
    "{\"dag_id\": \"d\", \"tasks\": [{\"task_id\": \"a\", \"downstream_task_ids\": [\"b\"]}, "
    "{\"task_id\": \"b\", \"downstream_task_ids\": [], \"pool_slots\": 1, \"owner\": \"x\"}]}";

static const char workflow[] =
    "{\"name\": \"w\", \"schemaVersion\": \"1.5\", \"workflow\": {\"specification\": {\"tasks\": ["
    "{\"name\": \"a\", \"id\": \"a\", \"children\": [\"b\"], \"outputFiles\": [\"f\"]}, {\"name\": "
    "\"b\", \"id\": \"b\", \"parents\": [\"a\"], \"inputFiles\": [\"f\"]}], \"files\": [{\"id\": "
    "\"f\", \"sizeInBytes\": 9}]}, \"execution\": {\"tasks\": [{\"id\": \"a\", "
    "\"runtimeInSeconds\": 3, \"coreCount\": 2}, {\"id\": \"b\", \"runtimeInSeconds\": 4.5}]}}}";

static const file files[] = {
    {"x.rec", starpu, NULL, NULL, NULL},
    {"x.dax", dax, "per-unit=0.5", NULL, NULL},
    {"x.tgff", tgff, "per-unit=2", NULL, NULL},
    {"x.dag", "# a\nJOB A a.sub\nJOB B b.sub DIR x\nPARENT A CHILD B\nRETRY B 3\n", "time=2", NULL,
     NULL},
    {"airflow.json", airflow, "time=1", NULL, NULL},
    {"wf.json", workflow, "latency=0.1", NULL, NULL},
    {"jobshop.txt", "2 2\n0 5 1 4\n1 3 0 6\n", NULL, NULL, NULL},
    {"flexible.txt", "2 2\n2 1 1 5 2 1 3 2 4\n1 2 1 6 2 2\n", NULL, NULL, NULL},
    {"pcmax.txt", "2\n3\n5\n4\n3\n", NULL, NULL, NULL},
    {"dates.csv",
     "Nr;task;cpu;due;ready;priority;depends_on;needs\n1;a;3,5;2026-12-01;;4;;\n"
     "2;b;4,25;01.12.2026 14:00;2026-12-01 08:20:00.5;x;a;a\n",
     NULL, NULL, NULL},
    {"dates.json",
     "[{\"name\": \"a\", \"index\": 0, \"cpu\": 3, \"due\": \"3/4/2026\"}, {\"task\": \"b\", "
     "\"cpu\": \"4.5\", \"ready\": \"2026-04-05T08:00Z\", \"after\": [\"a\"], \"prev\": \"a\"}]",
     "dates=dmy", NULL, "2026-04-01T00:00+01:00"},
    {"dates.dot",
     "digraph { a [cpu=3, release=\"1 Nov 2026\", due=\"1 Dec 2026\"]; b [cpu=2]; a, b -> c "
     "[cost=2]; c [cpu=1] }",
     NULL, NULL, NULL},
    {"wrapped.json",
     "{\"version\": 2, \"data\": {\"tasks\": [{\"id\": \"a\", \"t\": 3, \"x\": 1}, {\"id\": \"b\", "
     "\"t\": 2, \"x\": [1]}], \"links\": [{\"source\": \"a\", \"target\": \"b\", \"w\": 2}]}}",
     NULL, "cpu=t,cost=w", NULL},
    {"split.json",
     "{\"columns\": [\"cpu\", \"gpu\", \"after\"], \"index\": [\"a\", \"b\"], \"data\": [[1, 2, "
     "null], "
     "[3, null, [\"a\"]]]}",
     NULL, NULL, NULL},
    {"lines.jsonl", "{\"id\": \"a\", \"cpu\": 1}\n{\"id\": \"b\", \"cpu\": 2, \"cores\": 2}\n",
     NULL, NULL, NULL},
};

static const file *current;

static duet_code read_file(const stage *on, duet_error *error)
{
    duet_read_params params = DUET_READ_PARAMS_INIT;
    duet_options *options = NULL;
    duet_instance *instance = NULL;
    duet_code code = duet_options_create(&options, error);
    if (code == DUET_OK && current->option != NULL) {
        code = duet_options_add(options, current->option, error);
    }
    params.options = options;
    params.columns = current->columns;
    params.start = current->start;
    if (code == DUET_OK) {
        code = duet_read_instance(on->path, &params, &instance, error);
    }
    duet_instance_free(instance);
    duet_options_free(options);
    return code;
}

// Reads it as it is, which has to go well, and then without some of the memory.
static void read_in_turn(stage *on, const char *name)
{
    duet_error error = DUET_ERROR_INIT;
    on->name = name;
    if (read_file(on, &error) != DUET_OK) {
        fail_msg("%s: %s", name, error.message);
    }
    stage_each_in_turn("read", read_file, on);
    unlink(on->path);
}

static void put_bytes(stage *on, const char *name, const unsigned char *bytes, size_t count)
{
    stage_path(on, name);
    FILE *stream = fopen(on->path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

void stage_readers(void **state)
{
    static const file plain = {"packed", "", NULL, NULL, NULL};
    stage on = stage_open();
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        current = &files[i];
        stage_put_file(&on, current->name, current->text);
        read_in_turn(&on, current->name);
    }
    current = &plain;
    const struct {
        const char *name;
        const unsigned char *bytes;
        size_t count;
    } packed[] = {{"x.csv.gz", gzip_bytes, sizeof gzip_bytes},
                  {"x.csv.xz", xz_bytes, sizeof xz_bytes},
                  {"x.csv.zst", zstd_bytes, sizeof zstd_bytes}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        duet_error error = DUET_ERROR_INIT;
        put_bytes(&on, packed[i].name, packed[i].bytes, packed[i].count);
        if (read_file(&on, &error) == DUET_OK) { // or there is no library that unpacks it
            read_in_turn(&on, packed[i].name);
        } else {
            assert_int_equal(error.code, DUET_E_INPUT);
            unlink(on.path);
        }
    }
    stage_close(&on);
}
