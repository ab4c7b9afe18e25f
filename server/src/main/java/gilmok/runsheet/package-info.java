/**
 * Run sheets over HTTP, planned apart from everything else.
 *
 * <p>A request is admitted or refused by {@link gilmok.runsheet.PlanService}, which bounds the
 * requests in flight. Its body is parsed on a virtual thread ({@link
 * gilmok.runsheet.RunSheetBody}). It then waits for one of a few workers and is planned by {@link
 * gilmok.runsheet.Planners}: in a child process with a low priority ({@link
 * gilmok.runsheet.PlannerPool}), or on threads with a low priority in this process ({@link
 * gilmok.runsheet.InProcessPlanners}). Its budget begins when it arrives: a request that still
 * waits when its budget is used up is refused, and one whose sender has disconnected is not
 * planned.
 */
@NullMarked
package gilmok.runsheet;

import org.jspecify.annotations.NullMarked;
