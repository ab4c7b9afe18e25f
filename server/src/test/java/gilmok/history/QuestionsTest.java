package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.config.Settings;
import gilmok.event.JsonBuffer;
import gilmok.history.HistoryMeters.Kind;
import gilmok.http.Answer;
import gilmok.http.Offloads;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.TestExchange;
import gilmok.observe.Meters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Questions that are too many, too long, fail, or whose readers do not read. */
@Tag("unit")
final class QuestionsTest {
  private static final Principal READER = new Principal("k", "app", Set.of(Scope.READ), null);

  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final Questions questions =
      new Questions(
          HistoryConfig.from(
              new Settings(
                  Map.of(
                      "history.concurrency",
                      "1",
                      "history.waiting",
                      "1",
                      "history.timeout",
                      "1s"))),
          new ProcessorShare(() -> 0),
          meters,
          offloads);
  private final AtomicInteger closed = new AtomicInteger();
  private final Semaphore turns = new Semaphore(0);

  @AfterEach
  void close() throws Exception {
    turns.release(1_000_000);
    questions.drain(Duration.ofSeconds(20));
    offloads.close();
    meters.close();
  }

  /** Pieces of some size, one for each turn that the test gives. */
  private final class Pieces implements HistoryAnswer {
    private final QuestionTime time;
    private final int bytes;
    private int left;

    Pieces(QuestionTime time, int count, int bytes) {
      this.time = time;
      this.bytes = bytes;
      left = count;
    }

    @Override
    public String contentType() {
      return "text/csv";
    }

    @Override
    public @Nullable String tag() {
      return null;
    }

    @Override
    public boolean write(JsonBuffer out) throws IOException, InterruptedException {
      while (!turns.tryAcquire()) {
        time.check();
        LockSupport.parkNanos(1_000_000);
      }
      out.ascii("x".repeat(bytes));
      left--;
      if (left < 0) {
        throw new IOException("the disk failed");
      }
      return left > 0;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  /** A stream whose reader reads as much as the test says. */
  private static final class Taken implements ReplyStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isReading = true;
    private volatile boolean isWhole;
    private volatile boolean isGone;

    @Override
    public boolean isWritable() {
      return isReading && !isEnded();
    }

    @Override
    public synchronized void write(byte[] piece) {
      bytes.writeBytes(piece);
    }

    synchronized int size() {
      return bytes.size();
    }

    @Override
    public void end() {
      isWhole = true;
      ended.countDown();
    }

    @Override
    public void breakOff() {
      ended.countDown();
    }

    @Override
    public boolean isEnded() {
      return isGone || ended.getCount() == 0;
    }
  }

  private TestExchange ask(@Nullable Taken taken, int pieces, int bytes) {
    TestExchange exchange = new TestExchange(READER, Map.of(), Map.of(), "");
    if (taken != null) {
      exchange.streamingTo(taken);
    }
    questions.ask(
        exchange, Kind.TRACE, () -> null, (time, counts) -> new Pieces(time, pieces, bytes));
    return exchange;
  }

  private static void await(BooleanSupplier condition) {
    long until = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(until);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private double ended(String result) {
    String name = "gilmok_history_questions_total{kind=\"trace\",result=\"" + result + "\"}";
    return value(name);
  }

  private double value(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Test
  void aShortAnswer_isSentWhole() throws Exception {
    turns.release(3);
    TestExchange.Reply reply = ask(null, 3, 10).await();
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo("x".repeat(30));
    await(() -> closed.get() == 1 && ended("answered") == 1 && value("gilmok_history_open") == 0);
  }

  @Test
  void aLongAnswer_isStreamed_asFastAsItIsRead() throws Exception {
    Taken taken = new Taken();
    turns.release(1_000);
    taken.isReading = false;
    ask(taken, 40, 64 << 10);
    await(() -> turns.availablePermits() <= 998); // the beginning, which is not read yet
    LockSupport.parkNanos(50_000_000);
    assertThat(taken.size()).isZero();
    assertThat(turns.availablePermits()).isGreaterThan(990);
    taken.isReading = true;
    taken.ended.await();
    assertThat(taken.isWhole).isTrue();
    assertThat(taken.size()).isEqualTo(40 * (64 << 10));
    await(() -> closed.get() == 1 && ended("answered") == 1);
  }

  @Test
  void tooMany_areRefused_untilOneHasEnded() throws Exception {
    TestExchange first = ask(null, 1, 1);
    TestExchange second = ask(null, 1, 1);
    TestExchange third = ask(null, 1, 1);
    assertThat(third.await().refusal()).isEqualTo(Refusal.BUSY);
    turns.release(2);
    assertThat(first.await().status()).isEqualTo(200);
    assertThat(second.await().status()).isEqualTo(200);
    await(() -> value("gilmok_history_open") == 0 && ended("busy") == 1);
    turns.release(1);
    assertThat(ask(null, 1, 1).await().status()).isEqualTo(200);
  }

  @Test
  void tooLong_isRefused_andAllGivenBack() throws Exception {
    TestExchange.Reply reply = ask(null, 1, 1).await();
    assertThat(reply.refusal()).isEqualTo(Refusal.BUSY);
    assertThat(reply.field()).isEqualTo("to");
    await(() -> closed.get() == 1 && ended("too-long") == 1);
  }

  @Test
  void aStreamThatTakesTooLong_isBrokenOff() throws Exception {
    Taken taken = new Taken();
    turns.release(5); // so it was begun, and then it hangs
    ask(taken, 10, 64 << 10);
    taken.ended.await();
    assertThat(taken.isWhole).isFalse();
    assertThat(taken.size()).isEqualTo(5 * (64 << 10));
    await(() -> closed.get() == 1 && ended("too-long") == 1 && value("gilmok_history_open") == 0);
  }

  @Test
  void aStreamWhoseDiskFails_isBrokenOff() throws Exception {
    Taken taken = new Taken();
    turns.release(1_000);
    TestExchange exchange = new TestExchange(READER, Map.of(), Map.of(), "").streamingTo(taken);
    questions.ask(
        exchange,
        Kind.TRACE,
        () -> null,
        (time, counts) -> {
          Pieces pieces = new Pieces(time, 8, 64 << 10);
          return new Failing(pieces, 6);
        });
    taken.ended.await();
    assertThat(taken.isWhole).isFalse();
    await(() -> closed.get() == 1 && ended("failed") == 1 && value("gilmok_history_open") == 0);
  }

  /** Fails at one of its pieces. */
  private static final class Failing implements HistoryAnswer {
    private final HistoryAnswer pieces;
    private int left;

    Failing(HistoryAnswer pieces, int good) {
      this.pieces = pieces;
      left = good;
    }

    @Override
    public String contentType() {
      return pieces.contentType();
    }

    @Override
    public @Nullable String tag() {
      return null;
    }

    @Override
    public boolean write(JsonBuffer out) throws IOException, InterruptedException {
      if (--left < 0) {
        throw new IOException("the disk failed");
      }
      return pieces.write(out);
    }

    @Override
    public void close() {
      pieces.close();
    }
  }

  @Test
  void aReaderThatHasGone_endsIt() {
    Taken taken = new Taken();
    turns.release(1_000);
    taken.isGone = true;
    ask(taken, 40, 64 << 10);
    await(() -> closed.get() == 1 && ended("not-read") == 1 && value("gilmok_history_open") == 0);
    assertThat(turns.availablePermits()).isGreaterThan(990);
  }

  @Test
  void whatCannotBeAnswered_isRefusedWithoutBeginning() throws Exception {
    TestExchange exchange = new TestExchange(READER, Map.of(), Map.of(), "");
    questions.ask(
        exchange,
        Kind.TRACE,
        () -> Answer.refused(Refusal.GONE, "from", "must be after from"),
        (time, counts) -> {
          throw new AssertionError("begun");
        });
    assertThat(exchange.await().refusal()).isEqualTo(Refusal.GONE);
    assertThat(closed.get()).isZero();
  }
}
