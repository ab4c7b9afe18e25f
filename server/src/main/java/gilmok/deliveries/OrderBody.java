package gilmok.deliveries;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.Reason;
import java.util.Currency;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads orders from the bodies of {@code POST /v1/deliveries}.
 *
 * <p>Not thread-safe: one for each event loop.
 *
 * @param currency the currency of fees that name none
 */
record OrderBody(JsonDocument document, Fields fields, String currency) {
  /** The members of an order. */
  static final Set<String> MEMBERS =
      Set.of(
          "orderId",
          "shopId",
          "agencyId",
          "customerId",
          "pickup",
          "dropoff",
          "fee",
          "currency",
          "readyAt",
          "dueBy",
          "comment");

  private static final Set<String> PICKUP = Set.of("lat", "lon", "address");
  private static final Set<String> DROPOFF = Set.of("lat", "lon", "address", "phone");
  private static final Set<String> CURRENCIES =
      Currency.getAvailableCurrencies().stream()
          .map(Currency::getCurrencyCode)
          .collect(Collectors.toUnmodifiableSet());
  private static final int ID_CHARS_MAX = 128;
  private static final int ADDRESS_CHARS_MAX = 512;
  private static final int PHONE_CHARS_MAX = 64;
  private static final int COMMENT_CHARS_MAX = 2000;

  /** Whether a text is a currency code of ISO 4217. */
  static boolean isCurrency(String code) {
    return CURRENCIES.contains(code);
  }

  /**
   * Reads the order at that value; null when something is wrong, which {@code fields} then
   * describe.
   */
  @Nullable DeliveryOrder read(int value) {
    fields.begin();
    if (!document.isObject(value)) {
      fields.wrong("body", Reason.NOT_AN_OBJECT);
      return null;
    }
    fields.only(value, "", MEMBERS);
    DeliveryOrder order = order(value);
    return fields.isGood() ? order : null;
  }

  /** Reads the order's members of an object that may have others. */
  DeliveryOrder order(int value) {
    Long readyAt = fields.time(value, "", "readyAt");
    Long dueBy = fields.time(value, "", "dueBy");
    if (readyAt != null && dueBy != null && dueBy < readyAt) {
      fields.wrong("dueBy", "is before readyAt");
    }
    return new DeliveryOrder(
        fields.need(value, "", "orderId", ID_CHARS_MAX),
        fields.need(value, "", "shopId", ID_CHARS_MAX),
        fields.text(value, "", "agencyId", ID_CHARS_MAX),
        fields.text(value, "", "customerId", ID_CHARS_MAX),
        place(value, "pickup", "pickup.", PICKUP),
        place(value, "dropoff", "dropoff.", DROPOFF),
        new OrderTerms(
            fields.whole(value, "", "fee", OrderTerms.FEE_MAX),
            currency(value),
            readyAt,
            dueBy,
            fields.lines(value, "", "comment", COMMENT_CHARS_MAX)));
  }

  private DeliveryPlace place(int order, String name, String prefix, Set<String> members) {
    int place = fields.object(order, name);
    if (place == JsonDocument.NONE) {
      fields.wrong(name, Reason.MISSING);
      return new DeliveryPlace(0, 0, "", null);
    }
    fields.only(place, prefix, members);
    return new DeliveryPlace(
        degrees(place, prefix, "lat", 90),
        degrees(place, prefix, "lon", 180),
        fields.need(place, prefix, "address", ADDRESS_CHARS_MAX),
        fields.text(place, prefix, "phone", PHONE_CHARS_MAX));
  }

  private double degrees(int place, String prefix, String name, int max) {
    Double degrees = fields.number(place, prefix, name, -max, max);
    if (degrees == null) {
      fields.wrong(prefix + name, Reason.MISSING);
      return 0;
    }
    return degrees;
  }

  private @Nullable String currency(int order) {
    String code = fields.text(order, "", "currency", 3);
    if (document.isNull(document.member(order, "fee"))) {
      if (code != null) {
        fields.wrong("currency", "only with fee");
      }
      return null;
    }
    if (code == null) {
      return currency;
    }
    if (!isCurrency(code)) {
      fields.wrong("currency", "not a code of ISO 4217");
    }
    return code;
  }
}
