package gilmok.runsheet;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The positions of riders and their open deliveries. Thread-safe. */
public interface Riders {
  /**
   * The latest position of a rider.
   *
   * @param atMillis when the rider was there, epoch ms
   */
  record Sighting(GroundPoint point, long atMillis) {}

  /**
   * An open delivery of a rider.
   *
   * @param orderId the shop's name for it
   * @param readyAtMillis epoch ms; null if unknown
   * @param dueByMillis epoch ms; null if unknown
   * @param pickedUp whether it is already on board
   */
  record Open(
      String deliveryId,
      String orderId,
      GroundPoint pickup,
      GroundPoint dropoff,
      @Nullable Long readyAtMillis,
      @Nullable Long dueByMillis,
      boolean pickedUp) {}

  /** The latest position of a rider; null if unknown. Does not block. */
  @Nullable Sighting latest(String riderId);

  /**
   * The open deliveries of a rider, in no order. Blocks.
   *
   * @param most the largest number to return
   * @throws IOException when they cannot be read
   */
  List<Open> open(String riderId, int most) throws IOException, InterruptedException;
}
