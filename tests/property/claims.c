// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <duet/graph.h>

#include "core/solution/certificate.h"
#include "core/system/memory.h"
#include "tests/property/property.h"

enum { MOST_TERMS = 64, MOST_PRICES = 64, MOST_TEXT = 4096 };

static void keep(property_claims *claims, const duet_certificate *certificate)
{
    if (duet_grow(&claims->certificate, claims->count, &claims->capacity,
                  sizeof *claims->certificate, NULL) == DUET_OK) {
        duet_certificate_retain(certificate);
        claims->certificate[claims->count++] = *certificate;
    }
}

void property_make_claims(const duet_instance *instance, property_claims *claims)
{
    static const char *const rows[] = {"auto",   "exact",      "dual-4-3",     "shelf-3-2",
                                       "dualhp", "moldable-2", "moldable-3-2", "graph-search"};
    duet_params params = DUET_PARAMS_INIT;
    params.threads = 1;
    for (size_t i = 0; i < duet_bound_count(); i++) {
        duet_bound *bound = NULL;
        if (duet_compute_bound(instance, duet_bound_entry(i)->name, &params, &bound, NULL) ==
            DUET_OK) {
            keep(claims, duet_bound_certificate(bound));
        }
        duet_bound_free(bound);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        duet_solution *solution = NULL;
        if (strcmp(rows[i], "graph-search") == 0 && duet_instance_edges(instance) == 0) {
            continue;
        }
        params.time_limit = 0.2;
        if (duet_solve(instance, rows[i], &params, &solution, NULL) == DUET_OK) {
            keep(claims, duet_solution_certificate(solution));
        }
        duet_solution_free(solution);
    }
}

// --- parts of certificates -----------------------------------------------------------------------

static int64_t near(draws *d, int64_t value)
{
    switch (draw(d, 0, 5)) {
    case 0:
        return (int64_t)((uint64_t)value + 1);
    case 1:
        return (int64_t)((uint64_t)value - 1);
    case 2:
        return (int64_t)((uint64_t)value * 2);
    case 3:
        return 0;
    case 4:
        return draw_number(d);
    default:
        return value / 2;
    }
}

// Prices that are those given with one changed, or any.
static const duet_price_list *prices(draws *d, const duet_instance *instance,
                                     const duet_price_list *given)
{
    size_t types = given == NULL ? duet_instance_types(instance) : given->types;
    size_t classes = given == NULL ? duet_instance_kinds(instance) : given->classes;
    duet_price_mode mode[DUET_MAX_TYPES];
    int64_t limit[DUET_MAX_TYPES];
    int64_t price[MOST_PRICES] = {0};
    if (types * classes > MOST_PRICES) {
        return NULL;
    }
    for (size_t t = 0; t < types; t++) {
        mode[t] = given == NULL ? (duet_price_mode)draw(d, 0, 1) : given->mode[t];
        limit[t] = given == NULL ? draw(d, 0, 40) : given->limit[t];
    }
    for (size_t i = 0; i < types * classes; i++) {
        price[i] = given == NULL ? draw(d, 0, 20) : given->price[i];
    }
    size_t at = (size_t)draw(d, 0, (int64_t)(types * (classes + 1)) - 1);
    if (at < types) {
        limit[at] = near(d, limit[at]);
    } else {
        price[at - types] = near(d, price[at - types]);
    }
    const duet_price_list *made = NULL;
    (void)duet_price_list_create(types, classes, mode, limit, price, &made, NULL);
    return made;
}

static size_t copy_terms(const duet_flow_term *from, size_t count, duet_flow_term *to)
{
    count = count < MOST_TERMS - 1 ? count : MOST_TERMS - 1;
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
    }
    return count;
}

static size_t change_terms(draws *d, duet_flow_term *term, size_t count, int64_t below)
{
    if (count > 0 && draw_once(d, 2)) {
        duet_flow_term *one = &term[draw(d, 0, (int64_t)count - 1)];
        one->at = draw_once(d, 3) ? draw(d, 0, below) : one->at;
        one->value = near(d, one->value);
    } else if (draw_once(d, 2)) {
        term[count++] = (duet_flow_term){draw(d, 0, below), draw_number(d)};
    }
    return count;
}

static const duet_flow *flow(draws *d, const duet_instance *instance, const duet_flow *given)
{
    duet_flow_term edge[MOST_TERMS];
    duet_flow_term task[MOST_TERMS];
    duet_flow_term cross[MOST_TERMS];
    duet_flow_lists list = {{edge, 0}, {task, 0}, {cross, 0}};
    if (given != NULL) {
        const duet_flow_lists *from = &given->list;
        list.edges.count = copy_terms(from->edges.term, from->edges.count, edge);
        list.tasks.count = copy_terms(from->tasks.term, from->tasks.count, task);
        list.charges.count = copy_terms(from->charges.term, from->charges.count, cross);
    }
    list.edges.count = change_terms(d, edge, list.edges.count, duet_instance_edges(instance));
    list.tasks.count = change_terms(d, task, list.tasks.count, duet_instance_tasks(instance));
    list.charges.count = change_terms(d, cross, list.charges.count, duet_instance_edges(instance));
    const duet_flow *made = NULL;
    (void)duet_flow_create(&list, &made, NULL);
    return made;
}

// Text with a number or a line changed.
static size_t change_text(draws *d, char *text, size_t length)
{
    size_t at = length == 0 ? 0 : (size_t)draw(d, 0, (int64_t)length - 1);
    size_t line = at;
    if (length == 0) {
        return 0;
    }
    while (line > 0 && text[line - 1] != '\n') {
        line--;
    }
    size_t end = line + strcspn(text + line, "\n");
    end += text[end] == '\n';
    switch (draw(d, 0, 3)) {
    case 0: // without the line
        memmove(text + line, text + end, length - end + 1);
        return length - (end - line);
    case 1: // with it twice
        if (length + (end - line) < MOST_TEXT) {
            memmove(text + end + (end - line), text + end, length - end + 1);
            memcpy(text + end, text + line, end - line);
            return length + (end - line);
        }
        return length;
    default: // another digit
        for (size_t i = at; i < length; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                text[i] = (char)('0' + draw(d, 0, 9));
                break;
            }
        }
        return length;
    }
}

static const duet_proof_lines *lines(draws *d, const duet_instance *instance,
                                     const duet_proof_lines *given)
{
    char text[MOST_TEXT + 1];
    size_t length = 0;
    if (given != NULL) {
        length = given->length;
        if (length > MOST_TEXT) {
            return NULL;
        }
        memcpy(text, given->text, length + 1);
        length = change_text(d, text, length);
    } else { // of times and values, as certificates of moldable tasks have them
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            length += (size_t)snprintf(text + length, MOST_TEXT - length, "%d %d %d %d\n",
                                       (int)draw(d, 1, 6), (int)draw(d, 0, 3), (int)draw(d, 4, 12),
                                       (int)draw(d, 1, 6));
        }
    }
    const duet_proof_lines *made = NULL;
    (void)duet_proof_lines_create(text, length, &made, NULL);
    return made;
}

// --- whole certificates --------------------------------------------------------------------------

// What a proof holds besides numbers, its own or changed; the certificate has one reference.
static void renew(draws *d, const duet_instance *instance, bool other, duet_certificate *c)
{
    bool listed = c->proof == DUET_PROOF_PRICES;
    bool flows = c->proof == DUET_PROOF_FLOW;
    bool lined = c->proof == DUET_PROOF_LINES || c->proof == DUET_PROOF_MOLDABLE_STEPS;
    const duet_certificate given = *c;
    c->prices = listed && other ? NULL : c->prices;
    c->flow = flows && other ? NULL : c->flow;
    c->lines = lined && other ? NULL : c->lines;
    duet_certificate_retain(c);
    c->prices = listed && c->prices == NULL ? prices(d, instance, given.prices) : c->prices;
    c->flow = flows && c->flow == NULL ? flow(d, instance, given.flow) : c->flow;
    c->lines = lined && c->lines == NULL ? lines(d, instance, given.lines) : c->lines;
}

static duet_certificate forged(draws *d, const duet_instance *instance)
{
    duet_certificate c = {.proof = (duet_proof)draw(d, 1, DUET_PROOF_MOLDABLE_STEPS)};
    c.lambda = draw_once(d, 8) ? draw_number(d) : draw(d, 1, 60);
    c.task = draw_once(d, 8) ? draw_number(d) : draw(d, 0, PROPERTY_MOST_TASKS - 1);
    c.types = draw_once(d, 16) ? (size_t)draw(d, 0, 5) : duet_instance_types(instance);
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        c.weight[t] = draw_number(d);
        c.count_weight[t] = draw_number(d);
        c.count_weight_high[t] = draw_once(d, 16) ? draw_number(d) : 0;
    }
    c.parts = (int)draw(d, 1, 4);
    c.rounded = (size_t)draw(d, 0, 2);
    c.grid = draw(d, 0, 3);
    c.head = draw(d, 0, 12);
    c.tail = draw(d, 0, 12);
    renew(d, instance, true, &c);
    return c;
}

static duet_certificate changed(draws *d, const duet_instance *instance,
                                const duet_certificate *given)
{
    duet_certificate c = *given;
    size_t type = (size_t)draw(d, 0, (int64_t)duet_instance_types(instance) - 1);
    bool other = false;
    c.lambda += draw_once(d, 4) ? 0 : draw(d, -1, 4);
    switch (draw(d, 0, 7)) {
    case 0:
        c.weight[type] = near(d, c.weight[type]);
        break;
    case 1:
        c.count_weight[type] = near(d, c.count_weight[type]);
        break;
    case 2:
        c.task = draw(d, 0, PROPERTY_MOST_TASKS - 1);
        break;
    case 3:
        c.head = near(d, c.head);
        c.tail = draw_once(d, 2) ? near(d, c.tail) : c.tail;
        break;
    case 4:
        c.parts = (int)draw(d, 2, 3);
        break;
    case 5:
        c.proof = draw_once(d, 3) ? (duet_proof)draw(d, 1, DUET_PROOF_MOLDABLE_STEPS) : c.proof;
        break;
    default:
        other = true;
        break;
    }
    renew(d, instance, other, &c);
    return c;
}

void property_forge_claim(draws *d, const duet_instance *instance, size_t made,
                          property_claims *claims)
{
    duet_certificate c =
        made == 0 || draw_once(d, 3)
            ? forged(d, instance)
            : changed(d, instance, &claims->certificate[draw(d, 0, (int64_t)made - 1)]);
    keep(claims, &c);
    duet_certificate_release(&c);
}

void property_free_claims(property_claims *claims)
{
    for (size_t i = 0; i < claims->count; i++) {
        duet_certificate_release(&claims->certificate[i]);
    }
    duet_free(claims->certificate);
    *claims = (property_claims){.certificate = NULL};
}

int64_t property_accepted_bound(const duet_certificate *certificate, const duet_instance *instance)
{
    duet_code code = certificate->proof == DUET_PROOF_NONE
                         ? DUET_E_INPUT
                         : duet_certificate_check(certificate, instance, NULL, NULL);
    if (code == DUET_E_UNSUPPORTED) { // by a table or a knapsack, computed again
        if (certificate->lambda >= 100000) {
            return 0; // which takes too long: nothing is believed of it
        }
        duet_params params = DUET_PARAMS_INIT;
        params.threads = 1;
        code = duet_verify_deep(instance, certificate, &params, NULL);
    }
    return code == DUET_OK ? certificate->lambda : -1;
}
