package gilmok.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The statement entries that were posted, and the sums that statements must have. Thread-safe. */
final class Entries {
  /** The riders with earnings. */
  static final int RIDERS = 20;

  private final List<List<Item>> unanswered = new ArrayList<>();
  private final List<Item> taken = new ArrayList<>();
  private int next;

  /** One statement entry. */
  record Item(int number, long atMillis) {
    String rider() {
      return Entries.rider(number % RIDERS);
    }

    String kind() {
      return number % 3 == 0 ? "incentive" : number % 3 == 1 ? "fee" : "deduction";
    }

    int amount() {
      return 100 + number % 900;
    }

    String json() {
      return String.format(
          Locale.ROOT,
          "{\"id\":\"e-%d\",\"riderId\":\"%s\",\"at\":%d,\"kind\":\"%s\",\"amount\":%d}",
          number,
          rider(),
          atMillis,
          kind(),
          amount());
    }
  }

  /** The sums of a rider's statement. */
  record Sum(long count, long fee, long incentive, long deduction) {
    static final Sum NOTHING = new Sum(0, 0, 0, 0);

    Sum plus(String kind, long amount) {
      return new Sum(
          count + 1,
          fee + (kind.equals("fee") ? amount : 0),
          incentive + (kind.equals("incentive") ? amount : 0),
          deduction + (kind.equals("deduction") ? amount : 0));
    }
  }

  static String rider(int number) {
    return "earner-" + number;
  }

  /** Makes new entries, to be posted. */
  synchronized List<Item> fresh(int count, long atMillis) {
    List<Item> made = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      made.add(new Item(next++, atMillis));
    }
    return made;
  }

  static String json(List<Item> items) {
    return String.join(",", items.stream().map(Item::json).toList());
  }

  synchronized void taken(List<Item> items) {
    taken.addAll(items);
  }

  /** Marks entries without a response: they may be stored, and must be posted again. */
  synchronized void unanswered(List<Item> items) {
    unanswered.add(items);
  }

  synchronized List<List<Item>> takeUnanswered() {
    List<List<Item>> all = List.copyOf(unanswered);
    unanswered.clear();
    return all;
  }

  /** The sums by rider: of the entries that were acknowledged, and of completed deliveries. */
  synchronized Map<String, Sum> sums(List<Order> orders) {
    Map<String, Sum> sums = new TreeMap<>();
    for (int i = 0; i < RIDERS; i++) {
      sums.put(rider(i), Sum.NOTHING);
    }
    for (Item item : taken) {
      sums.computeIfPresent(item.rider(), (_, sum) -> sum.plus(item.kind(), item.amount()));
    }
    for (Order order : orders) {
      if (order.isCompleted()) {
        sums.computeIfPresent(order.rider(), (_, sum) -> sum.plus("fee", order.fee()));
      }
    }
    return sums;
  }
}
