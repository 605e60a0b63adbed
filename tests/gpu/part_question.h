/* SPDX-License-Identifier: MIT */
#ifndef GPU_PART_QUESTION_H
#define GPU_PART_QUESTION_H

#include "parts.h"

/*
 * Q1 to Q11: questions about CUPTI that only hardware answers, the most important first. Their
 * checks print a line "# answer PART: ..." with what was seen; README says which answer changes
 * what.
 */

/* They query CUPTI, without the profiler (part_ask.c). */
int ask_ranges(const struct part *part, const char *step);
int ask_streams(const struct part *part, const char *step);
int ask_buffers(const struct part *part, const char *step);
int ask_second(const struct part *part, const char *step);

void answer_notes(const struct run *run); /* all lines "note answer ..." of the program */

/* They show how a program behaves with the profiler (part_question.c). */
int question_register(const struct part *part, const char *step);
int question_torch(const struct part *part, const char *step);
int question_kill(const struct part *part, const char *step);
int question_wait(const struct part *part, const char *step);
int question_unload(const struct part *part, const char *step);
int question_no_device(const struct part *part, const char *step);
int question_passes(const struct part *part, const char *step);
int question_windows(const struct part *part, const char *step);

/* answer.c */
void answer_order(const struct run *run);
void answer_register(const struct run *run);
void answer_torch(const struct run *run);
void answer_kill(const struct run *run);
void answer_wait(const struct run *run);
void answer_times(const struct run *run);
void answer_no_device(const struct run *run);
void answer_passes(const struct run *run);
void answer_windows(const struct run *run);

#endif
