package gilmok.deliveries;

import gilmok.deliveries.Outbox.Due;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The deliveries that this node has just changed, as they were then, so that their events are
 * published without a query for them. It knows how far a delivery was published if it was created
 * here just now, or published here lately; any other is left to a poll, and so is what exceeds the
 * bounds.
 *
 * <p>{@link #add} and {@link #has} are safe from any thread; the rest belongs to the publisher's.
 */
final class ChangedDeliveries {
  /** What is told of a delivery of which that is not known. */
  static final int UNKNOWN = -1;

  /** Most deliveries that wait. */
  static final int CHANGED_MAX = 2_000;

  /** Of how many deliveries it is known how far they were published; the oldest are forgotten. */
  static final int KNOWN_MAX = 20_000;

  private final Map<String, Changed> changed = new ConcurrentHashMap<>();
  private final Map<String, Integer> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > KNOWN_MAX;
        }
      };

  /**
   * A delivery that waits.
   *
   * @param isNew whether its creation waits with it, so that nothing of it was published
   */
  private record Changed(Delivery delivery, boolean isNew) {
    Changed with(Changed other) {
      Delivery newer = other.delivery.version() > delivery.version() ? other.delivery : delivery;
      return new Changed(newer, isNew || other.isNew);
    }
  }

  /**
   * Adds a delivery after a change, which must be durable; false when there is no room. Of two
   * changes of one delivery, the later one is kept, in whatever order they are added.
   */
  boolean add(Delivery delivery) {
    if (changed.size() >= CHANGED_MAX) {
      return false;
    }
    changed.merge(delivery.id(), new Changed(delivery, delivery.version() == 1), Changed::with);
    return true;
  }

  /** Whether that delivery waits. */
  boolean has(String deliveryId) {
    return changed.containsKey(deliveryId);
  }

  /** How many deliveries wait. */
  int size() {
    return changed.size();
  }

  /** Takes deliveries that wait, with how far they were published, or {@link #UNKNOWN}. */
  List<Due> take(int limit) {
    List<Due> taken = new ArrayList<>();
    for (Iterator<String> ids = changed.keySet().iterator(); ids.hasNext(); ) {
      if (taken.size() == limit) {
        break;
      }
      String id = ids.next();
      Changed one = changed.remove(id);
      if (one != null) {
        int told = known.getOrDefault(id, one.isNew ? 0 : UNKNOWN);
        taken.add(new Due(one.delivery, OutboxReader.LOG, told, 0, 0));
      }
    }
    return taken;
  }

  /** How far that delivery was published, as far as this is known; {@link #UNKNOWN} otherwise. */
  int told(Delivery delivery) {
    return known.getOrDefault(delivery.id(), UNKNOWN);
  }

  /** Notes that a delivery's events are durable in the log up to that sequence. */
  void published(String deliveryId, int through) {
    known.merge(deliveryId, through, Math::max);
  }

  /** Forgets how far deliveries were published, as other nodes may publish them. */
  void forget() {
    known.clear();
  }
}
