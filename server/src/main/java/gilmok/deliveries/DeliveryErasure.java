package gilmok.deliveries;

import gilmok.event.RiderAlias;
import java.io.IOException;
import java.util.function.Consumer;

/**
 * Puts a rider's pseudonym into the deliveries that the rider has or had a part in ({@link
 * RenamedRider}). Who has left a delivery is in its history alone, so all deliveries are looked at.
 * Thread-safe; calls block.
 */
public interface DeliveryErasure {
  /** Renames; returns how many deliveries have changed. */
  long rename(RiderAlias alias) throws IOException, InterruptedException;

  /** Gives those that a rider has or had a part in, as far as they can be read. */
  void each(String riderId, Consumer<Delivery> taker) throws IOException, InterruptedException;
}
