package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.auth.Sha256;
import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.deliveries.DeliveryMeters.Call;
import gilmok.deliveries.DeliveryMeters.Outcome;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Idempotency;
import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Handles {@code POST /v1/deliveries}: one order, or up to 1,000 of them as an array or NDJSON,
 * each created or refused by itself. Bodies are read on the request's event loop.
 */
final class Creations {
  static final int BODY_BYTES_MAX = 4 << 20;

  /** Most orders of one body. */
  static final int ORDERS_MAX = 1000;

  private static final Set<String> LINES =
      Set.of(
          "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonlines");

  private final DeliveryRoutesContext means;
  private final ThreadLocal<Reading> readings;

  /** The parser of one event loop. */
  private static final class Reading {
    final JsonDocument document = new JsonDocument();
    final Fields fields = new Fields(document);
    final JsonBuffer form = new JsonBuffer();
    final MessageDigest sha256 = Sha256.digest();
    final OrderBody orders;

    Reading(String currency) {
      orders = new OrderBody(document, fields, currency);
    }
  }

  /** One order of a body: to be created, or refused with field and reason. */
  private record Item(@Nullable Wish wish, String field, String reason) {}

  /** The state of one request while its body is read. */
  private static final class Asked {
    final Exchange exchange;
    final @Nullable String key;
    final StepDetails details;
    final List<Item> items = new ArrayList<>();
    boolean isBulk;
    @Nullable Answer refusal;

    Asked(Exchange exchange) {
      this.exchange = exchange;
      this.key = exchange.header(IdempotencyKey.HEADER);
      this.details = StepDetails.NONE.traced(exchange.trace());
    }
  }

  Creations(String currency, DeliveryRoutesContext means) {
    this.means = means;
    readings = ThreadLocal.withInitial(() -> new Reading(currency));
  }

  /** Answers {@code POST /v1/deliveries}. */
  void create(Exchange exchange) {
    Asked asked = new Asked(exchange);
    if (asked.key != null && !IdempotencyKey.isOne(asked.key)) {
      asked.refusal = Answer.invalid(IdempotencyKey.HEADER, IdempotencyKey.REASON);
    } else {
      read(asked, readings.get());
    }
    if (asked.refusal != null) {
      asked.refusal.send(exchange);
      return;
    }
    List<Wish> wishes = new ArrayList<>();
    for (Item item : asked.items) {
      if (item.wish != null) {
        wishes.add(item.wish);
      }
    }
    boolean isBulk = asked.isBulk;
    List<Item> items = asked.items;
    means
        .offload()
        .ask(
            exchange,
            means.meters().call(Call.CREATE),
            () -> isBulk ? all(items, wishes) : one(means.store().create(wishes).getFirst()));
  }

  private void read(Asked asked, Reading reading) {
    byte[] bytes = asked.exchange.bodyBytes();
    int offset = asked.exchange.bodyOffset();
    int length = asked.exchange.bodyLength();
    if (LINES.contains(asked.exchange.contentType())) {
      asked.isBulk = true;
      lines(asked, reading, bytes, offset, offset + length);
      return;
    }
    int root = reading.document.read(bytes, offset, length);
    if (reading.document.isArray(root)) {
      asked.isBulk = true;
      for (int element = reading.document.first(root);
          element != JsonDocument.NONE && asked.refusal == null;
          element = reading.document.next(element)) {
        add(asked, reading, element);
      }
    } else if (reading.document.isObject(root)) {
      add(asked, reading, root);
      Item only = asked.items.getFirst();
      if (asked.refusal == null && only.wish == null) {
        asked.refusal = Answer.invalid(only.field, only.reason);
      }
    } else {
      String reason = root == JsonDocument.NONE ? reading.document.errorReason() : "no object";
      asked.refusal = Answer.unreadable(reason);
    }
    if (asked.refusal == null && asked.items.isEmpty()) {
      asked.refusal = Answer.invalid("body", "nothing in it");
    }
  }

  /** Reads NDJSON. A line that is not JSON is refused by itself. */
  private void lines(Asked asked, Reading reading, byte[] bytes, int start, int end) {
    int from = start;
    while (from < end && asked.refusal == null) {
      int to = from;
      while (to < end && bytes[to] != '\n') {
        to++;
      }
      if (!isBlank(bytes, from, to)) {
        add(asked, reading, reading.document.read(bytes, from, to - from));
      }
      from = to + 1;
    }
    if (asked.refusal == null && asked.items.isEmpty()) {
      asked.refusal = Answer.invalid("body", "nothing in it");
    }
  }

  private void add(Asked asked, Reading reading, int value) {
    if (asked.items.size() == ORDERS_MAX) {
      asked.refusal =
          Answer.refused(Refusal.TOO_LARGE, "body", "over " + ORDERS_MAX + " deliveries at once");
      return;
    }
    DeliveryOrder order = reading.orders.read(value);
    if (order == null) {
      asked.items.add(new Item(null, reading.fields.field(), reading.fields.reason()));
      return;
    }
    Principal principal = asked.exchange.principal();
    if (principal.binding() != null && !principal.mayActFor(Binding.Kind.SHOP, order.shopId())) {
      // As with phones' uploads, one order of somebody else refuses the whole request.
      means.meters().step(Step.CREATE, Outcome.NOT_YOURS);
      asked.refusal = DeliveryAnswer.NOT_YOURS;
    }
    long now = means.clock().millis();
    Delivery first =
        Lifecycle.create(
            DeliveryId.next(now, means.random().get()),
            order,
            "key:" + principal.keyId(),
            now,
            asked.details);
    asked.items.add(new Item(new Wish(first, idempotency(asked, reading, order)), "", ""));
  }

  private static @Nullable Idempotency idempotency(
      Asked asked, Reading reading, DeliveryOrder order) {
    if (asked.key == null) {
      return null;
    }
    reading.form.clear();
    DeliveryJson.write(order, reading.form);
    reading.sha256.update(reading.form.bytes(), 0, reading.form.size());
    String hash = HexFormat.of().formatHex(reading.sha256.digest());
    String scope = IdempotencyKey.scope(asked.exchange.principal());
    // Each order of a bulk request gets a key of its own. A client's key cannot contain a blank, so
    // the two never collide.
    String key = asked.isBulk ? asked.key + " " + asked.items.size() : asked.key;
    return new Idempotency(scope, key, hash);
  }

  private Answer one(Creation creation) {
    note(creation);
    return switch (creation) {
      case Creation.Created created -> DeliveryAnswer.of(201, created.delivery());
      case Creation.Repeated repeated ->
          DeliveryAnswer.of(201, Lifecycle.at(repeated.delivery(), 1));
      case Creation.KeyReused _ -> Answer.of(Refusal.BODY_DIFFERS);
      case Creation.OrderTaken taken ->
          DeliveryAnswer.conflict(
              "orderId",
              "the shop has a delivery of this order",
              "\"delivery\":{\"id\":\"" + taken.deliveryId() + "\"}");
    };
  }

  private Answer all(List<Item> items, List<Wish> wishes) throws IOException, InterruptedException {
    List<Creation> creations = wishes.isEmpty() ? List.of() : means.store().create(wishes);
    return DeliveryAnswer.written(
        200,
        null,
        out -> {
          out.ascii("{\"items\":[");
          int next = 0;
          for (int i = 0; i < items.size(); i++) {
            out.ascii(i == 0 ? "" : ",");
            Item item = items.get(i);
            if (item.wish == null) {
              wrong(Refusal.INVALID.status(), item.field, item.reason, out);
            } else {
              write(creations.get(next++), out);
            }
            out.put('}');
          }
          out.ascii("]}");
        });
  }

  private void write(Creation creation, JsonBuffer out) {
    note(creation);
    switch (creation) {
      case Creation.Created created -> created(created.delivery(), out);
      case Creation.Repeated repeated -> created(Lifecycle.at(repeated.delivery(), 1), out);
      case Creation.KeyReused _ -> wrong(422, "Idempotency-Key", "was used with another body", out);
      case Creation.OrderTaken taken -> {
        wrong(409, "orderId", "the shop has a delivery of this order", out);
        out.ascii(",\"delivery\":{\"id\":").string(taken.deliveryId()).put('}');
      }
    }
  }

  private static void created(Delivery delivery, JsonBuffer out) {
    out.ascii("{\"status\":201,\"delivery\":");
    DeliveryJson.write(delivery, out);
  }

  private static void wrong(int status, String field, String reason, JsonBuffer out) {
    out.ascii("{\"status\":").number((long) status);
    out.ascii(",\"error\":{\"field\":").string(field);
    out.ascii(",\"reason\":").string(reason).put('}');
  }

  private void note(Creation creation) {
    switch (creation) {
      case Creation.Created created -> {
        means.meters().step(Step.CREATE, Outcome.DONE);
        means.changed().accept(created.delivery());
      }
      case Creation.Repeated _ -> means.meters().step(Step.CREATE, Outcome.REPEATED);
      case Creation.KeyReused _ -> means.meters().step(Step.CREATE, Outcome.BODY_DIFFERS);
      case Creation.OrderTaken _ -> means.meters().step(Step.CREATE, Outcome.TAKEN);
    }
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return false;
      }
    }
    return true;
  }
}
