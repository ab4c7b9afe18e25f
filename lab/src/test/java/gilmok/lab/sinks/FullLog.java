package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.io.IOException;

/** Settings and requests that fill a log soon. */
final class FullLog {
  /** Requests for some 8 MiB, more than twice what the log holds. */
  static final int REQUESTS_MAX = 100;

  private static final int POSITIONS_A_REQUEST = 50;
  private static final int MORE_CHARS = 1_600;

  private FullLog() {}

  /** Settings of a log of 3 MiB. */
  static String[] settings(String whenFull) {
    return new String[] {
      "log.when-full=" + whenFull,
      "log.segment-bytes=1MiB",
      "log.bytes-max=3MiB",
      "log.retention=1s",
      "log.snapshot-interval=200ms",
      "log.dedup-entries-max=300000",
      "positions.snapshot-interval=200ms",
      "log.group-bytes-max=256KiB",
      "collect.body-bytes-max=128KiB"
    };
  }

  /** The body of a large request. */
  static String body(Phone phone) {
    return phone.longPositions(POSITIONS_A_REQUEST, MORE_CHARS);
  }

  /**
   * Sends large requests until one is refused with 503.
   *
   * @return the body that was refused
   */
  static String fill(Phone phone, Subject server) throws IOException, InterruptedException {
    for (int i = 0; i < REQUESTS_MAX; i++) {
      String body = body(phone);
      int status = phone.post(server, body);
      if (status != 202) {
        assertThat(status).isEqualTo(503);
        return body;
      }
    }
    throw new AssertionError("the log took everything");
  }
}
