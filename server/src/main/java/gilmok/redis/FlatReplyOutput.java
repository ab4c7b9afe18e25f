package gilmok.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Puts what the driver decodes of one answer into a {@link FlatReply}. It never sees an error: the
 * command fails with it.
 *
 * <p>Not thread-safe: owned by the driver's thread.
 */
final class FlatReplyOutput extends CommandOutput<byte[], byte[], RedisReply> {
  private final FlatReply values;

  FlatReplyOutput(FlatReply values) {
    super(ByteArrayCodec.INSTANCE, new RedisReply.Nothing());
    this.values = values;
    values.clear();
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      values.addNothing();
    } else {
      values.add(bytes);
    }
  }

  @Override
  public void setSingle(ByteBuffer bytes) {
    set(bytes);
  }

  @Override
  public void set(long number) {
    values.add(ByteBuffer.wrap(Long.toString(number).getBytes(StandardCharsets.US_ASCII)));
  }

  @Override
  public void multi(int count) {
    if (count < 0) {
      values.addNothing();
    } else {
      values.addArray(count);
    }
  }

  @Override
  public RedisReply get() {
    return new RedisReply.Whole(values.count());
  }
}
