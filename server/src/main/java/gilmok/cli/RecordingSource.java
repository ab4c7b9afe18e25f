package gilmok.cli;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A recording, read one record at a time. Not thread-safe: owned by the reading thread. */
interface RecordingSource {
  /**
   * The next record; null at the end.
   *
   * @throws CommandFailure naming the line that cannot be understood
   */
  @Nullable RecordingEntry next() throws IOException;

  /** How many records were skipped so far because they are not for sending. */
  default long passedOver() {
    return 0;
  }
}
