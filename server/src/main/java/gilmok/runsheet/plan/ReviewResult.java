package gilmok.runsheet.plan;

/** What came of looking at a draft: a problem that can be planned, or what is wrong with it. */
public sealed interface ReviewResult permits PlanProblem, DraftFault {}
