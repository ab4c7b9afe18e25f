package gilmok.http;

import io.netty.channel.unix.Errors;
import io.vertx.core.Future;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the framework's futures, on threads that are not its own. No state. */
final class FrameworkFutures {
  /** Linux's EADDRINUSE, which epoll reports as a number. */
  private static final int ADDRESS_IN_USE = -98;

  private FrameworkFutures() {}

  /**
   * Waits for a future.
   *
   * @throws IOException when it failed, with its message, or took longer
   */
  static <T> T await(Future<T> future, Duration patience) throws IOException, InterruptedException {
    CompletableFuture<T> asked = future.toCompletionStage().toCompletableFuture();
    try {
      return asked.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException(cause.getMessage(), cause);
    } catch (TimeoutException e) {
      throw new IOException("the HTTP server does not answer", e);
    }
  }

  /** Waits for a future even when interrupted; the thread's interrupt flag is then set again. */
  static void awaitAnyway(Future<Void> future, Duration patience) throws IOException {
    boolean isHurried = Thread.interrupted();
    try {
      Void _ = await(future, patience);
    } catch (InterruptedException first) {
      isHurried = true;
      try {
        Void _ = await(future, patience);
      } catch (InterruptedException second) {
        throw new IOException("interrupted twice", second);
      }
    } finally {
      if (isHurried) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether it failed because the address is in use. */
  static boolean isInUse(IOException failed) {
    return failed.getCause() instanceof BindException
        || (failed.getCause() instanceof Errors.NativeIoException errno
            && errno.expectedErr() == ADDRESS_IN_USE);
  }
}
