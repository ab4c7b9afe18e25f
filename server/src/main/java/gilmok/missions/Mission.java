package gilmok.missions;

import gilmok.event.JsonBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A promotion that riders can fulfil, as it was put. Immutable. */
final class Mission {
  /** Of a mission without a beginning. */
  static final long ALWAYS = Long.MIN_VALUE;

  /** Of a mission without an end. */
  static final long FOR_EVER = Long.MAX_VALUE;

  private final String id;
  private final long from;
  private final long to;
  private final List<String> riders;
  private final Set<String> openTo;
  private final double goal;
  private final boolean isUrgent;
  private final byte[] shown;

  /**
   * A mission.
   *
   * @param from when it opens, milliseconds since 1970, or {@link #ALWAYS}
   * @param to when it ends, or {@link #FOR_EVER}
   * @param riders to whom it is open; none: to all
   * @param goal the count that fulfils it; NaN when counting does not
   * @param shown what riders see of it: the object with its id and without the riders; not copied
   */
  Mission(
      String id,
      long from,
      long to,
      List<String> riders,
      double goal,
      boolean isUrgent,
      byte[] shown) {
    this.id = id;
    this.from = from;
    this.to = to;
    this.riders = List.copyOf(riders);
    this.openTo = new HashSet<>(riders);
    this.goal = goal;
    this.isUrgent = isUrgent;
    this.shown = shown;
  }

  String id() {
    return id;
  }

  /** When it opens, milliseconds since 1970. */
  long from() {
    return from;
  }

  /** When it ends, milliseconds since 1970. */
  long to() {
    return to;
  }

  /** How many riders it names. */
  int ridersCount() {
    return riders.size();
  }

  /** Whether settling it does not wait for the others. */
  boolean isUrgent() {
    return isUrgent;
  }

  /** Whether nobody is named. */
  boolean isOpenToAll() {
    return riders.isEmpty();
  }

  /** Whether it is that rider's business. */
  boolean isOpenTo(String riderId) {
    return riders.isEmpty() || openTo.contains(riderId);
  }

  /** Whether it has begun and not ended. */
  boolean isOpenAt(long millis) {
    return from <= millis && millis < to;
  }

  /** Whether so much fulfils it; NaN does not. */
  boolean isFulfilledBy(double count) {
    return count >= goal;
  }

  /** What riders see of it, JSON. */
  byte[] shown() {
    return shown;
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
