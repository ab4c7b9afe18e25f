package gilmok.lab.ship;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.io.IOException;

/** A log that is soon full. */
final class FullLog {
  static final int POSITIONS_A_REQUEST = 400;

  /** Some 8 MiB, more than twice what the log holds. */
  static final int REQUESTS_MAX = 500;

  private FullLog() {}

  /** Settings of a log of 3 MiB. */
  static String[] settings(String whenFull) {
    return new String[] {
      "log.when-full=" + whenFull,
      "log.segment-bytes=1MiB",
      "log.bytes-max=3MiB",
      "log.retention=1s",
      "log.snapshot-interval=50ms",
      "log.group-bytes-max=256KiB",
      "collect.body-bytes-max=128KiB"
    };
  }

  /**
   * Sends until it is refused.
   *
   * @return the body that was refused
   */
  static String fill(Phone phone, Subject server) throws IOException, InterruptedException {
    for (int i = 0; i < REQUESTS_MAX; i++) {
      String body = phone.positions(POSITIONS_A_REQUEST);
      int status = phone.post(server, body);
      if (status != 202) {
        assertThat(status).isEqualTo(503);
        return body;
      }
    }
    throw new AssertionError("the log took everything");
  }
}
