package gilmok.http;

/** How a request is answered, found out on a thread of its own. From any thread. */
@FunctionalInterface
public interface Answer {
  /** Sends it. */
  void send(Exchange exchange);

  /** A refusal that its name says all of. */
  static Answer of(Refusal refusal) {
    return exchange -> exchange.refuse(refusal);
  }

  /** A refusal of the request for what one of its parts is. */
  static Answer invalid(String field, String reason) {
    return exchange -> exchange.refuse(Refusal.INVALID, field, reason);
  }

  /**
   * A success with JSON.
   *
   * @param body not copied, and not to be changed afterwards
   */
  static Answer json(byte[] body) {
    return exchange -> exchange.reply(200, "application/json", body);
  }
}
