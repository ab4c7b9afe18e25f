/**
 * The planner: it finds the order in which a rider makes the open stops. A pure function of a
 * problem, a budget and a seed: it uses no clock and no thread, and reads and writes nothing, so it
 * can run anywhere.
 *
 * <p>{@link gilmok.runsheet.plan.ProblemDraft} is a request; {@link gilmok.runsheet.plan.Review#of}
 * validates it and makes a {@link gilmok.runsheet.plan.PlanProblem}; {@link
 * gilmok.runsheet.plan.Planner} plans; {@link gilmok.runsheet.plan.PlanCheck} checks a given plan.
 * The methods and their sources are described in {@code docs/run-sheets.md}.
 */
@NullMarked
package gilmok.runsheet.plan;

import org.jspecify.annotations.NullMarked;
