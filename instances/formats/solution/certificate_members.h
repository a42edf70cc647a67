// SPDX-License-Identifier: Apache-2.0
// The members of a certificate in JSON: how each is read and written.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_CERTIFICATE_MEMBERS_H
#define DUET_INSTANCES_FORMATS_SOLUTION_CERTIFICATE_MEMBERS_H

#include "instances/formats/solution/reader.h"
#include "instances/formats/solution/writer.h"

// The members, in the order in which they are written.
enum {
    DUET_MEMBER_PROOF,
    DUET_MEMBER_LAMBDA,
    DUET_MEMBER_TASK,
    DUET_MEMBER_WEIGHTS,
    DUET_MEMBER_COUNTS,
    DUET_MEMBER_PARTS,
    DUET_MEMBER_ROUNDED,
    DUET_MEMBER_GRID,
    DUET_MEMBER_MODES,
    DUET_MEMBER_LIMITS,
    DUET_MEMBER_PRICES,
    DUET_MEMBER_FLOW,
    DUET_MEMBER_TASKS,
    DUET_MEMBER_CROSS,
    DUET_MEMBER_HEAD,
    DUET_MEMBER_TAIL,
    DUET_MEMBER_FROM,
    DUET_MEMBER_LINES,
    DUET_MEMBER_MULTIPLIERS,
    DUET_MEMBERS
};

// A list that grows.
typedef struct duet_certificate_terms {
    duet_flow_term *term;
    size_t count;
} duet_certificate_terms;

// A certificate as its members come, in any order.
typedef struct duet_certificate_input {
    duet_solution_reader *reader;
    duet_json *json;            // the reader's
    size_t types;               // of the instance
    int member;                 // that is read
    duet_certificate_desc desc; // without the arrays
    int64_t weight[DUET_MAX_TYPES];
    int64_t count_weight[DUET_MAX_TYPES];
    int64_t count_weight_high[DUET_MAX_TYPES];
    duet_price_mode mode[DUET_MAX_TYPES];
    int64_t limit[DUET_MAX_TYPES];
    int64_t *price; // a row of one per type for each class
    size_t rows;
    duet_certificate_terms list[3]; // of DUET_MEMBER_FLOW, DUET_MEMBER_TASKS and DUET_MEMBER_CROSS
    char *line;
    size_t length; // in bytes
} duet_certificate_input;

typedef struct duet_certificate_output {
    const duet_solution_writer *writer;
    FILE *stream; // the writer's
    int member;   // that is written
    duet_certificate_desc desc;
} duet_certificate_output;

// How a member is written and read.
typedef struct duet_certificate_member {
    const char *before; // what separates it from the member before
    void (*read)(duet_certificate_input *in);
    void (*write)(const duet_certificate_output *out);
} duet_certificate_member;

extern const duet_certificate_member duet_certificate_members[DUET_MEMBERS];
extern const char *const duet_certificate_names[DUET_MEMBERS + 1]; // The last one is NULL.

// The list of DUET_MEMBER_FLOW, DUET_MEMBER_TASKS or DUET_MEMBER_CROSS.
const duet_flow_list *duet_certificate_list_of(const duet_certificate_desc *desc, int member);

#endif
