package gilmok.deliveries.relay;

/** Is asked before a partner is told which rider has a delivery. Thread-safe. */
@FunctionalInterface
public interface RiderDisclosure {
  /**
   * Notes it; false when it cannot be noted, and the partner is not told now.
   *
   * @param partner as in {@code shop/s-17}
   */
  boolean note(String riderId, String partner);
}
