package gilmok.deliveries.relay;

import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.PartnerStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * The leases of this node: the shards whose webhooks it sends. A node has a shard as long as it
 * renews its lease; the nodes share the shards evenly. To count the nodes, each also leases a seat,
 * a number above the shards: taken seats are nodes. Nodes beyond {@link PartnerStore#SEATS} get no
 * shards and stand by. If no other node uses the documents, this one holds all shards, and nothing
 * is stored.
 *
 * <p>Changed only by the relay's thread; {@link #holds}, {@link #mayTell} and {@link #count} are
 * safe from any thread.
 */
final class Leases {
  private static final int RENEWALS = 3;
  private static final int NO_SEAT = -1;

  private final PartnerStore store;
  private final String node;
  private final boolean isShared;
  private final long leaseMillis;
  private final InstantSource clock;
  private final AtomicLongArray until = new AtomicLongArray(DeliveryId.SHARDS);
  private final int offset;
  private int seat = NO_SEAT;
  private long renewAt;

  /**
   * No leases yet.
   *
   * @param isShared whether other nodes use the store too
   */
  Leases(PartnerStore store, String node, boolean isShared, Duration lease, InstantSource clock) {
    this.store = store;
    this.node = node;
    this.isShared = isShared;
    this.clock = clock;
    leaseMillis = lease.toMillis();
    // Keeps nodes that start together from trying the same shards first.
    offset = Math.floorMod(node.hashCode(), DeliveryId.SHARDS);
  }

  /**
   * When it is time to, renews this node's leases, gives away shards above its share and takes free
   * ones below it.
   *
   * @param isIdle whether a shard has no webhooks in flight. Only idle shards are given away or
   *     taken. A shard that is not idle is renewed only if its lease has not ended meanwhile:
   *     otherwise another node may have sent the same webhooks.
   */
  void renew(IntPredicate isIdle) throws IOException, InterruptedException {
    long now = clock.millis();
    // Further away than it can have been set: the clock was set back since.
    if (!isShared || (now < renewAt && renewAt - now <= leaseMillis)) {
      return;
    }
    int nodes = countNodes(now);
    int share = seat == NO_SEAT ? 0 : (DeliveryId.SHARDS + nodes - 1) / nodes;
    int had = 0;
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      had += isHeld(shard) && renew(shard, had >= share, isIdle.test(shard)) ? 1 : 0;
    }
    for (int i = 0; i < DeliveryId.SHARDS && had < share; i++) {
      int shard = (offset + i) % DeliveryId.SHARDS;
      had += !isHeld(shard) && isIdle.test(shard) && take(shard) ? 1 : 0;
    }
    renewAt = now + leaseMillis / RENEWALS;
  }

  private boolean renew(int shard, boolean isOverShare, boolean isIdle)
      throws IOException, InterruptedException {
    if (isIdle && isOverShare) {
      until.set(shard, 0);
      store.release(shard, node);
      return false;
    }
    if (!isIdle && !holds(shard, clock.millis())) {
      until.set(shard, 0); // the lease had ended: another node may have had the shard
      return false;
    }
    return take(shard);
  }

  private boolean take(int shard) throws IOException, InterruptedException {
    long now = clock.millis();
    boolean taken = store.lease(shard, node, now, now + leaseMillis);
    until.set(shard, taken ? now + leaseMillis : 0);
    return taken;
  }

  /** Counts the nodes by their seats, this one included; takes or renews this node's seat. */
  private int countNodes(long now) throws IOException, InterruptedException {
    int nodes = 0;
    boolean kept = false;
    for (int i = 0; i < PartnerStore.SEATS; i++) {
      // A seat is tested by a lease that ends at once.
      boolean wanted = seat == i || (seat == NO_SEAT && !kept);
      boolean free =
          store.lease(DeliveryId.SHARDS + i, node, now, wanted ? now + leaseMillis : now);
      if (wanted && free) {
        seat = i;
        kept = true;
      } else if (seat == i) {
        seat = NO_SEAT;
      }
      nodes += !free || (wanted && kept) ? 1 : 0;
    }
    return Math.max(1, nodes);
  }

  private boolean isHeld(int shard) {
    return until.get(shard) > 0;
  }

  /** Whether this node holds the shard's lease now. */
  boolean holds(int shard, long now) {
    return !isShared || until.get(shard) > now;
  }

  /**
   * Whether this node's lease of the shard outlasts a call of length {@code call} that begins now.
   */
  boolean mayTell(int shard, long now, Duration call) {
    return !isShared || until.get(shard) - now > call.toMillis();
  }

  /** How many shards this node holds now. */
  int count() {
    long now = clock.millis();
    int count = 0;
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      count += holds(shard, now) ? 1 : 0;
    }
    return count;
  }

  /** Releases all leases, so that another node can take them at once. */
  void releaseAll() throws IOException, InterruptedException {
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      if (isHeld(shard)) {
        until.set(shard, 0);
        store.release(shard, node);
      }
    }
    if (seat != NO_SEAT) {
      store.release(DeliveryId.SHARDS + seat, node);
      seat = NO_SEAT;
    }
  }
}
