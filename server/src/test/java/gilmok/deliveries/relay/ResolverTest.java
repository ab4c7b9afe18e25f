package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** However a lookup ends, the next one starts afresh. */
@Tag("unit")
@Timeout(60)
final class ResolverTest {
  private static final long MILLIS_MAX = 30_000;
  private static final InetAddress FOUND = InetAddress.getLoopbackAddress();
  private static final ThreadFactory THREADS = Thread.ofPlatform().daemon().factory();

  private final AtomicInteger asked = new AtomicInteger();

  /** A lookup that throws this failure the first time and then succeeds. */
  private Resolver.Lookup lookup(Throwable failure) {
    return host -> {
      if (asked.incrementAndGet() > 1) {
        return new InetAddress[] {FOUND};
      }
      switch (failure) {
        case UnknownHostException unknown -> throw unknown;
        case RuntimeException bug -> throw bug;
        case Error error -> throw error;
        default -> throw new AssertionError(failure);
      }
    };
  }

  @Test
  void lookupThatFails_isNoAddress_andTheNextIsTriedAgain() throws Exception {
    for (Throwable failure :
        List.of(
            new UnknownHostException("told to fail"),
            new SecurityException("told to fail"),
            new OutOfMemoryError("told to fail"))) {
      asked.set(0);
      try (Resolver resolver = new Resolver(lookup(failure), THREADS)) {
        assertThat(resolver.addresses("a.example", MILLIS_MAX)).isEmpty();
        assertThat(resolver.addresses("a.example", MILLIS_MAX)).containsExactly(FOUND);
      }
    }
  }

  @Test
  void noThread_isNoAddress_andTheNextIsTriedAgain() throws Exception {
    asked.set(1);
    AtomicInteger threads = new AtomicInteger();
    ThreadFactory scarce =
        task -> {
          if (threads.incrementAndGet() == 1) {
            throw new OutOfMemoryError("told to have no thread");
          }
          return THREADS.newThread(task);
        };
    try (Resolver resolver = new Resolver(lookup(new AssertionError()), scarce)) {
      assertThat(resolver.addresses("a.example", MILLIS_MAX)).isEmpty();
      assertThat(resolver.addresses("a.example", MILLIS_MAX)).containsExactly(FOUND);
    }
  }
}
