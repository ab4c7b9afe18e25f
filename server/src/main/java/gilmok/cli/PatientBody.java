package gilmok.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as a stream whose reads do not wait for ever: a machine that vanishes
 * without a word leaves its connection open and silent, which Java's own stream would not notice.
 * One list of buffers is asked for at a time, so a slow reader slows the sender down.
 *
 * <p>The stream is read by one thread.
 */
final class PatientBody implements BodySubscriber<InputStream> {
  /** The one list that was asked for, and what may follow it unasked: the end. */
  private static final int HANDED_MAX = 2;

  private final Duration patience;
  private final Supplier<? extends RuntimeException> silence;
  private final BlockingQueue<Handed> handed = new ArrayBlockingQueue<>(HANDED_MAX);
  private final CompletableFuture<InputStream> body = new CompletableFuture<>();

  /** What the client hands over. */
  private sealed interface Handed {
    record Buffers(List<ByteBuffer> all) implements Handed {}

    /** The end; a failure if it came early. */
    record End(@Nullable Throwable failure) implements Handed {}
  }

  /**
   * A body that has not begun.
   *
   * @param patience how long a read waits for the next byte
   * @param silence what a read then throws
   */
  PatientBody(Duration patience, Supplier<? extends RuntimeException> silence) {
    this.patience = patience;
    this.silence = silence;
  }

  @Override
  public CompletionStage<InputStream> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    body.complete(new Input(subscription));
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    handed.add(new Handed.Buffers(buffers));
  }

  @Override
  public void onError(Throwable failure) {
    handed.add(new Handed.End(failure));
  }

  @Override
  public void onComplete() {
    handed.add(new Handed.End(null));
  }

  private final class Input extends InputStream {
    private final Subscription subscription;
    private final Queue<ByteBuffer> left = new ArrayDeque<>();
    private boolean isOver;

    Input(Subscription subscription) {
      this.subscription = subscription;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      ByteBuffer next = next();
      if (next == null) {
        return -1;
      }
      int count = Math.min(length, next.remaining());
      next.get(target, offset, count);
      return count;
    }

    /** What has bytes to be read; null at the end. */
    private @Nullable ByteBuffer next() throws IOException {
      while (!isOver) {
        ByteBuffer first = left.peek();
        if (first == null) {
          take();
        } else if (first.hasRemaining()) {
          return first;
        } else {
          left.remove();
        }
      }
      return null;
    }

    private void take() throws IOException {
      subscription.request(1);
      Handed next;
      try {
        next = handed.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      switch (next) {
        case null -> {
          close();
          throw silence.get();
        }
        case Handed.Buffers(List<ByteBuffer> all) -> left.addAll(all);
        case Handed.End(Throwable failure) -> {
          isOver = true;
          if (failure != null) {
            throw new IOException(failure);
          }
        }
      }
    }

    @Override
    public void close() {
      isOver = true;
      subscription.cancel();
    }
  }
}
