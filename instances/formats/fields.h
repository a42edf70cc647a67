// SPDX-License-Identifier: Apache-2.0
// What fields of an input mean, whatever the format calls them (columns, members, attributes), and
// the ledger of those that a reader met and did not use. Every field is used, stands in the ledger
// or is refused; the ledger becomes notices of the instance, or with `strict` an error.
//
// What a format itself says is about drawing or about where a file comes from is passed over by its
// reader without a word.
#ifndef DUET_INSTANCES_FORMATS_FIELDS_H
#define DUET_INSTANCES_FORMATS_FIELDS_H

#include "core/instance/instance.h"
#include "core/instance/moment.h"
#include "core/names.h"
#include "instances/formats/csv/picks.h"

// What people call a thing, in tables and tools of many fields.
typedef enum duet_meaning {
    DUET_MEANS_NOTHING, // no word of the field: of a table it may be a processor type
    DUET_MEANS_ID,
    DUET_MEANS_AFTER,   // the tasks that come before
    DUET_MEANS_BEFORE,  // the tasks that wait
    DUET_MEANS_RELEASE, // refused unless it is 0 where a format has no place for it
    DUET_MEANS_COUNT, // of how many tasks this is said; where no reader takes it, refused unless 1
    DUET_MEANS_CORES, // how many processors at once; where no reader takes it, refused unless 1
    DUET_MEANS_DEADLINE,
    DUET_MEANS_PRIORITY,
    DUET_MEANS_WEIGHT,
    DUET_MEANS_SETUP,
    DUET_MEANS_REMARK,
    DUET_MEANS_MEMORY,
    DUET_MEANS_GROUP,
    DUET_MEANS_RUN,   // how a task was run once
    DUET_MEANS_LIMIT, // how long a task may run, or how late it may start
    DUET_MEANS_TIMED  // a release or a deadline in a unit that its name says
} duet_meaning;

// Case, blanks and signs do not count, nor do parts of a name that change nothing, such as "task"
// in "task priority" and "ids" in "predecessor_ids".
duet_meaning duet_field_meaning(const char *name);
// Whether a field of this meaning says what a schedule must keep: an order, a release, a deadline,
// a number of tasks. Where --columns picks others, it is not passed over without a note.
bool duet_meaning_binds(duet_meaning meaning);
// Whether a reader that has no place for fields of this meaning guards their values (below).
bool duet_meaning_guarded(duet_meaning meaning);
// Whether the name says how long a task takes, but on no processor: "duration", "runtime (s)".
bool duet_field_is_length(const char *name);

// Whether the name says how much data there are: "bytes", "size_mb", "dataVolume".
bool duet_field_is_amount(const char *name);

// Whether the name is one of processors, so that it may be a type: "cores", "vCPUs".
bool duet_field_is_processors(const char *name);
// Whether the name is one by which processors are known: "gpu_big", "xeon", "a100", a time in a
// unit. Other names become types, too, with a notice.
bool duet_field_is_type_name(const char *name);
// The unit of time in which a name of several parts ends, as in "cpu_ms"; NULL: none.
const char *duet_field_unit(const char *name);

// What has the field.
typedef enum duet_field_owner {
    DUET_FIELD_COLUMN,
    DUET_FIELD_INSTANCE,
    DUET_FIELD_TASK,
    DUET_FIELD_TYPE,
    DUET_FIELD_EDGE,
    DUET_FIELD_GRAPH_ATTRIBUTE,
    DUET_FIELD_NODE_ATTRIBUTE,
    DUET_FIELD_EDGE_ATTRIBUTE,
    DUET_FIELD_RECORD,
    DUET_FIELD_PART // a member of a member, such as a law or a network
} duet_field_owner;

typedef struct duet_unused_field {
    duet_field_owner owner;
    const char *why; // static
    size_t values;
} duet_unused_field;

enum { DUET_FIELD_KEPT = 64 }; // bytes of a name that is kept; longer ones are no words

// What names of types that the header, or the first task, has. "": there is none.
typedef struct duet_type_names {
    char length[DUET_FIELD_KEPT];     // the first that says how long a task takes
    char in_unit[DUET_FIELD_KEPT];    // the first that ends in a unit of time
    char named[DUET_FIELD_KEPT];      // such a one that the caller calls a type
    char plural[DUET_FIELD_KEPT];     // "gpus" or "cpus"
    char gpu[DUET_FIELD_KEPT];        // the first of GPUs
    char processors[DUET_FIELD_KEPT]; // no type: on how many processors a task runs at once
    char unknown[DUET_FIELD_KEPT];    // the first that is a type for want of another meaning
    size_t unknowns;                  // how many of these
    int unknown_line, unknown_column; // where it stands
    size_t taken;                     // types that are known by their names alone
    int line, column;                 // where the number of processors stands
    bool others;                      // some type is neither of GPUs nor named by chance
    bool ended;                       // all types are known
} duet_type_names;

// What the numbers of a release or a deadline may be.
typedef struct duet_serial_days {
    size_t found; // numbers of days, by their size
    bool others;
    char name[DUET_FIELD_KEPT]; // of the first such field
} duet_serial_days;

// Zeroed it is empty and ready.
typedef struct duet_field_uses {
    // What the caller says.
    const duet_csv_picks *picks; // fields that count; NULL: the format decides
    const char *types;           // "cpus=4,gpus=2": names that are processor types; NULL: none
    const char *ignored;         // "release,cores,a*": what is passed over; NULL: nothing
    bool strict;
    const duet_read_time *time; // what tasks take that have no time; NULL: nothing is said
    bool transfer;              // how long data take is said beside the file
    duet_date_order dates;      // what comes first in 3/4/2026, as the caller says
    // What the reader has met of the task that it reads.
    duet_date_order met; // what comes first in dates so far
    size_t untimed;      // tasks that take `time`
    bool takes_cores;    // it asks for them
    int64_t cores;       // on how many processors at once the task runs; 0: nothing was said
    duet_type_names names_of_types;
    duet_serial_days serials[2]; // of releases, and of deadlines
    duet_names orders; // fields that say what comes before or behind; an owner is the salt
    // The ledger.
    bool picked[DUET_CSV_MOST_PICKS]; // picks that there is a field for
    uint64_t passed;                  // bit i: item i of `ignored` has passed over a field
    duet_names names;                 // an owner's number is the salt
    duet_unused_field *unused;
} duet_field_uses;

// A field as a file has it.
typedef struct duet_field {
    duet_field_owner owner;
    const char *name;
    int line, column; // 0: unknown
} duet_field;

void duet_field_uses_free(duet_field_uses *fields);

// Whether the caller calls a processor type so.
bool duet_field_is_type(const duet_field_uses *fields, const char *name);
// The next of the names that the caller calls processor types, by --columns or --platform, from
// *which = 0 on; false: there is none.
enum { DUET_FIELD_TYPE_NAME = 256 };
bool duet_field_next_type(const duet_field_uses *fields, size_t *which,
                          char name[DUET_FIELD_TYPE_NAME]);
// Whether the caller passes over what is called so. Notes that there is such a field.
bool duet_field_is_ignored(duet_field_uses *fields, const char *name);
// A notice for each name that the caller passes over and no field has.
duet_code duet_field_note_ignored(const duet_field_uses *fields, duet_builder *builder,
                                  duet_error *error);
// What says on a command line that a field is passed over: -O ignore=NAME, in quotes where a shell
// or the list needs them. Of a long name it is the beginning, with "*" behind it.
enum { DUET_FIELD_ADVICE = 320 };
void duet_field_ignore_advice(const char *name, char advice[DUET_FIELD_ADVICE]);
// Takes a field whose name becomes a processor type because nothing else is known of it. Of two
// that say how long a task takes, such as "elapsed" and "runtime", one is no type, and two that
// name different units have no time in common: DUET_E_INPUT unless the caller has named them. A
// name that is not known of processors is noted, which is DUET_E_INPUT where the caller is strict.
duet_code duet_field_take_type(duet_field_uses *fields, const duet_field *field, const char *file,
                               duet_error *error);
// Behind the last type. A number of processors at once beside GPUs alone is DUET_E_INPUT: "cores"
// and "gpus" may be two types.
duet_code duet_field_end_types(duet_field_uses *fields, const char *file, duet_error *error);
// Takes a field that is a number of processors, before or behind the types.
duet_code duet_field_take_processors(duet_field_uses *fields, const duet_field *field,
                                     const char *file, duet_error *error);
// Whether a pick is of the times on a type, and not of something else by its name.
bool duet_field_picks_type(const duet_csv_pick *pick);
// The unit of time that the name of a type ends in, or that of a column that is picked for one:
// what the times are in where nothing else says it and a unit is needed. NULL: none.
const char *duet_field_unit_of_types(const duet_field_uses *fields);
// DUET_E_INPUT where names of types say another unit than that of the instance (NULL: none).
duet_code duet_field_check_unit(const duet_field_uses *fields, const char *unit, const char *file,
                                duet_error *error);
// What is said where an edge names no task, and another field names the tasks, too: --columns with
// it as the ids, and all types. "": the caller picks fields, or a name needs quotes of its own.
enum { DUET_FIELD_ID_ADVICE = 200 };
void duet_field_id_advice(const duet_field_uses *fields, const duet_builder *builder,
                          const char *name, char advice[DUET_FIELD_ID_ADVICE]);
// The pick of the field of that name; NULL: none.
// Notes that there is such a field.
const duet_csv_pick *duet_field_pick(duet_field_uses *fields, const char *name);
// Whether each pick was of a field that is there. DUET_E_INPUT names the first that was not.
duet_code duet_field_check_picks(const duet_field_uses *fields, const char *file,
                                 duet_error *error);

// Puts a value of a field that is not used into the ledger. `why` is static; NULL: what its name
// means says why. DUET_E_INPUT where the caller is strict.
duet_code duet_field_pass(duet_field_uses *fields, const duet_field *field, const char *why,
                          const char *file, duet_error *error);
// The value of a field that is called "priority": false where it is no number. It stands in the
// ledger beside, since most algorithms do not use it.
bool duet_field_priority(const char *text, size_t length, duet_decimal *priority);
// Why amounts of data are not used where nothing says how long they take.
#define DUET_FIELD_DATA_USE "data take no time without -O per-unit= or latency="
// Takes a field that says what comes before or behind tasks. Of the second one, and of each that
// comes later, it is noted that they count together with the first: two words may not mean the
// same.
duet_code duet_field_take_order(duet_field_uses *fields, duet_field_owner owner, const char *name,
                                duet_builder *builder, duet_error *error);
// Where a name that is not used may say one.
#define DUET_FIELD_COST_NAME                                                                       \
    "what an edge costs is called cost, costs or data, and --columns cost=NAME picks it"
#define DUET_FIELD_AMOUNT_NAME "an amount of data is called data, and --columns data=NAME picks it"
#define DUET_FIELD_PRIORITY_USE "heteroprio alone takes priorities, of equal acceleration"
// The notice of the names that are types for want of another meaning, if there are such.
duet_code duet_field_note_types(const duet_field_uses *fields, duet_builder *builder,
                                duet_error *error);
// Takes a value of a field that a release time, a number of tasks or of cores is: one that changes
// nothing is right, another one is refused with DUET_E_INPUT unless the caller ignores the field,
// which then goes into the ledger. A whole number of cores is kept where the reader takes them.
duet_code duet_field_guard(duet_field_uses *fields, const duet_field *field, const char *value,
                           const char *file, duet_error *error);
// The cores of the task that was read last, which are then forgotten; 1 where nothing was said.
int64_t duet_field_take_cores(duet_field_uses *fields);
// Fills the times of a task that the input gives none with what the caller says. False: nothing is
// said.
bool duet_field_take_default(duet_field_uses *fields, duet_read_time *times, size_t count);
// Adds a notice for each name in the ledger, for what the caller ignores in vain, and for tasks
// that take the time of those without.
duet_code duet_field_note(const duet_field_uses *fields, duet_builder *builder, duet_error *error);

#endif
