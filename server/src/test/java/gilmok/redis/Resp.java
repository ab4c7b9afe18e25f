package gilmok.redis;

import io.lettuce.core.protocol.RedisStateMachine;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Replies of Redis in the bytes of its protocol, for tests that need no server. */
public final class Resp {
  private final StringBuilder bytes = new StringBuilder();

  /** Begins an array of so many values. */
  public Resp array(int elements) {
    bytes.append('*').append(elements).append("\r\n");
    return this;
  }

  /** Adds strings. */
  public Resp texts(String... texts) {
    for (String text : texts) {
      int length = text.getBytes(StandardCharsets.UTF_8).length;
      bytes.append('$').append(length).append("\r\n").append(text).append("\r\n");
    }
    return this;
  }

  /** Adds a number. */
  public Resp number(long number) {
    bytes.append(':').append(number).append("\r\n");
    return this;
  }

  /** Adds an array that is null: XREAD has waited in vain. */
  public Resp nothing() {
    bytes.append("*-1\r\n");
    return this;
  }

  /** Adds another's values. */
  public Resp all(Resp other) {
    bytes.append(other.bytes);
    return this;
  }

  /** Puts them into a reply, as the driver does; they come in pieces of some bytes. */
  public FlatReply into(FlatReply reply) {
    FlatReplyOutput output = new FlatReplyOutput(reply);
    byte[] wire = bytes.toString().getBytes(StandardCharsets.UTF_8);
    RedisStateMachine machine = new RedisStateMachine();
    var buffer = Unpooled.buffer(wire.length);
    boolean isWhole = false;
    for (int from = 0; from < wire.length; from += 7) {
      buffer.writeBytes(wire, from, Math.min(7, wire.length - from));
      isWhole = machine.decode(buffer, output);
    }
    if (!isWhole || !output.get().equals(new RedisReply.Whole(reply.count()))) {
      throw new AssertionError("not one whole reply: " + bytes);
    }
    return reply;
  }
}
