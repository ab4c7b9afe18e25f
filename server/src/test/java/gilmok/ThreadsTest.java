package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Threads are started in few places, which are listed here. A request leaves its event loop only by
 * {@link gilmok.http.Offload}: no feature that answers requests may start a thread itself.
 */
@Tag("unit")
class ThreadsTest {
  private static final Pattern STARTS =
      Pattern.compile(
          "Thread\\.of(Virtual|Platform)\\(|new Thread\\(|startVirtualThread\\("
              + "|Executors\\.new|newVirtualThreadPerTaskExecutor|CompletableFuture\\.\\w+Async\\(");

  /** Takes a thread from {@code BackgroundThread}, which logs the bug that ends it. */
  private static final Pattern ASKS = Pattern.compile("BackgroundThread\\.[a-z]\\w+\\(");

  private static final int LISTED_MAX = 12;

  /** Classes that start threads themselves, with the reason. Commands of {@code cli} are exempt. */
  private static final Map<String, String> LISTED =
      Map.ofEntries(
          Map.entry("http/Offload", "the one way to leave an event loop"),
          Map.entry("background/BackgroundThread", "for work that is no request and no loop"),
          Map.entry("background/LowPriority", "makes threads for who ships and plans"),
          Map.entry(
              "history/LowPriorityThreads", "read the past, with few threads of a low priority"),
          Map.entry("deliveries/relay/Resolver", "name lookups, which cannot be interrupted"),
          Map.entry("runsheet/InProcessPlanners", "plans, with few threads of a low priority"),
          Map.entry("runsheet/PlannerProcess", "plans, in a process of its own"),
          Map.entry("sinks/SinkLoop", "delivers to one sink; bounded by its concurrency"),
          Map.entry("observe/LogQueue", "writes log lines"),
          Map.entry("observe/Logging", "writes the last ones at the end"),
          Map.entry("runtime/Signals", "is told of the end where the JVM keeps signals to itself"));

  private static final Map<String, String> WITH_BACKGROUND_THREADS =
      Map.ofEntries(
          Map.entry("accept/Acceptance", "tries an engine, so that one that hangs is left"),
          Map.entry("accept/MongoContracts", "moves one delivery several times at once"),
          Map.entry("backup/BackupStage", "copies the documents, in native code; one at a time"),
          Map.entry("background/BackgroundLoop", "what goes on in the background, supervised"),
          Map.entry("http/Offloads", "looks after the deadlines of all that have left"),
          Map.entry("http/TlsFiles", "looks at certificates now and then"),
          Map.entry("ledger/Replays", "replays a quarantine, answered before; one at a time"),
          Map.entry("cache/RedisStandIn", "answers a warm-up's Redis commands, for seconds"),
          Map.entry("cache/CacheEnvironment", "loads for all who wait for one key; bounded there"),
          Map.entry(
              "missions/SettlementWriter", "writers in turns, for all that wait; bounded there"),
          Map.entry("deliveries/ActionReader", "moves deliveries by the log; lanes, bounded"),
          Map.entry("deliveries/relay/Relay", "tells partners; a thread for each that is told"),
          Map.entry("log/LogThreads", "its writer, its preallocator, its housekeeper"),
          Map.entry("runsheet/PlannerClient", "feeds the process of planners"),
          Map.entry("runsheet/PlannerPool", "keeps the process of planners alive"),
          Map.entry("sinks/Sinks", "ends all sinks at once"),
          Map.entry("sinks/AckWaits", "tells those who wait for a sink too long"),
          Map.entry("sinks/Shipper", "ships to one sink"),
          Map.entry("documents/SqliteWriter", "the one writer"),
          Map.entry("documents/SqliteCheckpoints", "checkpoints beside the writer"),
          Map.entry("documents/MongoIndexBuild", "waits for hours while indexes are made"),
          Map.entry("auth/JwtKeys", "reads the issuer's keys while tokens are asked about"),
          Map.entry("auth/BcryptCheck", "compares a key with a hash, apart from the requests"),
          Map.entry("warmup/WarmUp", "asks the server until it is fast"),
          Map.entry("runtime/Connections", "opens and tries connections"),
          Map.entry("runtime/Signals", "hands on a signal that came before the server was there"),
          Map.entry("warmup/shadow/WarmUpRunner", "prepares beside the warm-up"));

  @Test
  void threads_startWhereTheListSays() throws IOException {
    assertThat(thatDo(STARTS))
        .as("starts a thread: leave an event loop by http.Offload, or take a BackgroundThread")
        .containsExactlyInAnyOrderElementsOf(LISTED.keySet());
    assertThat(LISTED).hasSizeLessThanOrEqualTo(LISTED_MAX);
  }

  @Test
  void backgroundThreads_areTakenWhereTheListSays() throws IOException {
    assertThat(thatDo(ASKS))
        .as("work behind the requests is a BackgroundLoop, or says here why not")
        .containsExactlyInAnyOrderElementsOf(WITH_BACKGROUND_THREADS.keySet());
  }

  private static List<String> thatDo(Pattern pattern) throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : classes()) {
      if (!name.startsWith("cli/") && does(pattern, name)) {
        names.add(name);
      }
    }
    return names;
  }

  @Test
  void routes_neverStartAThread() {
    assertThat(LISTED.keySet()).noneMatch(name -> name.matches(".*Routes?"));
    assertThat(WITH_BACKGROUND_THREADS.keySet()).noneMatch(name -> name.matches(".*Routes?"));
  }

  @Test
  void pattern_findsWhatStartsAThread() {
    for (String start :
        List.of(
            "Thread.ofVirtual().name(part)",
            "Thread.ofPlatform().start(this::run)",
            "new Thread(heard, part)",
            "Executors.newFixedThreadPool(4)",
            "CompletableFuture.supplyAsync(work)")) {
      assertThat(STARTS.matcher(start).find()).as(start).isTrue();
    }
    assertThat(STARTS.matcher("Thread.currentThread()").find()).isFalse();
  }

  private static Path sources() {
    return Repository.root().resolve("server/src/main/java/gilmok");
  }

  private static List<String> classes() throws IOException {
    try (Stream<Path> files = Files.walk(sources())) {
      return files
          .map(file -> sources().relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(".java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .toList();
    }
  }

  private static boolean does(Pattern pattern, String name) throws IOException {
    return pattern.matcher(Files.readString(sources().resolve(name + ".java"))).find();
  }
}
