package gilmok.statements;

import gilmok.event.DayRange;
import gilmok.event.JsonBuffer;
import java.time.LocalDate;
import java.util.List;

/** The JSON of statements and of the results of adding entries. Thread-safe. */
final class StatementJson {
  private static final int PLACES = 3;

  private StatementJson() {}

  /** Writes the beginning of a statement: rider, dates and currency. The object stays open. */
  static void begin(StatementQuestion asked, JsonBuffer out) {
    out.ascii("{\"riderId\":").string(asked.riderId());
    date(",\"from\":\"", asked.days().date(0), out);
    date("\",\"to\":\"", asked.days().date(asked.days().count() - 1), out);
    out.ascii("\",\"currency\":\"").ascii(asked.currency()).put('"');
  }

  /**
   * Writes the days that have entries, the total, and the currencies left out. Closes the object.
   */
  static void end(DayRange days, DaySums sums, JsonBuffer out) {
    out.ascii(",\"days\":[");
    long count = 0;
    long fee = 0;
    long incentive = 0;
    long deduction = 0;
    long distance = 0;
    for (int day = 0; day < sums.days(); day++) {
      if (sums.count(day) == 0) {
        continue;
      }
      date(count == 0 ? "{\"date\":\"" : ",{\"date\":\"", days.date(day), out);
      out.ascii("\",\"count\":").number((long) sums.count(day));
      sums(sums.fee(day), sums.incentive(day), sums.deduction(day), sums.distance(day), out);
      count += sums.count(day);
      fee = Math.addExact(fee, sums.fee(day));
      incentive = Math.addExact(incentive, sums.incentive(day));
      deduction = Math.addExact(deduction, sums.deduction(day));
      distance = Math.addExact(distance, sums.distance(day));
    }
    out.ascii("],\"total\":{\"count\":").number(count);
    sums(fee, incentive, deduction, distance, out);
    some(",\"otherCurrencies\":", List.copyOf(sums.otherCurrencies()), out);
  }

  /** Writes the sums of a day or of the total. Closes their object. */
  private static void sums(
      long fee, long incentive, long deduction, long distance, JsonBuffer out) {
    out.ascii(",\"fee\":").number(fee);
    out.ascii(",\"incentive\":").number(incentive);
    out.ascii(",\"deduction\":").number(deduction);
    out.ascii(",\"net\":").number(Math.subtractExact(Math.addExact(fee, incentive), deduction));
    out.ascii(",\"distance\":").decimal(distance, PLACES).put('}');
  }

  /** Writes an entry in the form it is posted in, with its time in UTC. */
  static void write(StatementEntry entry, JsonBuffer out) {
    out.ascii("{\"id\":").string(entry.id());
    out.ascii(",\"riderId\":").string(entry.riderId());
    out.ascii(",\"at\":").time(entry.atMillis());
    out.ascii(",\"kind\":\"").ascii(entry.kind().label());
    out.ascii("\",\"amount\":").number(entry.amount());
    out.ascii(",\"currency\":\"").ascii(entry.currency()).put('"');
    String deliveryId = entry.deliveryId();
    if (deliveryId != null) {
      out.ascii(",\"deliveryId\":").string(deliveryId);
    }
    if (entry.distance() > 0) {
      out.ascii(",\"distance\":").decimal(entry.distance(), PLACES);
    }
    out.put('}');
  }

  /** Writes the result of adding entries. */
  static void added(long accepted, long duplicates, List<String> differing, JsonBuffer out) {
    out.ascii("{\"accepted\":").number(accepted);
    out.ascii(",\"duplicates\":").number(duplicates);
    some(",\"differing\":", differing, out);
  }

  /** Writes a last member unless it is empty. Closes the object. */
  private static void some(String name, List<String> texts, JsonBuffer out) {
    if (!texts.isEmpty()) {
      out.ascii(name).strings(texts);
    }
    out.put('}');
  }

  /** Writes an ISO 8601 date; the year must have four digits. */
  private static void date(String before, LocalDate date, JsonBuffer out) {
    out.ascii(before).number((long) date.getYear()).put('-');
    two(date.getMonthValue(), out).put('-');
    two(date.getDayOfMonth(), out);
  }

  private static JsonBuffer two(int number, JsonBuffer out) {
    return out.put((char) ('0' + number / 10)).put((char) ('0' + number % 10));
  }
}
