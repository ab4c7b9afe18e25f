package gilmok.lab.missions;

import java.util.Locale;

/** Guards against a stampede of loads when a value expires, as the original story tried them. */
enum Guard {
  NONE("(f) expiry without any guard"),
  LOCK("(f) a lock in Redis, the others sleep 10 ms and look again"),
  LONGER("(f) no guard, 7.5 times the time to live"),
  SINGLE_FLIGHT("(f) single flight in each process");

  /** How many times longer the time to live is: 15 minutes in place of 2. */
  static final double LONGER_TIMES = 7.5;

  private final String text;

  Guard(String text) {
    this.text = text;
  }

  /** Its description. */
  String text() {
    return text;
  }

  /** Its name on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
