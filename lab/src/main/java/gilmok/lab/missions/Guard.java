package gilmok.lab.missions;

import java.util.Locale;

/** What keeps an expiry from being met by many at once, as the story tried it. */
enum Guard {
  NONE("(f) expiry without any guard"),
  LOCK("(f) a lock in Redis, the others sleep 10 ms and look again"),
  LONGER("(f) no guard, 7.5 times the time to live"),
  SINGLE_FLIGHT("(f) single flight in each process");

  /** As 15 minutes in place of 2. */
  static final double LONGER_TIMES = 7.5;

  private final String text;

  Guard(String text) {
    this.text = text;
  }

  /** In words. */
  String text() {
    return text;
  }

  /** As in a command. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
