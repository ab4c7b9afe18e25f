package gilmok.redis;

import gilmok.redis.RedisReply.Fault;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The replies to calls that were sent together, as they come. Thread-safe. */
final class PipelinedReplies {
  private final AtomicReferenceArray<@Nullable RedisReply> replies;
  private final AtomicInteger left;
  private final CompletableFuture<List<RedisReply>> all = new CompletableFuture<>();

  PipelinedReplies(int count) {
    replies = new AtomicReferenceArray<>(count);
    left = new AtomicInteger(count);
    if (count == 0) {
      all.complete(List.of());
    }
  }

  /** Notes a reply; the first to each call counts. */
  void put(int i, RedisReply reply) {
    if (replies.compareAndSet(i, null, reply) && left.decrementAndGet() == 0) {
      all.complete(
          IntStream.range(0, replies.length())
              .mapToObj(place -> Objects.requireNonNull(replies.get(place)))
              .toList());
    }
  }

  /** Ends it: whatever is not answered is a fault. */
  void end(Fault fault) {
    for (int i = 0; i < replies.length(); i++) {
      put(i, fault);
    }
  }

  /** When all have come. */
  CompletableFuture<List<RedisReply>> all() {
    return all;
  }
}
