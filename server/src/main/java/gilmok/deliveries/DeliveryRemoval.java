package gilmok.deliveries;

import gilmok.retention.DocumentRemoval;
import gilmok.retention.RemovalPlan;
import java.util.List;

/**
 * Takes old deliveries out of a store, each with its outbox and dead letters. Pages are by id. From
 * an archived plan on, deliveries up to its last id that are not there count as removed ({@link
 * DeliveryStore#removedTo}).
 */
public interface DeliveryRemoval extends DocumentRemoval<StoredDelivery> {
  /** Their name among the kinds of documents. */
  String KIND = "deliveries";

  @Override
  default List<String> causes() {
    return List.of(StoredDelivery.OPEN, StoredDelivery.UNTOLD);
  }

  @Override
  default String removedTo(RemovalPlan plan, long latestMillis) {
    return plan.isArchived() ? plan.last() : "";
  }
}
