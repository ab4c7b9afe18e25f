package gilmok.redis;

import java.util.List;
import java.util.Locale;

/** The reply to one {@link RedisCall}, or the fault in its place. */
public sealed interface RedisReply {
  /** A string of bytes. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Bytes(byte[] value) implements RedisReply {}

  /** An integer. */
  record Whole(long value) implements RedisReply {}

  /** An array of replies. */
  record Many(List<RedisReply> values) implements RedisReply {}

  /** Null: the key or element does not exist. */
  record Nothing() implements RedisReply {}

  /**
   * The call failed.
   *
   * @param code for {@link Kind#REFUSED} the first word of the server's error, as {@code OOM}; else
   *     empty
   * @param detail in words for people; without secrets
   */
  record Fault(Kind kind, String code, String detail) implements RedisReply {
    private static final int DETAIL_CHARS_MAX = 200;

    /** Shortens the detail, and cuts off arguments that the server repeats. */
    public Fault {
      // A server that does not know a command repeats its arguments, which can be a password.
      int echo = detail.toLowerCase(Locale.ROOT).indexOf(", with args beginning with");
      String told = echo < 0 ? detail : detail.substring(0, echo);
      told = told.isEmpty() ? kind.name().toLowerCase(Locale.ROOT) : told;
      detail =
          told.length() <= DETAIL_CHARS_MAX ? told : told.substring(0, DETAIL_CHARS_MAX - 1) + "…";
    }
  }

  /** How a call can fail. */
  enum Kind {
    /** No connection, or it broke. The command may have been executed all the same. */
    UNREACHABLE,
    /** No answer in time. The command may have been executed all the same. */
    TIMEOUT,
    /** Too many commands are in flight on this connection; this one was not sent. */
    BUSY,
    /** The server answered with an error. */
    REFUSED
  }
}
