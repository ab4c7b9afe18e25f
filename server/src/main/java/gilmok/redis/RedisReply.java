package gilmok.redis;

import java.util.List;
import java.util.Locale;

/** What became of one {@link RedisCall}. */
public sealed interface RedisReply {
  /** A text, or any bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte[] value) implements RedisReply {}

  /** A whole number. */
  record Whole(long value) implements RedisReply {}

  /** Several. */
  record Many(List<RedisReply> values) implements RedisReply {}

  /** There is none such. */
  record Nothing() implements RedisReply {}

  /**
   * It did not work.
   *
   * @param code for {@link Kind#REFUSED} what the server's answer begins with, as in {@code OOM};
   *     else empty
   * @param detail for people; without anything secret
   */
  record Fault(Kind kind, String code, String detail) implements RedisReply {
    private static final int DETAIL_CHARS_MAX = 200;

    /** A fault, its detail cut to a bearable length. */
    public Fault {
      // A server that does not know a command repeats its arguments: they can be a password.
      int echo = detail.toLowerCase(Locale.ROOT).indexOf(", with args beginning with");
      String told = echo < 0 ? detail : detail.substring(0, echo);
      told = told.isEmpty() ? kind.name().toLowerCase(Locale.ROOT) : told;
      detail =
          told.length() <= DETAIL_CHARS_MAX ? told : told.substring(0, DETAIL_CHARS_MAX - 1) + "…";
    }
  }

  /** How something can fail. */
  enum Kind {
    /** No connection, or it broke. The command may have been carried out all the same. */
    UNREACHABLE,
    /** No answer in time. The command may have been carried out all the same. */
    TIMEOUT,
    /** Too much is under way on this connection; it was not sent. */
    BUSY,
    /** The server answered with an error. */
    REFUSED
  }
}
