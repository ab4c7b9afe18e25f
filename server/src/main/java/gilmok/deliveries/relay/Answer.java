package gilmok.deliveries.relay;

import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import java.util.Arrays;

/** How a request is answered, found out on a thread of its own. */
sealed interface Answer {
  /** Nobody of that kind and id. */
  Refused NOT_FOUND = new Refused(Refusal.NOT_FOUND, "id", "there is no such partner");

  /** Somebody else's. */
  Refused NOT_YOURS = new Refused(Refusal.NOT_YOURS, "key", "bound to somebody else");

  /** Sends it. From any thread. */
  void send(Exchange exchange);

  /** A success. */
  record Done(int status, JsonBuffer body) implements Answer {
    @Override
    public void send(Exchange exchange) {
      exchange.reply(status, "application/json", Arrays.copyOf(body.bytes(), body.size()));
    }
  }

  /** A refusal, with what is wrong and why. */
  record Refused(Refusal refusal, String field, String reason) implements Answer {
    static Refused invalid(String field, String reason) {
      return new Refused(Refusal.INVALID, field, reason);
    }

    static Refused unreadable() {
      return new Refused(Refusal.UNREADABLE, "body", "not a JSON object");
    }

    @Override
    public void send(Exchange exchange) {
      exchange.refuse(refusal, field, reason);
    }
  }

  /** A refusal that its name says all of. */
  record Plain(Refusal refusal) implements Answer {
    @Override
    public void send(Exchange exchange) {
      exchange.refuse(refusal);
    }
  }
}
