package gilmok.http;

import gilmok.observe.PartTimes;
import java.util.function.Supplier;

/**
 * The answer to a request, worked out on a thread other than the event loop. {@link #send} can be
 * called from any thread.
 */
@FunctionalInterface
public interface Answer {
  /** Sends the answer. */
  void send(Exchange exchange);

  /** A refusal that needs no field and no reason. */
  static Answer of(Refusal refusal) {
    return exchange -> exchange.refuse(refusal);
  }

  /**
   * A refusal with a field and a reason.
   *
   * @param field what is wrong, as the client names it
   * @param reason why, in a few English words that {@code reasons-ko.txt} has in Korean
   */
  static Answer refused(Refusal refusal, String field, String reason) {
    return exchange -> exchange.refuse(refusal, field, reason);
  }

  /** A refusal because one part of the request is invalid. */
  static Answer invalid(String field, String reason) {
    return refused(Refusal.INVALID, field, reason);
  }

  /** A refusal because the request conflicts with the present state. */
  static Answer conflict(String field, String reason) {
    return refused(Refusal.CONFLICT, field, reason);
  }

  /** A refusal because the body is not of the wanted kind. */
  static Answer unreadable(String reason) {
    return refused(Refusal.UNREADABLE, "body", reason);
  }

  /**
   * A success with JSON that is written now, as a part of its request's time.
   *
   * @param body writes it
   */
  static Answer written(int status, Supplier<byte[]> body) {
    return json(status, PartTimes.worked(PartTimes.SERIALISE, body));
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
