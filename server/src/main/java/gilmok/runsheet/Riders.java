package gilmok.runsheet;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Knows where riders are, and what they have to fetch and to bring. Thread-safe. */
public interface Riders {
  /**
   * Where a rider was last.
   *
   * @param atMillis when, epoch ms
   */
  record Sighting(GroundPoint point, long atMillis) {}

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

  /** Where a rider was last; null when nothing is known. Does not block. */
  @Nullable Sighting latest(String riderId);

  /**
   * What a rider has, in no order. Blocks.
   *
   * @param most no more than so many
   * @throws IOException when it cannot be looked up
   */
  List<Open> open(String riderId, int most) throws IOException, InterruptedException;
}
