package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A success of a request about deliveries, found out on a thread of its own.
 *
 * @param of the delivery that it is about, named by its headers; null for none
 */
record DeliveryAnswer(int status, @Nullable Delivery of, JsonBuffer body) implements Answer {
  /** Where deliveries are. */
  static final String PATH = "/v1/deliveries";

  /** There is no delivery of that id. */
  static final Answer UNKNOWN = Answer.refused(Refusal.NOT_FOUND, "id", "no such delivery");

  /** It is somebody else's. */
  static final Answer NOT_YOURS =
      Answer.refused(Refusal.NOT_YOURS, "key", "bound to somebody else");

  /** A delivery, as it is. */
  static DeliveryAnswer of(int status, Delivery delivery) {
    JsonBuffer out = new JsonBuffer();
    DeliveryJson.write(delivery, out);
    return new DeliveryAnswer(status, delivery, out);
  }

  /** What does not fit what there is, of which {@code members} say more. */
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
