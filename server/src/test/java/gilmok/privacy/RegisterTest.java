package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits is moved while more comes, and by several at once. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // open() is called before each test
final class RegisterTest {
  private static final Act NEAR = Act.of(Kind.SEEN, "near", Use.DISPATCH);
  private static final int PATIENCE_SECONDS = 20;

  @TempDir Path journal;
  private final Rows store = new Rows();
  private Register register;

  /** A store in memory; before it adds something, it runs what the test says. */
  private static final class Rows implements RegisterStore {
    final Map<String, Long> counts = new TreeMap<>();
    Runnable before = () -> {};

    @Override
    public void add(List<RegisterRow> rows, Map<String, String> names, List<RegisterRow> marks) {
      before.run();
      synchronized (counts) {
        rows.forEach(row -> counts.merge(row.who(), row.span().count(), Long::sum));
      }
    }

    long count(String who) {
      synchronized (counts) {
        return counts.getOrDefault(who, 0L);
      }
    }

    @Override
    public void put(List<RegisterRow> rows) {}

    @Override
    public List<RegisterRow> page(Question question) {
      return List.of();
    }

    @Override
    public Map<String, String> names(Collection<String> pseudonyms) {
      return Map.of();
    }

    @Override
    public int forget(String pseudonym) {
      return 0;
    }

    @Override
    public int remove(String belowId) {
      return 0;
    }
  }

  @BeforeEach
  void open() throws IOException {
    Instant now = Instant.parse("2026-03-01T12:00:00Z");
    register = RegisterRig.register(store, new FileDisk(), journal, () -> now);
  }

  /** Maps are looked at all the time: who asks for the register is answered all the same. */
  @Test
  void sumsThatGrowWhileTheyAreWritten_areWrittenTheNextTime() throws Exception {
    AtomicInteger writes = new AtomicInteger();
    store.before =
        () -> {
          register.sum(NEAR, "k0");
          assertThat(writes.incrementAndGet()).as("it does not end").isLessThan(10);
        };
    for (int key = 0; key < 2_500; key++) {
      assertThat(register.sum(NEAR, "k" + key)).isTrue();
    }
    register.flush();
    assertThat(writes.get()).isEqualTo(3);
    assertThat(store.counts).hasSize(2_500);
    register.flush();
    assertThat(store.count("k0")).as("what came meanwhile").isEqualTo(4);
  }

  @Test
  void whoAsksWhileAnotherWrites_missesNothing() throws Exception {
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch mayWrite = new CountDownLatch(1);
    store.before =
        () -> {
          isWriting.countDown();
          try {
            assertThat(mayWrite.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
          }
        };
    register.sum(NEAR, "k");
    AtomicLong seenByFirst = new AtomicLong();
    AtomicLong seenBySecond = new AtomicLong();
    Thread first = Thread.ofPlatform().start(() -> seenByFirst.set(flushed()));
    assertThat(isWriting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    Thread second = Thread.ofPlatform().start(() -> seenBySecond.set(flushed()));
    while (second.isAlive() && second.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    mayWrite.countDown();
    first.join();
    second.join();
    assertThat(seenBySecond.get()).isEqualTo(1);
    assertThat(seenByFirst.get()).isEqualTo(1);
  }

  private long flushed() {
    try {
      register.flush();
      return store.count("k");
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
