/* Rotors for tests; the context is that of models.h. */
#ifndef TESTS_ROTORS_H
#define TESTS_ROTORS_H

#include "rotor/results.h"
#include "base/arena.h"
#include "limber/context.h"
#include "system/model.h"

/* The rotor that is open, its model, an arena for what is found of it, and all its results. */
extern lmb_model *model;
extern lmb_rotor_system *s;
extern lmb_arena *arena;
extern lmb_rotor_results *results;

/* Makes a rotor from the text of its section, indented by two blanks, under weight along -y. */
void open_rotor(const char *format, ...) LMB_PRINTF(1, 2);
void close_rotor(void);

/* Solves the rotor of a model; close_rotor ends that, too. */
void solve_rotor(const char *text);

/* Its lowest vibrations at a speed. */
lmb_whirl_list whirls(double speed, int count);

/* Fails the test unless a value is as near to the expected one as the tolerance. */
void check_value(double value, double expected, double tolerance);

#endif
