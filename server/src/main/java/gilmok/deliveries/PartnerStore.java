package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores partners, and the leases of shards. Changes are durable on return. Thread-safe; calls
 * block.
 */
public interface PartnerStore {
  /** How many nodes can share the shards: each holds a seat, and so they count each other. */
  int SEATS = 16;

  /** The number of leases: one for each shard, then one for each seat. */
  int LEASES = DeliveryId.SHARDS + SEATS;

  /**
   * All partners.
   *
   * @param partners those that can be read
   * @param unreadable the others, so that they are not taken for missing
   */
  record Kept(List<Partner> partners, List<UnreadablePartner> unreadable) {}

  /** Adds a partner, or changes the one of that reader and id. */
  void put(Partner partner) throws IOException, InterruptedException;

  /** All partners. There are few: callers keep them in memory and read them again regularly. */
  Kept all() throws IOException, InterruptedException;

  /**
   * The partner of that kind and id; null when there is none.
   *
   * @throws UnreadablePartner when it exists but cannot be read
   */
  @Nullable Partner find(OutboxReader reader, String id) throws IOException, InterruptedException;

  /**
   * Takes or renews a lease: until it ends no other node sends the shard's webhooks.
   *
   * @param shard 0 to {@link DeliveryId#SHARDS} - 1; or a seat, up to {@link #LEASES} - 1
   * @param holder the node's id
   * @param untilMillis when the lease ends unless it is renewed, epoch ms
   * @return false when another node holds it
   */
  boolean lease(int shard, String holder, long nowMillis, long untilMillis)
      throws IOException, InterruptedException;

  /** Releases a lease if that node holds it. */
  void release(int shard, String holder) throws IOException, InterruptedException;
}
