package gilmok.runsheet;

import java.io.IOException;

/** The process that was to make a plan has ended: another one may make it. */
final class PlannerGone extends IOException {
  private static final long serialVersionUID = 1L;

  PlannerGone(String why) {
    super(why);
  }
}
