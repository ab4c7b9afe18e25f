package gilmok.positions;

import gilmok.geo.Box;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The riders that a stream shows.
 *
 * @param riders only these; empty: all riders
 * @param box only riders within it; null: anywhere
 */
record StreamFilter(List<RiderKey> riders, @Nullable Box box) {
  static final int RIDERS_MAX = 1000;
}
