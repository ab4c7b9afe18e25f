package gilmok.deliveries;

import gilmok.event.RiderAlias;
import java.io.IOException;

/** The stores that a contract is tested with; they are empty when the rig is opened. */
interface StoreRig extends AutoCloseable {
  /** The store of deliveries. */
  DeliveryStore deliveries();

  /** The outbox of those deliveries. */
  Outbox outbox();

  /** Takes old deliveries out of that store. */
  DeliveryRemoval removal();

  /** Puts a pseudonym into the deliveries that a rider had a part in; returns in how many. */
  long rename(RiderAlias alias) throws IOException, InterruptedException;

  /** The store of partners and leases. */
  PartnerStore partners();

  /** Makes a stored delivery unreadable. */
  void damage(String id) throws IOException, InterruptedException;

  /** Makes a stored partner unreadable. */
  void damage(OutboxReader reader, String id) throws IOException, InterruptedException;

  /** The value of a metric; its name includes the labels. */
  double metric(String name);

  @Override
  void close() throws IOException;
}
