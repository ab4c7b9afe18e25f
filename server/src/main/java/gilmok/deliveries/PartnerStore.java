package gilmok.deliveries;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps partners, and who tells which shard. Durable on return. Calls block. */
public interface PartnerStore {
  /** By so many numbers nodes that share the shards count each other. */
  int SEATS = 16;

  /** How many leases there are: one for each shard, then one for each seat. */
  int LEASES = DeliveryId.SHARDS + SEATS;

  /**
   * All partners.
   *
   * @param partners those that can be read
   * @param unreadable the others, so that nobody takes them for partners that there are not
   */
  record Kept(List<Partner> partners, List<UnreadablePartner> unreadable) {}

  /** Adds a partner, or changes the one of that reader and id. */
  void put(Partner partner) throws IOException, InterruptedException;

  /** All of them: there are few, they are kept in memory and read anew now and then. */
  Kept all() throws IOException, InterruptedException;

  /**
   * The partner of that kind and id; null when there is none.
   *
   * @throws UnreadablePartner when there is one, and what is kept of it cannot be read
   */
  @Nullable Partner find(Outbox.Reader reader, String id) throws IOException, InterruptedException;

  /**
   * Takes or renews the lease of a shard: until then nobody else tells its deliveries.
   *
   * @param shard 0 to {@link DeliveryId#SHARDS} - 1; or a seat, to {@link #LEASES} - 1
   * @param holder the node
   * @param untilMillis when it ends unless it is renewed, epoch ms
   * @return false when another node has it
   */
  boolean lease(int shard, String holder, long nowMillis, long untilMillis)
      throws IOException, InterruptedException;

  /** Gives a lease back, if it is that holder's. */
  void release(int shard, String holder) throws IOException, InterruptedException;
}
