package gilmok.deliveries.relay;

import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which deliveries are being told, so that none is told twice at a time. What the outbox said is
 * due may be older than the end of a telling: so what ended since the last look at its shard cannot
 * begin again before the next. Thread-safe; a shard is looked at by one thread.
 */
final class InFlightWebhooks {
  /** A delivery and who is told of it. */
  record Key(Outbox.Reader reader, String deliveryId) {
    static Key of(Outbox.Due due) {
      return new Key(due.reader(), due.delivery().id());
    }

    int shard() {
      return DeliveryId.shard(deliveryId);
    }
  }

  /** What is looked at by itself. */
  private record Place(Outbox.Reader reader, int shard) {}

  private final Set<Key> open = ConcurrentHashMap.newKeySet();
  private final Map<Place, Set<Key>> ended = new ConcurrentHashMap<>();
  private final AtomicIntegerArray byShard = new AtomicIntegerArray(DeliveryId.SHARDS);

  /** The outbox is about to be asked for this shard's. */
  void look(Outbox.Reader reader, int shard) {
    ended(reader, shard).clear();
  }

  /** Whether it can begin; then it has. */
  boolean begin(Key key) {
    if (!open.add(key)) {
      return false;
    }
    // In this order: who ends is in the one set before it leaves the other.
    if (ended(key.reader(), key.shard()).contains(key)) {
      open.remove(key);
      return false;
    }
    byShard.incrementAndGet(key.shard());
    return true;
  }

  /** It has ended; what became of it is in the outbox. */
  void end(Key key) {
    ended(key.reader(), key.shard()).add(key);
    if (open.remove(key)) {
      byShard.decrementAndGet(key.shard());
    }
  }

  /** How many of a shard are on their way. */
  int of(int shard) {
    return byShard.get(shard);
  }

  /** How many there are. */
  int size() {
    return open.size();
  }

  private Set<Key> ended(Outbox.Reader reader, int shard) {
    return ended.computeIfAbsent(new Place(reader, shard), _ -> ConcurrentHashMap.newKeySet());
  }
}
