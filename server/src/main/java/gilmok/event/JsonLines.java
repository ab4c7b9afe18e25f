package gilmok.event;

import java.io.IOException;

/** Takes records one by one, each as JSON of one line. */
@FunctionalInterface
public interface JsonLines {
  /** The next record; the buffer can be used again afterwards. */
  void line(JsonBuffer json) throws IOException;
}
