package gilmok.missions;

import gilmok.event.JsonBuffer;
import java.util.List;
import java.util.Set;

/**
 * A mission: a promotion that riders can fulfil. Immutable.
 *
 * @param from when it opens, epoch ms, or {@link #ALWAYS}
 * @param to when it ends, epoch ms, or {@link #FOR_EVER}
 * @param riders the riders it is open to, as they were given; empty for all
 * @param openTo the same riders as a set for lookups
 * @param goal the count that fulfils it; NaN when it is not fulfilled by counting
 * @param isUrgent whether requests that settle only urgent missions settle it
 * @param shown the JSON that riders see: the object with its id and without the riders; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Mission(
    String id,
    long from,
    long to,
    List<String> riders,
    Set<String> openTo,
    double goal,
    boolean isUrgent,
    byte[] shown) {
  /** The {@code from} of a mission without a beginning. */
  static final long ALWAYS = Long.MIN_VALUE;

  /** The {@code to} of a mission without an end. */
  static final long FOR_EVER = Long.MAX_VALUE;

  /** The number of riders it names. */
  int ridersCount() {
    return riders.size();
  }

  /** Whether it is open to that rider, whatever the time. */
  boolean isOpenTo(String riderId) {
    return riders.isEmpty() || openTo.contains(riderId);
  }

  /** The whole mission as JSON: what riders see, and the riders it names. */
  byte[] whole() {
    if (riders.isEmpty()) {
      return shown.clone();
    }
    JsonBuffer out = new JsonBuffer();
    out.raw(shown, 0, shown.length - 1).ascii(",\"riders\":").strings(riders);
    return out.put('}').copy();
  }
}
