// SPDX-License-Identifier: Apache-2.0
// The sets of processors of a schedule of moldable tasks, read from JSON. Whether they make a
// schedule is for the checker to say.
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/solution/reader.h"

duet_code duet_solution_add_range(duet_solution_reader *reader, duet_schedule_entry *entry,
                                  duet_processor_range range, duet_error *error)
{
    DUET_TRY(duet_vec_grow(reader->range, reader->ranges, error));
    entry->range_at = entry->ranges == 0 ? reader->ranges : entry->range_at;
    // Types in their order, whatever that of the file; ranges of one type stay as they are.
    size_t at = reader->ranges++;
    for (; at > entry->range_at && reader->range[at - 1].type > range.type; at--) {
        reader->range[at] = reader->range[at - 1];
    }
    reader->range[at] = range;
    entry->ranges++;
    return DUET_OK;
}

// Any whole number is kept, cut to 32 bits; the checker knows which processors there are.
static int32_t cut(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

// [first, last]
static void read_range(duet_solution_reader *reader, duet_schedule_entry *entry, int32_t type)
{
    static const char what[] = "a range of processors, [first, last]";
    duet_json *json = &reader->json;
    int64_t first = 0;
    int64_t last = 0;
    if (json->token != DUET_JSON_ARRAY) {
        duet_json_expected(json, what);
    }
    (void)duet_json_whole(json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &first);
    (void)duet_json_whole(json, what, -DUET_MAX_WORK, DUET_MAX_WORK, &last);
    if (duet_json_next(json) == DUET_OK && json->token != DUET_JSON_ARRAY_END) {
        duet_json_expected(json, "the end of a range of processors, [first, last]");
    }
    if (json->code == DUET_OK) {
        const duet_processor_range range = {type, cut(first), cut(last)};
        duet_json_note(json, duet_solution_add_range(reader, entry, range, json->error));
    }
}

// The next token as the ranges of a type.
static void read_ranges(duet_solution_reader *reader, duet_schedule_entry *entry, int32_t type)
{
    duet_json *json = &reader->json;
    size_t before = entry->ranges;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "processors, an array of ranges [first, last]");
    while (duet_json_element(json)) {
        read_range(reader, entry, type);
    }
    if (json->code == DUET_OK && entry->ranges == before) {
        duet_json_fail(json, "no processors; expected at least one range [first, last]");
    }
}

void duet_solution_read_processors(duet_solution_reader *reader, duet_schedule_entry *entry)
{
    read_ranges(reader, entry, 0); // the entry's type may come later
}

// {"type": ..., "processors": ...}, in this order or the other.
static void read_part(duet_solution_reader *reader, duet_schedule_entry *entry)
{
    enum { TYPE, PROCESSORS };
    static const char *const names[] = {"type", "processors", NULL};
    duet_json *json = &reader->json;
    duet_json_object object = duet_json_open(json, names);
    duet_schedule_entry part = {.type = 0};
    size_t kept = reader->ranges;
    while (duet_json_member(json, &object)) {
        if (object.which == TYPE) {
            duet_solution_read_type(reader, &part.type);
        } else if (object.which == PROCESSORS) {
            read_ranges(reader, &part, 0);
        } else {
            duet_json_skip(json);
        }
    }
    duet_json_require(json, &object, 1U << TYPE | 1U << PROCESSORS, "the part");
    entry->type = part.type < 0 ? part.type : entry->type; // an unknown type was noted
    // Those of the part are the last ones: they are put in again, with their type.
    for (size_t i = kept; i < kept + part.ranges && json->code == DUET_OK; i++) {
        duet_processor_range range = reader->range[i];
        range.type = part.type;
        reader->ranges = i;
        duet_json_note(json, duet_solution_add_range(reader, entry, range, json->error));
    }
}

void duet_solution_read_parts(duet_solution_reader *reader, duet_schedule_entry *entry)
{
    duet_json *json = &reader->json;
    (void)duet_json_want(json, DUET_JSON_ARRAY, "parts, an array of sets of processors by type");
    while (duet_json_element_of(json, DUET_JSON_OBJECT,
                                "a part, {\"type\": ..., \"processors\": [[0, 3]]}")) {
        read_part(reader, entry);
    }
    if (json->code == DUET_OK && entry->ranges == 0) {
        duet_json_fail(json, "no parts; expected at least one");
    }
    if (json->code == DUET_OK && entry->type >= 0) {
        entry->type = reader->range[entry->range_at].type;
    }
}
