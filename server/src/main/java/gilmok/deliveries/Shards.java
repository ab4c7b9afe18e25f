package gilmok.deliveries;

import java.util.function.IntConsumer;

/**
 * A set of the {@value DeliveryId#SHARDS} shards of deliveries. Immutable.
 *
 * @param bits one bit for each shard; the lowest is shard 0
 */
public record Shards(long bits) {
  /** All shards. */
  public static final Shards ALL = new Shards(-1L);

  /** The set of one shard. */
  public static Shards of(int shard) {
    return new Shards(1L << shard);
  }

  /** This set with one more shard. */
  public Shards with(int shard) {
    return new Shards(bits | 1L << shard);
  }

  /** Whether the shard is in the set. */
  public boolean has(int shard) {
    return (bits & 1L << shard) != 0;
  }

  /** The number of shards in the set. */
  public int count() {
    return Long.bitCount(bits);
  }

  /** Calls the consumer with each shard, the lowest first. */
  public void forEach(IntConsumer consumer) {
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      consumer.accept(Long.numberOfTrailingZeros(rest));
    }
  }
}
