package gilmok.runsheet.plan;

/** What a plan is to have little of. */
public enum Objective {
  /** The ways travelled, together. */
  TRAVEL,

  /** First how late all drop-offs are together; among the plans least late, the ways travelled. */
  LATENESS_THEN_TRAVEL
}
