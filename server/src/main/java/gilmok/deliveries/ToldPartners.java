package gilmok.deliveries;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The partners that may have been told of a rider by webhooks: those of the deliveries that the
 * rider has or had a part in. Thread-safe; blocks.
 */
public record ToldPartners(DeliveryErasure deliveries, PartnerStore partners) {
  /** Most orders that are named of one partner. */
  private static final int ORDERS_MAX = 50;

  /**
   * One of them.
   *
   * @param partner as in {@code shop shop-1}
   * @param count of how many deliveries
   * @param orders the partner's own ids of the first of them
   */
  public record Told(String partner, long count, List<String> orders) {
    public Told {
      orders = List.copyOf(orders);
    }
  }

  /** What is gathered of one partner. */
  private static final class Gathered {
    final List<String> orders = new ArrayList<>();
    long count;
  }

  /** All of a rider, by id or pseudonym. */
  public List<Told> of(String riderId) throws IOException, InterruptedException {
    Map<OutboxReader, Map<String, Gathered>> all = new TreeMap<>();
    deliveries.each(
        riderId,
        delivery -> {
          for (OutboxReader reader : List.of(OutboxReader.SHOP, OutboxReader.AGENCY)) {
            String partner = reader.partnerId(delivery);
            if (partner != null) {
              Gathered its =
                  all.computeIfAbsent(reader, _ -> new TreeMap<>())
                      .computeIfAbsent(partner, _ -> new Gathered());
              its.count++;
              if (its.orders.size() < ORDERS_MAX) {
                its.orders.add(delivery.order().orderId());
              }
            }
          }
        });
    List<Told> told = new ArrayList<>();
    for (Partner partner : partners.all().partners()) {
      Gathered its = all.getOrDefault(partner.reader(), Map.of()).get(partner.id());
      if (its != null) {
        String kind = partner.reader().name().toLowerCase(Locale.ROOT);
        told.add(new Told(kind + " " + partner.id(), its.count, its.orders));
      }
    }
    return told;
  }
}
