package gilmok.runsheet;

import gilmok.http.Exchange;
import gilmok.http.Refusal;

/** How a request for a run sheet is answered. */
sealed interface Answer {
  /** There is more to plan than can be planned in time. */
  Answer BUSY = new Plain(Refusal.BUSY);

  /** Sends it. From any thread. */
  void send(Exchange exchange);

  /** A success, as JSON that nobody changes any more. */
  @SuppressWarnings("ArrayRecordComponent")
  record Done(byte[] json) implements Answer {
    @Override
    public void send(Exchange exchange) {
      exchange.reply(200, "application/json", json);
    }
  }

  /** A refusal that says what is wrong. */
  record Refused(Refusal refusal, String field, String reason) implements Answer {
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
