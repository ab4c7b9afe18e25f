package gilmok.positions;

import gilmok.geo.Box;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a stream shows.
 *
 * @param riders these only; none: everyone
 * @param box only within it
 */
record StreamFilter(List<RiderKey> riders, @Nullable Box box) {
  static final int RIDERS_MAX = 1000;
}
