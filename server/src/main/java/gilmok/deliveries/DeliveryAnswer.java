package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.observe.PartTimes;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The successful answer to a request about deliveries, made on a thread that may block.
 *
 * @param of the delivery whose id and version the headers name; null for none
 */
record DeliveryAnswer(int status, @Nullable Delivery of, JsonBuffer body) implements Answer {
  /** The path of deliveries. */
  static final String PATH = "/v1/deliveries";

  /** The refusal of an unknown id. */
  static final Answer UNKNOWN = Answer.refused(Refusal.NOT_FOUND, "id", "no such delivery");

  /** The refusal of an id that was removed after {@code deliveries.keep}. */
  static final Answer REMOVED =
      Answer.refused(Refusal.GONE, "id", "the delivery is no longer kept");

  /** The refusal of a key that is bound to somebody else. */
  static final Answer NOT_YOURS =
      Answer.refused(Refusal.NOT_YOURS, "key", "bound to somebody else");

  /** The refusal of a delivery that is not there. */
  static Answer missing(DeliveryStore store, String id) throws IOException, InterruptedException {
    return id.compareTo(store.removedTo()) <= 0 ? REMOVED : UNKNOWN;
  }

  /** The answer with a delivery in its present state. */
  static DeliveryAnswer of(int status, Delivery delivery) {
    return written(status, delivery, out -> DeliveryJson.write(delivery, out));
  }

  /** An answer that is written now, as a part of its request's time. */
  static DeliveryAnswer written(int status, @Nullable Delivery of, Consumer<JsonBuffer> writing) {
    return PartTimes.worked(
        PartTimes.SERIALISE,
        () -> {
          JsonBuffer out = new JsonBuffer();
          writing.accept(out);
          return new DeliveryAnswer(status, of, out);
        });
  }

  /**
   * A refusal because of the present state; {@code members} are further JSON members that describe
   * it.
   */
  static Answer conflict(String field, String reason, String members) {
    return exchange -> exchange.refuse(Refusal.CONFLICT, field, reason, members);
  }

  @Override
  public void send(Exchange exchange) {
    byte[] bytes = body.copy();
    if (of == null) {
      exchange.reply(status, "application/json", bytes);
    } else {
      exchange.execute(
          () -> {
            exchange.replyHeader("ETag", "\"" + of.version() + "\"");
            if (status == 201) {
              exchange.replyHeader("Location", PATH + "/" + of.id());
            }
            exchange.reply(status, "application/json", bytes);
          });
    }
  }
}
