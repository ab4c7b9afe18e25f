package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.collect.json.Fields;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The query of {@code GET /v1/deliveries}. A bound key's query is always limited to its own
 * deliveries.
 *
 * @param before only deliveries that sort before this id; null for the first page
 * @param limit deliveries of the page, 1 to {@link #LIMIT_MAX}
 * @param refusal what is wrong with the query; null when nothing is
 */
record ListQuestion(
    DeliveryStore.Filter filter, @Nullable String before, int limit, @Nullable Answer refusal) {
  /** The longest page. */
  static final int LIMIT_MAX = 1000;

  private static final int LIMIT_USUAL = 100;
  private static final long NONE = -2;
  private static final long BAD = -1;
  private static final DeliveryStore.Filter NOTHING =
      new DeliveryStore.Filter(null, null, null, null, null, null);

  /** Reads the query, on the exchange's event loop. */
  static ListQuestion of(Exchange exchange) {
    String limit = exchange.query("limit");
    long most = limit == null ? LIMIT_USUAL : Fields.digits(limit);
    if (most < 1 || most > LIMIT_MAX) {
      return wrong("limit", "must be a number from 1 to " + LIMIT_MAX);
    }
    String cursor = exchange.query("cursor");
    if (cursor != null && !DeliveryId.isOne(cursor)) {
      return wrong("cursor", "must be the next of the page before");
    }
    String named = exchange.query("status");
    Status status = named == null ? null : status(named);
    if (named != null && status == null) {
      return wrong("status", "there is no such status");
    }
    long from = time(exchange.query("from"));
    long to = time(exchange.query("to"));
    if (from == BAD || to == BAD) {
      return wrong(from == BAD ? "from" : "to", "not a time");
    }
    Principal principal = exchange.principal();
    String rider = exchange.query("riderId");
    String shop = exchange.query("shopId");
    String agency = exchange.query("agencyId");
    if (isAnothers(principal, Binding.Kind.RIDER, rider)
        || isAnothers(principal, Binding.Kind.SHOP, shop)
        || isAnothers(principal, Binding.Kind.AGENCY, agency)) {
      return new ListQuestion(NOTHING, null, 1, DeliveryAnswer.NOT_YOURS);
    }
    return new ListQuestion(
        new DeliveryStore.Filter(
            status,
            own(principal, Binding.Kind.RIDER, rider),
            own(principal, Binding.Kind.SHOP, shop),
            own(principal, Binding.Kind.AGENCY, agency),
            from == NONE ? null : from,
            to == NONE ? null : to),
        cursor,
        (int) most,
        null);
  }

  private static long time(@Nullable String text) {
    return text == null ? NONE : Fields.millis(text);
  }

  private static @Nullable Status status(String name) {
    return Arrays.stream(Status.values())
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  /** Whether a bound key asks for another of its own kind, as a shop for another shop. */
  private static boolean isAnothers(Principal principal, Binding.Kind kind, @Nullable String id) {
    Binding binding = principal.binding();
    return id != null && binding != null && binding.kind() == kind && !binding.id().equals(id);
  }

  private static @Nullable String own(
      Principal principal, Binding.Kind kind, @Nullable String asked) {
    Binding binding = principal.binding();
    return binding != null && binding.kind() == kind ? binding.id() : asked;
  }

  private static ListQuestion wrong(String field, String reason) {
    return new ListQuestion(NOTHING, null, 1, Answer.invalid(field, reason));
  }
}
