package gilmok.runsheet;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows what riders have to fetch and to bring. Thread-safe; blocks. */
@FunctionalInterface
public interface OpenDeliveries {
  /**
   * A delivery that a rider has.
   *
   * @param orderId what its shop calls it
   * @param readyAtMillis epoch ms; null when not said
   * @param dueByMillis epoch ms; null when not said
   * @param pickedUp whether it is on board already
   */
  record Open(
      String deliveryId,
      String orderId,
      GroundPoint pickup,
      GroundPoint dropoff,
      @Nullable Long readyAtMillis,
      @Nullable Long dueByMillis,
      boolean pickedUp) {}

  /**
   * What a rider has, in no order.
   *
   * @param most no more than so many
   * @throws IOException when it cannot be looked up
   */
  List<Open> of(String riderId, int most) throws IOException, InterruptedException;
}
