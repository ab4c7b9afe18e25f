package gilmok.deliveries.relay;

import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.PartnerStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * Which shards this node tells. A shard is one node's for as long as it renews its lease; nodes
 * share them evenly. To know how many nodes there are, each also leases a seat, a number above the
 * shards: seats that are taken are nodes. More nodes than seats stand by without shards.
 *
 * <p>Changed by the relay's thread alone; {@link #mayTell} from any.
 */
final class Leases {
  private static final int RENEWALS = 3;
  private static final int NO_SEAT = -1;

  private final PartnerStore store;
  private final String node;
  private final long leaseMillis;
  private final InstantSource clock;
  private final AtomicLongArray until = new AtomicLongArray(DeliveryId.SHARDS);
  private final int offset;
  private int seat = NO_SEAT;
  private long renewAt;

  Leases(PartnerStore store, String node, Duration lease, InstantSource clock) {
    this.store = store;
    this.node = node;
    this.clock = clock;
    leaseMillis = lease.toMillis();
    // So that nodes that start together do not reach for the same shards first.
    offset = Math.floorMod(node.hashCode(), DeliveryId.SHARDS);
  }

  /**
   * Renews what is had and evens out with the other nodes, when it is time to.
   *
   * @param isIdle whether nothing of a shard is being told: only such shards are given away, and
   *     only such are taken, unless they were this node's all the time: what waits to be told may
   *     have been told by another node meanwhile
   */
  void renew(IntPredicate isIdle) throws IOException, InterruptedException {
    long now = clock.millis();
    // Further away than it was ever put: the clock was set back meanwhile.
    if (now < renewAt && renewAt - now <= leaseMillis) {
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
      until.set(shard, 0); // for some time it was anybody's
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

  /** Counts the seats that are taken, this node's with them. */
  private int countNodes(long now) throws IOException, InterruptedException {
    int nodes = 0;
    boolean kept = false;
    for (int i = 0; i < PartnerStore.SEATS; i++) {
      // A look at a seat is a lease that is over at once.
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

  /** Whether the shard is this node's now. */
  boolean holds(int shard, long now) {
    return until.get(shard) > now;
  }

  /** Whether it stays this node's for so long, so that a call can begin. */
  boolean mayTell(int shard, long now, Duration call) {
    return until.get(shard) - now > call.toMillis();
  }

  /** How many shards it has. */
  int count() {
    long now = clock.millis();
    int count = 0;
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      count += holds(shard, now) ? 1 : 0;
    }
    return count;
  }

  /** Gives everything back, so that another node need not wait. */
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
