package gilmok.deliveries;

import java.io.IOException;

/** The stores that a contract is tested with; they are empty when the rig is opened. */
interface StoreRig extends AutoCloseable {
  /** The store of deliveries. */
  DeliveryStore deliveries();

  /** The outbox of those deliveries. */
  Outbox outbox();

  /** Takes old deliveries out of that store. */
  DeliveryRemoval removal();

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
