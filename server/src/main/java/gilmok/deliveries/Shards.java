package gilmok.deliveries;

import java.util.function.IntConsumer;

/**
 * Some of the {@value DeliveryId#SHARDS} shards of deliveries. Immutable.
 *
 * @param bits a bit for each, from the lowest
 */
public record Shards(long bits) {
  /** All of them. */
  public static final Shards ALL = new Shards(-1L);

  /** One. */
  public static Shards of(int shard) {
    return new Shards(1L << shard);
  }

  /** These, and one more. */
  public Shards with(int shard) {
    return new Shards(bits | 1L << shard);
  }

  /** Whether it is one of these. */
  public boolean has(int shard) {
    return (bits & 1L << shard) != 0;
  }

  /** How many. */
  public int count() {
    return Long.bitCount(bits);
  }

  /** Each in turn, from the lowest. */
  public void forEach(IntConsumer consumer) {
    for (long rest = bits; rest != 0; rest &= rest - 1) {
      consumer.accept(Long.numberOfTrailingZeros(rest));
    }
  }
}
