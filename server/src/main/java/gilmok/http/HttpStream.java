package gilmok.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * A streamed reply that can be written from any thread; it hands over to its connection's event
 * loop. Thread-safe.
 */
final class HttpStream implements ReplyStream {
  /** The limit of bytes that wait to be sent; at the limit, the stream is not writable. */
  static final int UNSENT_BYTES_MAX = 64 << 10;

  private final HttpServerResponse response;
  private final EventLoop executor;
  private final boolean isEndless;
  private final Runnable onEnd;
  private final Runnable onBreak;
  private final Consumer<Throwable> onBug;
  private final IntConsumer onSent;
  private final AtomicInteger unsent = new AtomicInteger();
  private volatile boolean ended;

  /**
   * Begins a stream on a response.
   *
   * @param isEndless whether any part of it is as good as the whole, as with events
   * @param onEnd run once on the event loop when the writer or the listener ends it
   * @param onBreak aborts the reply, on the event loop
   * @param onBug receives, on the event loop, what went wrong, and aborts the reply
   * @param onSent receives, on the event loop, how many bytes were handed to the connection
   */
  HttpStream(
      HttpServerResponse response,
      EventLoop executor,
      boolean isEndless,
      Runnable onEnd,
      Runnable onBreak,
      Consumer<Throwable> onBug,
      IntConsumer onSent) {
    this.response = response;
    this.executor = executor;
    this.isEndless = isEndless;
    this.onEnd = onEnd;
    this.onBreak = onBreak;
    this.onBug = onBug;
    this.onSent = onSent;
  }

  @Override
  public boolean isWritable() {
    return !ended && unsent.get() < UNSENT_BYTES_MAX;
  }

  /** Whether any part of the stream is as good as the whole. */
  boolean isEndless() {
    return isEndless;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public void write(byte[] bytes) {
    if (bytes.length > 0 && !ended) {
      unsent.addAndGet(bytes.length);
      execute(() -> send(bytes));
    }
  }

  @Override
  public void end() {
    execute(this::finish);
  }

  @Override
  public void breakOff() {
    execute(
        () -> {
          if (!ended) {
            ended = true;
            onBreak.run();
          }
        });
  }

  /** The server stops: ends an endless stream, aborts any other. */
  void stop() {
    if (isEndless) {
      end();
    } else {
      breakOff();
    }
  }

  /** The client is gone. On the event loop. */
  void gone() {
    ended = true;
  }

  private void finish() {
    if (!ended) {
      ended = true;
      response.end();
      onEnd.run();
    }
  }

  private void send(byte[] bytes) {
    if (!ended) {
      onSent.accept(bytes.length);
      response
          .write(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes)))
          .onComplete(sent -> unsent.addAndGet(-bytes.length));
    }
  }

  private void execute(Runnable task) {
    try {
      executor.execute(() -> attempt(task));
    } catch (RejectedExecutionException closed) {
      ended = true;
    }
  }

  /** Aborts the reply when it cannot be written or ended, as nobody else would end it. */
  private void attempt(Runnable task) {
    try {
      task.run();
    } catch (Throwable bug) {
      ended = true;
      onBug.accept(bug);
    }
  }
}
