// SPDX-License-Identifier: Apache-2.0
// What StarPU needs of an instance beyond the problem, in JSON, so that a schedule of one that was
// written and changed can go back:
// "starpu": {"submit_order": {"gemm": [3, 7]}, "workers": [[4, 5], [0]], "dependent": true}
#include "instances/formats/json/parts.h"

#include <inttypes.h>

#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "instances/formats/json/members.h"

// --- reading -------------------------------------------------------------------------------------

// The elements of the array that comes next, whole numbers.
static void read_numbers(duet_json *json, duet_builder *builder,
                         duet_code add(duet_builder *, int64_t, duet_error *))
{
    static const char what[] = "a whole number from 0 to 2^62";
    while (duet_json_element(json)) {
        duet_decimal number = {.mantissa = 0};
        if (json->token != DUET_JSON_NUMBER ||
            duet_decimal_parse(json->text, json->length, &number) != DUET_DECIMAL_OK ||
            number.places != 0) {
            duet_json_expected(json, what);
        } else {
            duet_json_note(json, add(builder, number.mantissa, json->error));
        }
    }
}

static void read_orders(duet_json *json, duet_builder *builder)
{
    static const char *const none[] = {NULL};
    if (!duet_json_want(json, DUET_JSON_OBJECT, "an object with an array for each kind of task")) {
        return;
    }
    duet_json_object object = duet_json_open(json, none);
    while (duet_json_member(json, &object)) {
        duet_json_note(json, duet_builder_begin_orders(builder, json->text, json->error));
        if (duet_json_want(json, DUET_JSON_ARRAY, "an array, a number for each task")) {
            read_numbers(json, builder, duet_builder_add_order);
        }
    }
}

static void read_workers(duet_json *json, duet_builder *builder)
{
    (void)duet_json_want(json, DUET_JSON_ARRAY, "an array with one for each processor type");
    while (duet_json_element_of(json, DUET_JSON_ARRAY,
                                "an array with the numbers of a type's workers")) {
        duet_builder_begin_workers(builder);
        read_numbers(json, builder, duet_builder_add_worker);
    }
}

void duet_read_origin_json(duet_json *json, duet_builder *builder)
{
    enum { SUBMIT_ORDER, WORKERS, DEPENDENT };
    static const char *const names[] = {"submit_order", "workers", "dependent", NULL};
    if (!duet_json_want(json, DUET_JSON_OBJECT, "an object, what StarPU says of the tasks")) {
        return;
    }
    duet_json_object object = duet_json_open(json, names);
    bool dependent = false;
    while (duet_json_member(json, &object)) {
        if (object.which == SUBMIT_ORDER) {
            read_orders(json, builder);
        } else if (object.which == WORKERS) {
            read_workers(json, builder);
        } else if (object.which == DEPENDENT) {
            duet_json_boolean(json, "true or false: whether tasks wait for others", &dependent);
        } else {
            duet_json_pass(json, DUET_FIELD_PART, NULL);
        }
    }
    if (dependent) {
        duet_builder_set_dependent(builder);
    }
}

// --- writing -------------------------------------------------------------------------------------

static void write_orders(FILE *stream, const duet_instance *instance)
{
    const int64_t *order = instance->origin->submit_order;
    const char *comma = "";
    fputs("\"submit_order\": {", stream);
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        bool any = false;
        for (int64_t i = instance->first[kind]; i < instance->first[kind + 1]; i++) {
            any = any || order[i] > 0;
        }
        if (!any) {
            continue;
        }
        fprintf(stream, "%s", comma);
        duet_output_json_string(stream, duet_instance_kind_id(instance, kind));
        for (int64_t i = instance->first[kind]; i < instance->first[kind + 1]; i++) {
            fprintf(stream, "%s%" PRId64, i == instance->first[kind] ? ": [" : ", ", order[i]);
        }
        fputs("]", stream);
        comma = ",\n                             ";
    }
    fputs("}", stream);
}

// As the origin has them, where the platform is still that of the origin.
static void write_workers(FILE *stream, const duet_instance *instance)
{
    const duet_origin *origin = instance->origin;
    bool known = origin->worker != NULL && instance->has_platform;
    for (size_t t = 0; t < instance->types && known; t++) {
        known = origin->worker_first[t + 1] - origin->worker_first[t] ==
                (size_t)instance->processors[t];
    }
    for (size_t t = 0; t < instance->types && known; t++) {
        fputs(t == 0 ? ",\n            \"workers\": [[" : ", [", stream);
        for (size_t i = origin->worker_first[t]; i < origin->worker_first[t + 1]; i++) {
            fprintf(stream, "%s%" PRId64, i == origin->worker_first[t] ? "" : ", ",
                    origin->worker[i]);
        }
        fputs("]", stream);
    }
    fputs(known ? "]" : "", stream);
}

void duet_write_origin_json(FILE *stream, const duet_instance *instance)
{
    if (instance->origin == NULL || instance->origin->submit_order == NULL) {
        return;
    }
    fputs(",\n \"starpu\": {", stream);
    write_orders(stream, instance);
    write_workers(stream, instance);
    fputs(instance->origin->dependent ? ",\n            \"dependent\": true}" : "}", stream);
}
