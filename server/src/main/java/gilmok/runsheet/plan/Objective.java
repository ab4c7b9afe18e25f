package gilmok.runsheet.plan;

/** What a plan minimises. */
public enum Objective {
  /** The sum of all ways travelled. */
  TRAVEL,

  /** First the lateness of all drop-offs together; among the least late plans, the travel. */
  LATENESS_THEN_TRAVEL
}
