package gilmok.missions;

import gilmok.event.JsonBuffer;
import java.util.List;
import java.util.Set;

/**
 * A promotion that riders can fulfil, as it was put. Immutable.
 *
 * @param from when it opens, milliseconds since 1970, or {@link #ALWAYS}
 * @param to when it ends, or {@link #FOR_EVER}
 * @param riders to whom it is open, as they were named; none: to all
 * @param openTo the same, to be asked
 * @param goal the count that fulfils it; NaN when counting does not
 * @param isUrgent whether settling it does not wait for the others
 * @param shown what riders see of it: the object with its id and without the riders; not copied
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
  /** Of a mission without a beginning. */
  static final long ALWAYS = Long.MIN_VALUE;

  /** Of a mission without an end. */
  static final long FOR_EVER = Long.MAX_VALUE;

  /** How many riders it names. */
  int ridersCount() {
    return riders.size();
  }

  /** Whether it is that rider's business. */
  boolean isOpenTo(String riderId) {
    return riders.isEmpty() || openTo.contains(riderId);
  }

  /** All of it, JSON: what riders see, and whom it names. */
  byte[] whole() {
    if (riders.isEmpty()) {
      return shown.clone();
    }
    JsonBuffer out = new JsonBuffer();
    out.raw(shown, 0, shown.length - 1).ascii(",\"riders\":").strings(riders);
    return out.put('}').copy();
  }
}
