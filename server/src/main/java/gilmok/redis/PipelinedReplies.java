package gilmok.redis;

import gilmok.redis.RedisReply.Fault;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Collects the replies to calls that were sent in one pipeline. Thread-safe. */
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

  /** Stores the reply to call {@code i}, unless it has one. */
  void put(int i, RedisReply reply) {
    if (replies.compareAndSet(i, null, reply) && left.decrementAndGet() == 0) {
      all.complete(
          IntStream.range(0, replies.length())
              .mapToObj(place -> Objects.requireNonNull(replies.get(place)))
              .toList());
    }
  }

  /** Completes the pipeline: calls without a reply get the fault. */
  void end(Fault fault) {
    for (int i = 0; i < replies.length(); i++) {
      put(i, fault);
    }
  }

  /** Completed when every call has its reply; the replies are in the order of the calls. */
  CompletableFuture<List<RedisReply>> all() {
    return all;
  }
}
