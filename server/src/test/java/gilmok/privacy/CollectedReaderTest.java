package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.background.BackgroundLoops;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.event.DedupKey;
import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was collected is counted once, whenever the process is killed. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // opened before each test
final class CollectedReaderTest {
  private static final ZoneId SEOUL = ZoneId.of("Asia/Seoul");

  private final Meters meters = new Meters();
  private final MemoryConsents said = new MemoryConsents();
  private long now = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  @TempDir Path folder;
  private Consents consents;
  private Log log;
  private SqliteDatabase database;
  private UnreliableRegister store;

  @BeforeEach
  void open() throws Exception {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    store = new UnreliableRegister(new SqliteRegister(database));
    consents = MemoryConsents.consents(said, null, meters, 100);
    log = openLog();
  }

  private Log openLog() throws IOException, InterruptedException {
    DedupKey repeat = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    return Log.open(
        new LogConfig(
            1 << 16, 1 << 14, 200, 64L << 16, Duration.ofDays(1), 10_000, Duration.ofHours(1)),
        new LogContext(
            new FileDisk(),
            () -> Instant.ofEpochMilli(now),
            new Random(1),
            (stream, bytes, offset, length, key) -> {
              repeat.hash(stream.code(), bytes, offset, length);
              key[0] = repeat.high();
              key[1] = repeat.low();
            },
            LogMeter.NONE,
            _ -> {}),
        folder,
        new NodeId(7));
  }

  @AfterEach
  void close() throws Exception {
    log.close();
    database.close();
    meters.close();
  }

  private void append(String rider, int positions) throws Exception {
    append(Collections.nCopies(positions, rider));
  }

  private void append(List<String> riders) throws Exception {
    AppendBatch batch = new AppendBatch();
    Event event = new Event();
    for (int i = 0; i < riders.size(); i++) {
      event.clear(EventKind.POSITION);
      byte[] id = riders.get(i).getBytes(StandardCharsets.UTF_8);
      assertThat(event.text(EventField.RIDER_ID, id, 0, id.length)).isNull();
      assertThat(event.at(now + i)).isNull();
      assertThat(event.number(EventField.LAT, 37)).isNull();
      assertThat(event.number(EventField.LON, 127)).isNull();
      Events events = new Events();
      events.add(event, 0);
      batch.add(Stream.TRACES, events.bytes(), 0, events.length(0), System.nanoTime(), i);
    }
    CountDownLatch durable = new CountDownLatch(1);
    assertThat(log.append(batch, AppendCompletion.of(durable::countDown)))
        .isEqualTo(AppendResult.TAKEN);
    durable.await();
  }

  private Register register() throws IOException {
    InstantSource clock = () -> Instant.ofEpochMilli(now);
    return RegisterRig.register(store, new FileDisk(), folder.resolve("register"), clock);
  }

  /** A reader of a new process. */
  private CollectedReader reader(List<String> sinks) throws Exception {
    return reader(sinks, new CollectedReader.Bounds(Duration.ofMinutes(1), 100_000));
  }

  private CollectedReader reader(List<String> sinks, CollectedReader.Bounds bounds)
      throws Exception {
    CollectedReader reader =
        new CollectedReader(
            register(),
            consents.view(),
            new CollectedKinds(stream -> stream == Stream.TRACES ? sinks : List.of(), SEOUL),
            log,
            new Meters(),
            BackgroundLoops.unwatched(),
            bounds);
    reader.start();
    return reader;
  }

  private List<RegisterRow> rows(String rider) throws Exception {
    String pseudonym = MemoryConsents.PSEUDONYMS.of(rider);
    return store.page(
        new RegisterStore.Question(pseudonym, null, "0", "g", 0, Long.MAX_VALUE, 100));
  }

  private long count(String rider) throws Exception {
    return rows(rider).stream().mapToLong(row -> row.span().count()).sum();
  }

  /** Waits until a reader that goes back to what was written has read that many. */
  private long counted(CollectedReader reader, String rider, long wanted) throws Exception {
    long until = System.nanoTime() + 20_000_000_000L;
    while (count(rider) < wanted && System.nanoTime() < until) {
      reader.write(null);
    }
    return count(rider);
  }

  /** Ends the reader's thread; what it has gathered is gone, as after a kill. */
  private static void kill(CollectedReader reader) throws InterruptedException {
    reader.drain(Duration.ofSeconds(10));
  }

  @Test
  void killed_betweenCountingAndTheCursor_countsEachOnce() throws Exception {
    append("r1", 10);
    CollectedReader first = reader(List.of());
    first.write(null); // and the cursor, which is saved later, is ahead or behind
    append("r1", 5);
    append("r2", 3);
    store.isAway = true; // gathered, and the cursor moves on; nothing is written
    assertThatThrownBy(() -> first.write(null)).hasMessage("away");
    kill(first);
    store.isAway = false;
    CollectedReader second = reader(List.of());
    assertThat(counted(second, "r2", 3)).isEqualTo(3);
    assertThat(count("r1")).isEqualTo(15);
    kill(second);
    append("r3", 1);
    CollectedReader third = reader(List.of());
    assertThat(counted(third, "r3", 1)).isEqualTo(1);
    assertThat(count("r1")).isEqualTo(15);
    assertThat(count("r2")).isEqualTo(3);
    kill(third);
  }

  @Test
  void documentsThatAreAway_orLoseAnAnswer_countEachOnce() throws Exception {
    append("r1", 10);
    CollectedReader reader = reader(List.of());
    store.isAway = true;
    assertThatThrownBy(() -> reader.write(null)).hasMessage("away");
    append("r1", 1);
    store.isAway = false;
    store.losesAnswer = true;
    assertThatThrownBy(() -> reader.write(null)).hasMessage("the answer is lost");
    reader.write(null);
    assertThat(count("r1")).isEqualTo(11);
    kill(reader);
  }

  @Test
  void days_areTheFleets_andPurposesAndSinksAreWhatCounted() throws Exception {
    now = Instant.parse("2026-03-01T14:59:59Z").toEpochMilli(); // 23:59:59 in Seoul
    append("r1", 1);
    CollectedReader reader = reader(List.of("lake", "files"));
    reader.write(null);
    now += 2_000;
    append("r1", 2);
    consents.put(new Consent("r2", ConsentState.GRANTED, Purpose.DISPATCH.bit(), now, "k"));
    append("r2", 1);
    reader.write(null);
    assertThat(rows("r1")).extracting(row -> row.span().count()).containsExactly(2L, 1L);
    RegisterRow all = rows("r1").getFirst();
    assertThat(all.sinks()).isEqualTo("files lake");
    assertThat(all.purposes()).isEqualTo("dispatch customer history sink");
    assertThat(all.basis())
        .isEqualTo("dispatch: contract; customer: contract; history: consent; sink: contract");
    RegisterRow less = rows("r2").getFirst();
    assertThat(less.purposes()).isEqualTo("dispatch sink");
    assertThat(less.basis()).isEqualTo("contract");
    kill(reader);
  }

  /** The bound on what is gathered holds, however many riders there are. */
  @Test
  void manyRiders_areWrittenBeforeTheyAreTooMany_andReadWhereThereWasNoRoom() throws Exception {
    CollectedReader reader =
        reader(List.of(), new CollectedReader.Bounds(Duration.ofMinutes(1), 2_000));
    for (int i = 0; i < 40_000; i += 100) {
      append(IntStream.range(i, i + 100).mapToObj(number -> "r" + number).toList());
      assertThat(store.mostRows).as("of one step").isLessThan(2_000);
    }
    assertThat(counted(reader, "r39999", 1)).isEqualTo(1);
    for (String rider : List.of("r0", "r17000", "r38000")) {
      assertThat(count(rider)).as(rider).isEqualTo(1);
    }
    assertThat(rowsOfAll()).isEqualTo(40_000);
    kill(reader);
  }

  private long rowsOfAll() throws Exception {
    long rows = 0;
    String below = "g";
    List<RegisterRow> page;
    do {
      page =
          store.page(new RegisterStore.Question(null, null, "0", below, 0, Long.MAX_VALUE, 10_000));
      rows += page.stream().mapToLong(row -> row.span().count()).sum();
      below = page.isEmpty() ? below : page.getLast().id();
    } while (!page.isEmpty());
    return rows;
  }

  /**
   * Phones send meanwhile, rounds begin all the time, there is room for few, documents fail, and
   * processes are killed.
   */
  @RepeatedTest(3)
  void whateverFails_andWhenever_countsEachOnce() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Integer> sent = new TreeMap<>();
    AtomicBoolean isOver = new AtomicBoolean();
    Thread phones =
        Thread.ofVirtual()
            .start(
                () -> {
                  Random which = new Random(seed + 1);
                  while (!isOver.get()) {
                    String rider = "r" + which.nextInt(600);
                    int positions = 1 + which.nextInt(20);
                    try {
                      append(rider, positions);
                    } catch (Exception failed) {
                      throw new IllegalStateException(failed);
                    }
                    sent.merge(rider, positions, Integer::sum);
                  }
                });
    for (int life = 0; life < 12; life++) {
      int room = random.nextBoolean() ? 100 : 100_000;
      CollectedReader reader =
          reader(List.of(), new CollectedReader.Bounds(Duration.ofMillis(1), room));
      for (int i = random.nextInt(8); i > 0; i--) {
        store.losesAnswer = random.nextInt(3) == 0;
        store.isAway = random.nextInt(6) == 0;
        LockSupport.parkNanos(random.nextInt(20_000_000));
        store.isAway = false;
      }
      store.isAway = random.nextBoolean(); // it is killed while they are
      kill(reader);
      store.isAway = false;
    }
    isOver.set(true);
    phones.join();
    store.losesAnswer = false;
    CollectedReader last = reader(List.of());
    long all = sent.values().stream().mapToLong(one -> one).sum();
    long until = System.nanoTime() + 20_000_000_000L;
    do {
      last.write(null);
    } while (rowsOfAll() < all && System.nanoTime() < until);
    for (Map.Entry<String, Integer> one : sent.entrySet()) {
      assertThat(count(one.getKey())).as("seed %d, %s", seed, one).isEqualTo((long) one.getValue());
    }
    kill(last);
  }

  /**
   * What the documents say of a part must be of the same riders in every process. The numbers were
   * computed by another program.
   */
  @Test
  void part_ofARider_isTheSameInEveryProcess() {
    assertThat(CollectedTable.partOf("r1")).isEqualTo(161);
    assertThat(CollectedTable.partOf("rider-000001")).isEqualTo(190);
    assertThat(CollectedTable.partOf("라이더-7")).isEqualTo(30);
    assertThat(CollectedTable.partOf("x".repeat(128))).isEqualTo(195);
  }

  /** An erasure must not end before all that is collected of the rider is written. */
  @Test
  void rider_isForgotten_onlyWhenAllIsCounted() throws Exception {
    append("r1", 3);
    Register register = register();
    CollectedReader reader =
        new CollectedReader(
            register,
            consents.view(),
            new CollectedKinds(_ -> List.of(), SEOUL),
            log,
            new Meters(),
            BackgroundLoops.unwatched(),
            new CollectedReader.Bounds(Duration.ofMinutes(1), 1_000));
    register.gathers(reader); // it is not started: nothing is counted
    assertThatThrownBy(() -> register.forget("r1")).hasMessageContaining("not counted yet");
    reader.start();
    assertThat(register.forget("r1")).isEqualTo(1);
    assertThat(count("r1")).isEqualTo(3);
    kill(reader);
  }

  /** An earlier version had one mark for all riders. */
  @Test
  void counted_byAnEarlierVersion_isNotCountedAgain() throws Exception {
    append("r1", 10);
    Register register = register();
    store.add(List.of(), Map.of(), List.of(register.mark("through:" + log.node(), log.durable())));
    append("r1", 3);
    CollectedReader reader = reader(List.of());
    assertThat(counted(reader, "r1", 3)).isEqualTo(3);
    kill(reader);
  }

  /** Nothing is counted of them, and the log keeps none of them for the register. */
  @Test
  void recordsWithoutAPlace_letTheCursorPass() throws Exception {
    CollectedReader reader =
        reader(List.of(), new CollectedReader.Bounds(Duration.ofMillis(1), 1_000));
    append("r1", 1);
    AppendBatch batch = new AppendBatch();
    batch.add(Stream.LOGS, new byte[] {1, 2, 3}, 0, 3, 1, 1);
    CountDownLatch durable = new CountDownLatch(1);
    log.append(batch, AppendCompletion.of(durable::countDown));
    durable.await();
    long until = System.nanoTime() + 20_000_000_000L;
    while (log.sequenceOf(CollectedReader.CURSOR) < 2 && System.nanoTime() < until) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(log.sequenceOf(CollectedReader.CURSOR)).isEqualTo(2);
    kill(reader);
  }

  /** Who asks for one rider does not have all the others written. */
  @Test
  void ofOneRider_onlyThatPartIsWritten() throws Exception {
    CollectedReader reader = reader(List.of());
    for (int i = 0; i < 2_000; i += 100) {
      append(IntStream.range(i, i + 100).mapToObj(number -> "r" + number).toList());
    }
    reader.write("r7");
    assertThat(count("r7")).isEqualTo(1);
    assertThat(rowsOfAll()).isLessThan(100);
    kill(reader);
  }
}
