package gilmok.runsheet;

import java.io.IOException;

/** Thrown when the process that was making a plan has ended; another process may make the plan. */
final class PlannerGone extends IOException {
  private static final long serialVersionUID = 1L;

  PlannerGone(String why) {
    super(why);
  }
}
