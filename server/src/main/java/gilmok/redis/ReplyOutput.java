package gilmok.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link RedisReply} from what the driver decodes of one answer. (The driver's own outputs
 * each expect one type of answer.) It never sees an error: the command fails with it.
 *
 * <p>Not thread-safe: owned by the driver's thread.
 */
final class ReplyOutput extends CommandOutput<byte[], byte[], RedisReply> {
  private record Open(int count, List<RedisReply> replies) {}

  private final Deque<Open> open = new ArrayDeque<>();

  ReplyOutput() {
    super(ByteArrayCodec.INSTANCE, new RedisReply.Nothing());
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      add(new RedisReply.Nothing());
    } else {
      byte[] value = new byte[bytes.remaining()];
      bytes.get(value);
      add(new RedisReply.Bytes(value));
    }
  }

  @Override
  public void setSingle(ByteBuffer bytes) {
    set(bytes);
  }

  @Override
  public void set(long number) {
    add(new RedisReply.Whole(number));
  }

  @Override
  public void multi(int count) {
    if (count < 0) {
      add(new RedisReply.Nothing());
    } else if (count == 0) {
      add(new RedisReply.Many(List.of()));
    } else {
      open.push(new Open(count, new ArrayList<>()));
    }
  }

  private void add(RedisReply reply) {
    RedisReply added = reply;
    while (!open.isEmpty()) {
      Open last = open.getFirst();
      last.replies().add(added);
      if (last.replies().size() < last.count()) {
        return;
      }
      open.pop();
      added = new RedisReply.Many(last.replies());
    }
    output = added;
  }
}
