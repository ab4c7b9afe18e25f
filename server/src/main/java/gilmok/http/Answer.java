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

  /**
   * A refusal.
   *
   * @param field what is wrong, as the client names it
   * @param reason why, in a few English words
   */
  static Answer refused(Refusal refusal, String field, String reason) {
    return exchange -> exchange.refuse(refusal, field, reason);
  }

  /** A refusal of the request for what one of its parts is. */
  static Answer invalid(String field, String reason) {
    return refused(Refusal.INVALID, field, reason);
  }

  /** A refusal of what does not fit the present state. */
  static Answer conflict(String field, String reason) {
    return refused(Refusal.CONFLICT, field, reason);
  }

  /** A refusal of a body that is none of the kind that is wanted. */
  static Answer unreadable(String reason) {
    return refused(Refusal.UNREADABLE, "body", reason);
  }

  /** A success without a body. */
  static Answer empty(int status) {
    return exchange -> exchange.reply(status);
  }

  /**
   * A success with JSON.
   *
   * @param body not copied, and not to be changed afterwards
   */
  static Answer json(byte[] body) {
    return json(200, body);
  }

  /**
   * A success with JSON.
   *
   * @param body not copied, and not to be changed afterwards
   */
  static Answer json(int status, byte[] body) {
    return exchange -> exchange.reply(status, "application/json", body);
  }
}
