package gilmok.statements;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.Reason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads entries out of a document. Not thread-safe, as the document is not.
 *
 * @param currency the currency of entries that name none
 * @param mayBeOfDelivery whether it may be an entry that this server has made of a delivery
 */
record EntryReader(JsonDocument document, Fields fields, String currency, boolean mayBeOfDelivery) {
  /** The prefix of the ids of entries for completed deliveries. */
  static final String OF_DELIVERY = "delivery:";

  private static final Set<String> MEMBERS =
      Set.of("id", "riderId", "at", "kind", "amount", "currency", "deliveryId", "distance");
  private static final int ID_CHARS_MAX = 128;

  /** The decimals of a metre that make a millimetre. */
  private static final int PLACES = 3;

  /**
   * Reads the entry at that value; null when something is wrong, which {@code fields} then
   * describe.
   */
  @Nullable StatementEntry read(int value) {
    fields.begin();
    if (!document.isObject(value)) {
      fields.wrong("body", Reason.NOT_AN_OBJECT);
      return null;
    }
    fields.only(value, "", MEMBERS);
    String id = fields.need(value, "", "id", ID_CHARS_MAX);
    if (id.startsWith(OF_DELIVERY) && !mayBeOfDelivery) {
      fields.wrong("id", "begins as those of completed deliveries do");
    }
    String riderId = fields.need(value, "", "riderId", ID_CHARS_MAX);
    Long at = fields.time(value, "", "at");
    if (at == null) {
      fields.wrong("at", Reason.MISSING);
    }
    EntryKind kind = kind(value);
    long amount = amount(value);
    String in = fields.text(value, "", "currency", 3);
    if (in != null && !isCurrency(in)) {
      fields.wrong("currency", "not three capital letters");
    }
    String deliveryId = fields.text(value, "", "deliveryId", ID_CHARS_MAX);
    long distance = distance(value);
    if (!fields.isGood() || at == null || kind == null) {
      return null;
    }
    return new StatementEntry(
        id, riderId, at, kind, amount, in == null ? currency : in, deliveryId, distance);
  }

  /** Whether a text has the form of an ISO 4217 code: three capitals. */
  static boolean isCurrency(String code) {
    return code.length() == 3 && code.chars().allMatch(c -> c >= 'A' && c <= 'Z');
  }

  private @Nullable EntryKind kind(int entry) {
    String label = fields.need(entry, "", "kind", ID_CHARS_MAX);
    EntryKind kind = EntryKind.ofLabel(label);
    if (kind == null) {
      fields.wrong("kind", "must be fee, incentive or deduction");
    }
    return kind;
  }

  private long amount(int entry) {
    int value = document.member(entry, "amount");
    String spelled = document.isNumber(value) ? document.scalar(value) : null;
    if (document.isNull(value)) {
      fields.wrong("amount", Reason.MISSING);
    } else if (spelled == null) {
      fields.wrong("amount", Reason.NOT_A_NUMBER);
    } else if (spelled.startsWith("-")) {
      fields.wrong("amount", "negative: what is taken off is of the kind deduction");
    } else {
      long amount = Fields.digits(spelled);
      if (amount < 0 || amount > StatementEntry.AMOUNT_MAX) {
        fields.wrong("amount", "not a whole number of minor units up to 1000000000000");
      }
      return amount;
    }
    return 0;
  }

  /** Reads a distance in metres with at most three decimals, as whole millimetres. */
  private long distance(int entry) {
    int value = document.member(entry, "distance");
    if (document.isNull(value)) {
      return 0;
    }
    String spelled = document.isNumber(value) ? document.scalar(value) : null;
    if (spelled == null) {
      fields.wrong("distance", Reason.NOT_A_NUMBER);
      return 0;
    }
    int point = spelled.indexOf('.');
    String whole = point < 0 ? spelled : spelled.substring(0, point);
    String part = point < 0 ? "" : spelled.substring(point + 1);
    long millimetres = -1;
    if (part.length() <= PLACES && whole.length() + PLACES <= 16) {
      millimetres = Fields.digits(whole + part + "0".repeat(PLACES - part.length()));
    }
    if (millimetres < 0 || millimetres > StatementEntry.DISTANCE_MAX) {
      fields.wrong("distance", "not metres from 0 to 10000000 with at most 3 decimals");
    }
    return millimetres;
  }
}
