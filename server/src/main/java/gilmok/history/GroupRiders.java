package gilmok.history;

import java.io.IOException;
import java.util.List;

/** Who is in a group of phones. Thread-safe; does not block. */
@FunctionalInterface
public interface GroupRiders {
  /**
   * The riders of a group, in the order of their ids; none when there is no such group.
   *
   * @throws IOException when it is not known yet
   */
  List<String> of(String group) throws IOException;
}
