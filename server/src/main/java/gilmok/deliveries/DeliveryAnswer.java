package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import org.jspecify.annotations.Nullable;

/** How a request about deliveries is answered, found out on a thread of its own. */
sealed interface DeliveryAnswer extends gilmok.http.Answer {
  /** Where deliveries are. */
  String PATH = "/v1/deliveries";

  /** There is no delivery of that id. */
  DeliveryAnswer UNKNOWN = new Refused(Refusal.NOT_FOUND, "id", "no such delivery", "");

  /** It is somebody else's. */
  DeliveryAnswer NOT_YOURS = new Refused(Refusal.NOT_YOURS, "key", "bound to somebody else", "");

  /**
   * A success.
   *
   * @param of the delivery that it is about, named by its headers; null for none
   */
  record Done(int status, @Nullable Delivery of, JsonBuffer body) implements DeliveryAnswer {
    /** A delivery, as it is. */
    static Done of(int status, Delivery delivery) {
      JsonBuffer out = new JsonBuffer();
      DeliveryJson.write(delivery, out);
      return new Done(status, delivery, out);
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

  /**
   * A refusal.
   *
   * @param members what else it says, as JSON; empty for nothing
   */
  record Refused(Refusal refusal, String field, String reason, String members)
      implements DeliveryAnswer {
    @Override
    public void send(Exchange exchange) {
      exchange.refuse(refusal, field, reason, members);
    }
  }

  /** A refusal that its name says all of. */
  record Plain(Refusal refusal) implements DeliveryAnswer {
    @Override
    public void send(Exchange exchange) {
      exchange.refuse(refusal);
    }
  }
}
