/**
 * Run sheets over HTTP, planned apart from everything else.
 *
 * <p>A request is let in or refused by {@link gilmok.runsheet.PlanService}, which bounds how many
 * are under way. Its body is read on a virtual thread ({@link gilmok.runsheet.RunSheetBody}), waits
 * for one of a few workers, and is planned by {@link gilmok.runsheet.Planners}: in a process of its
 * own with a low priority ({@link gilmok.runsheet.PlannerPool}), or on threads of a low priority
 * here ({@link gilmok.runsheet.InProcessPlanners}). Its budget begins when it arrives: what is
 * still waiting when that is used up is refused, and a caller who is gone is not planned for.
 */
@NullMarked
package gilmok.runsheet;

import org.jspecify.annotations.NullMarked;
