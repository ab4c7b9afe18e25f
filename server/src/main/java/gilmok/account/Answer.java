package gilmok.account;

import gilmok.event.JsonBuffer;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How a request is answered, found out on a thread of its own. */
sealed interface Answer {
  /** What every route of an unknown id says. */
  Refused NOT_FOUND = new Refused(Refusal.NOT_FOUND, "id", "nothing is known under it");

  /** Sends it. From any thread. */
  void send(Exchange exchange);

  /** A success; null for one without a body. */
  record Done(int status, @Nullable JsonBuffer body) implements Answer {
    @Override
    public void send(Exchange exchange) {
      if (body == null) {
        exchange.reply(status);
      } else {
        exchange.reply(status, "application/json", Arrays.copyOf(body.bytes(), body.size()));
      }
    }
  }

  /** A refusal, with what is wrong and why. */
  record Refused(Refusal refusal, String field, String reason) implements Answer {
    static Refused invalid(String field, String reason) {
      return new Refused(Refusal.INVALID, field, reason);
    }

    static Refused conflict(String field, String reason) {
      return new Refused(Refusal.CONFLICT, field, reason);
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
