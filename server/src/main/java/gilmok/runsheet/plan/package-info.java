/**
 * The planner: in which order a rider makes the open stops. A pure function of a problem, a budget
 * and a seed: no clock, no thread, nothing read or written, so it can run anywhere.
 *
 * <p>{@link gilmok.runsheet.plan.ProblemDraft} is what is asked; {@link
 * gilmok.runsheet.plan.PlanProblem#of} says what is wrong with it or makes a problem of it; {@link
 * gilmok.runsheet.plan.Planner} plans, {@link gilmok.runsheet.plan.PlanCheck} looks at a plan that
 * is given. How planning is done, and after whom, is in {@code docs/run-sheets.md}.
 */
@NullMarked
package gilmok.runsheet.plan;

import org.jspecify.annotations.NullMarked;
