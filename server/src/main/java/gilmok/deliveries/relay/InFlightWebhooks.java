package gilmok.deliveries.relay;

import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.Outbox;
import gilmok.deliveries.OutboxReader;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The deliveries whose webhooks are in flight, so that no delivery is sent twice at a time. An
 * answer of the outbox may be older than the end of a delivery's webhooks. So a delivery that ended
 * since the last look at its shard cannot begin again before the next look. Thread-safe; a shard is
 * looked at by one thread.
 */
final class InFlightWebhooks {
  /** A delivery and the reader that gets its webhooks. */
  record Key(OutboxReader reader, String deliveryId) {
    static Key of(Outbox.Due due) {
      return new Key(due.reader(), due.delivery().id());
    }

    int shard() {
      return DeliveryId.shard(deliveryId);
    }
  }

  /** A reader's part of a shard; each is looked at separately. */
  private record Place(OutboxReader reader, int shard) {}

  private final Set<Key> open = ConcurrentHashMap.newKeySet();
  private final Map<Place, Set<Key>> ended = new ConcurrentHashMap<>();
  private final AtomicIntegerArray byShard = new AtomicIntegerArray(DeliveryId.SHARDS);

  /** Begins a look at a shard: call it before the outbox is asked what is due there. */
  void look(OutboxReader reader, int shard) {
    ended(reader, shard).clear();
  }

  /**
   * Begins a delivery's webhooks.
   *
   * @return false if they are in flight, or ended since the last look at the shard
   */
  boolean begin(Key key) {
    if (!open.add(key)) {
      return false;
    }
    // The order matters: {@link #end} adds to the one set before it removes from the other.
    if (ended(key.reader(), key.shard()).contains(key)) {
      open.remove(key);
      return false;
    }
    byShard.incrementAndGet(key.shard());
    return true;
  }

  /** Ends a delivery's webhooks. Their outcome must be in the outbox already. */
  void end(Key key) {
    ended(key.reader(), key.shard()).add(key);
    if (open.remove(key)) {
      byShard.decrementAndGet(key.shard());
    }
  }

  /** How many deliveries of a shard have webhooks in flight. */
  int of(int shard) {
    return byShard.get(shard);
  }

  /** How many deliveries have webhooks in flight. */
  int size() {
    return open.size();
  }

  private Set<Key> ended(OutboxReader reader, int shard) {
    return ended.computeIfAbsent(new Place(reader, shard), _ -> ConcurrentHashMap.newKeySet());
  }
}
