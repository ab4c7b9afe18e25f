package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.RunningServer.Reply;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A rider is erased while life goes on: phones send, files are put together, a backup is read. */
@Tag("process")
final class ErasureBusyIT {
  private static final String GONE = "gone-rider-7";
  private static final Pattern MARK = Pattern.compile("mark-(\\d+)-");

  /** So many of an hour are put together, and one more. */
  private static final int FILES_MIN = 33;

  @TempDir Path data;

  private RunningServer start() throws Exception {
    return RunningServer.start(
        data,
        "log.bytes-max=512MiB",
        "sinks.enabled=files",
        "sinks.files.format=parquet",
        "sinks.files.file-age-max=20ms",
        "sinks.files.replaced-keep=1 s",
        "sinks.save-interval=10ms");
  }

  /** A phone that sends numbered positions, each batch until it is acknowledged. */
  private static final class Phone {
    private final RunningServer server;
    private final String rider;
    private final int each;
    private final Thread thread = Thread.ofPlatform().unstarted(this::run);
    private final long began = Instant.now().toEpochMilli() - 3_600_000;
    private volatile boolean isOver;
    private volatile @Nullable Throwable failed;

    /** So many are acknowledged. */
    private volatile int acknowledged;

    Phone(RunningServer server, String rider, int each) {
      this.server = server;
      this.rider = rider;
      this.each = each;
    }

    Phone begin() {
      thread.start();
      return this;
    }

    private void run() {
      try {
        while (!isOver) {
          send();
          LockSupport.parkNanos(3_000_000);
        }
      } catch (Exception | AssertionError cannot) {
        failed = cannot;
      }
    }

    private void send() throws Exception {
      int from = acknowledged;
      String batch =
          IntStream.range(from, from + each)
              .mapToObj(
                  n ->
                      ("{\"riderId\":\"%1$s\",\"at\":%2$d,\"lat\":37.5,\"lon\":127,\"id\":\"%3$d\","
                              + "\"attributes\":{\"n\":\"%1$s-mark-%3$d-\"}}")
                          .formatted(rider, began + n, n))
              .collect(Collectors.joining(",", "[", "]"));
      Reply reply = server.post("/v1/traces", batch);
      assertThat(reply.status()).as(reply.body()).isEqualTo(202);
      acknowledged = from + each;
    }

    int awaitMore(int count) throws Exception {
      int from = acknowledged;
      Program.await(() -> acknowledged >= from + count || failed != null);
      return acknowledged;
    }

    void end() throws InterruptedException {
      isOver = true;
      thread.join();
      assertThat(failed).isNull();
    }
  }

  /** The numbers of the positions in a file of a hand-out. */
  private static Set<Integer> numbers(Map<String, List<String>> handedOut, String file) {
    TreeSet<Integer> all = new TreeSet<>();
    for (String line : handedOut.getOrDefault(file, List.of())) {
      Matcher mark = MARK.matcher(line);
      assertThat(mark.find()).as(line).isTrue();
      assertThat(all.add(Integer.parseInt(mark.group(1)))).as("once: " + line).isTrue();
    }
    return all;
  }

  private static List<Integer> from(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  @Test
  void itsPhoneAndOthersSend_andFilesArePutTogether_whatCameBeforeGoes_andNothingElse()
      throws Exception {
    int early;
    try (RunningServer server = start()) { // files that the next start puts together
      Phone phone = new Phone(server, GONE, 20);
      Phone other = new Phone(server, "other-8", 200);
      while (ShippedPast.most(data.resolve("shipped")) < FILES_MIN) {
        phone.send();
        other.send();
        LockSupport.parkNanos(25_000_000);
      }
      early = phone.acknowledged;
      new RiderLife(server).awaitShipped();
    }
    int before = 0;
    int after;
    Set<Integer> left;
    Set<Integer> shipped;
    try (RunningServer server = start()) {
      RiderLife riders = new RiderLife(server);
      JsonNode shown;
      Phone other = new Phone(server, "other-9", 200).begin();
      Phone phone = new Phone(server, GONE, 20);
      phone.acknowledged = early; // those of the process before
      phone.begin();
      try {
        phone.awaitMore(200);
        String job = riders.erase(GONE);
        do {
          int acknowledged = phone.acknowledged;
          shown = server.get("/v1/erasures/" + job).json();
          if (isInFirstPass(shown)) {
            before = acknowledged;
          }
        } while (!shown.path("state").asString().equals("done"));
        after = phone.awaitMore(40);
        phone.awaitMore(200);
        other.awaitMore(1000);
      } finally {
        phone.end();
        other.end();
      }
      int sent = phone.acknowledged;
      int ofOther = other.acknowledged;
      assertThat(before).isGreaterThan(early);
      riders.awaitShipped();
      JsonNode ledger = server.get("/v1/ledger").json();
      assertThat(ledger.path("residue").asInt()).as(ledger.toString()).isZero();

      Map<String, List<String>> gone = riders.handedOut(GONE);
      left = numbers(gone, "traces.ndjson");
      assertThat(left)
          .as("what came before the second pass")
          .doesNotContainAnyElementsOf(from(0, before));
      assertThat(left).as("what came after it").containsAll(from(after, sent));
      shipped = numbers(gone, "traces-of-files.ndjson");
      assertThat(left).as("files come behind the log in a pass").containsAll(shipped);
      assertThat(shipped).containsAll(from(after, sent));
      assertThat(erased(shown, "log") + left.size()).as("each is there or erased").isEqualTo(sent);
      for (Map.Entry<String, Integer> one :
          Map.of("other-8", early * 10, "other-9", ofOther).entrySet()) {
        Map<String, List<String>> all = riders.handedOut(one.getKey());
        assertThat(numbers(all, "traces.ndjson")).hasSize(one.getValue());
        assertThat(numbers(all, "traces-of-files.ndjson")).hasSize(one.getValue());
      }
      assertThat(ShippedPast.metric(server, "gilmok_compaction_files_out_total")).isPositive();
    }
    FolderScan first =
        new FolderScan(
            Stream.of(0, early - 1, early, before - 1).map(n -> GONE + "-mark-" + n + "-").toList(),
            List.of());
    assertThat(first.findings(data)).isEmpty();
    try (RunningServer server = start()) {
      Map<String, List<String>> gone = new RiderLife(server).handedOut(GONE);
      assertThat(numbers(gone, "traces.ndjson")).isEqualTo(left);
      assertThat(numbers(gone, "traces-of-files.ndjson")).isEqualTo(shipped);
      assertThat(server.get("/v1/ledger").json().path("residue").asInt()).isZero();
    }
  }

  private static boolean isInFirstPass(JsonNode erasure) {
    String step = erasure.path("nodes").path(0).path("step").asString("");
    return step.endsWith("/1");
  }

  private static long erased(JsonNode certificate, String store) {
    for (JsonNode one : certificate.path("nodes").path(0).path("stores")) {
      if (one.path("store").asString().equals(store)) {
        return one.path("erased").asLong();
      }
    }
    throw new AssertionError(certificate);
  }

  @Test
  void aBackupIsRead_itWaits_andWithheldIsWithheldAfterwards() throws Exception {
    FolderScan scan = new FolderScan(List.of(GONE), List.of(37.4321987, 127.1234765));
    String position =
        "{\"riderId\":\"" + GONE + "\",\"at\":%d,\"lat\":37.4321987,\"lon\":127.1234765}";
    String consent = "/v1/riders/" + GONE + "/consent";
    long now = Instant.now().toEpochMilli();
    try (RunningServer server = RunningServer.start(data)) {
      RiderLife riders = new RiderLife(server);
      riders.send("POST", "/v1/traces", position.formatted(now), 202);
      riders.send("PUT", "/v1/devices/gone-phone", "{\"riderId\":\"" + GONE + "\"}", 200);
      riders.send("PUT", consent, "{\"state\":\"withdrawn\"}", 200);
      assertThat(server.post("/v1/backup", "").body()).contains("\"point\"");
      String job = riders.erase(GONE);
      Program.await(
          () -> server.get("/v1/erasures/" + job).body().contains("a backup is being made"));
      assertThat(scan.findings(data))
          .anyMatch(found -> found.startsWith("backup/documents.db"))
          .anyMatch(found -> found.startsWith("backup/files/devices"));
      assertThat(server.send(server.adminKey(), "DELETE", "/v1/backup", "", "").status())
          .isEqualTo(204);
      riders.awaitErased(job);
      assertThat(scan.findings(data)).isEmpty();
      checkWithheld(server, position.formatted(now + 1));
    }
    try (RunningServer server = RunningServer.start(data)) {
      checkWithheld(server, position.formatted(now + 2));
      assertThat(scan.findings(data)).isEmpty();
      RiderLife riders = new RiderLife(server);
      riders.send("PUT", consent, "{\"state\":\"granted\"}", 200);
      JsonNode taken = riders.send("POST", "/v1/traces", position.formatted(now + 3), 202);
      assertThat(taken.path("accepted").asInt()).isEqualTo(1);
    }
  }

  private static void checkWithheld(RunningServer server, String position) throws Exception {
    Reply dropped = server.post("/v1/traces", position);
    assertThat(dropped.status()).isEqualTo(202);
    assertThat(dropped.json().path("notCollected").asInt()).isEqualTo(1);
    assertThat(server.get("/v1/riders/" + GONE + "/position").status()).isEqualTo(404);
    assertThat(server.get("/v1/riders/" + GONE + "/consent").body()).contains("withdrawn");
  }
}
