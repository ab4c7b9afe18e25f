package gilmok.deliveries;

import java.io.IOException;

/** What the contracts are run against: stores that were empty when it was opened. */
interface StoreRig extends AutoCloseable {
  /** Keeps deliveries. */
  DeliveryStore deliveries();

  /** What is still to be told of those deliveries. */
  Outbox outbox();

  /** Keeps partners and leases. */
  PartnerStore partners();

  /** Has what is kept of a delivery be of a kind that nobody can read. */
  void damage(String id) throws IOException, InterruptedException;

  /** Has what is kept of a partner be of a kind that nobody can read. */
  void damage(Outbox.Reader reader, String id) throws IOException, InterruptedException;

  /** A metric, its name with its labels. */
  double metric(String name);

  @Override
  void close() throws IOException;
}
