package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs against moto, with credentials from the default chain; deliveries are read from its S3. */
@Tag("engine")
@Timeout(360)
class FirehoseSinkIT {
  private static MotoServer moto;
  private final Meters meters = new Meters();

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    moto = MotoServer.start();
    System.setProperty("aws.accessKeyId", "AKIDSHOWNNOWHERE");
    System.setProperty("aws.secretAccessKey", "secret-shown-nowhere");
  }

  @AfterAll
  static void stop() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    if (moto != null) {
      moto.close();
    }
  }

  @AfterEach
  void closeMeters() {
    meters.close();
  }

  private FirehoseSink sink(String stream, String... more) {
    List<String> told = new ArrayList<>(List.of(more));
    told.addAll(
        List.of(
            "stream", stream, "endpoint", moto.endpoint().toString(), "region", MotoServer.REGION));
    FirehoseConfig config = Told.config(told.toArray(String[]::new));
    return new FirehoseSink(config, "firehose", NodeId.parse("abcdefghijkl"), meters);
  }

  private double shown(String name) {
    return new String(meters.scrape(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> line.startsWith(name + "{sink=\"firehose\"} "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void send_manyBatchesAtOnce_everyLineArrivesOnce() throws Exception {
    moto.createStream("packed");
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Batches batch = new Batches().startingAt(1 + 300 * i);
      for (int record = 0; record < 299; record++) {
        batch.position("rider-" + record);
      }
      batches.add(batch.log(20_000).batch());
    }
    List<Future<Verdict>> sent = new ArrayList<>();
    try (FirehoseSink sink = sink("packed");
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      batches.forEach(batch -> sent.add(threads.submit(() -> sink.send(batch))));
      for (Future<Verdict> one : sent) {
        assertThat(one.get())
            .isInstanceOfSatisfying(
                Verdict.Done.class,
                done -> {
                  assertThat(done.acknowledged().of(Stream.TRACES)).isEqualTo(299);
                  assertThat(done.acknowledged().of(Stream.LOGS)).isEqualTo(1);
                  assertThat(done.place()).isNotEmpty().isNotEqualTo("unknown");
                });
      }
    }
    List<String> lines = batches.stream().flatMap(one -> Batches.lines(one).stream()).toList();
    assertThat(moto.lines("packed")).containsExactlyInAnyOrderElementsOf(lines);
    int bytes = lines.stream().mapToInt(line -> 1 + line.length()).sum();
    assertThat(shown("gilmok_firehose_calls_total")).isEqualTo(12);
    assertThat(shown("gilmok_firehose_bytes_total")).isEqualTo(bytes);
    assertThat(shown("gilmok_firehose_billed_bytes_total")).isBetween(bytes * 1.0, bytes * 1.1);
  }

  @Test
  void send_gzip_theObjectsAreFilesOfGzipWithEveryLineOnce() throws Exception {
    moto.createStream("zipped");
    List<String> lines = new ArrayList<>();
    long acknowledged = 0;
    try (FirehoseSink sink =
        sink("zipped", "pack-compression", "gzip", "pack-bytes-max", "40 KiB")) {
      for (int i = 0; i < 4; i++) {
        Batch batch = new Batches().startingAt(1 + 500 * i).positionsOf(500).log(20_000).batch();
        lines.addAll(Batches.lines(batch));
        acknowledged += ((Verdict.Done) sink.send(batch)).acknowledged().total();
      }
    }
    byte[] delivered = moto.bytes("zipped");
    assertThat(Unzipped.lines(delivered)).containsExactlyInAnyOrderElementsOf(lines);
    assertThat(acknowledged).isEqualTo(lines.size());
    // The metrics count the compressed bytes, which are what is sent and billed.
    int bytes = lines.stream().mapToInt(line -> 1 + line.length()).sum();
    assertThat(delivered.length).isLessThan(bytes / 3);
    assertThat(shown("gilmok_firehose_bytes_total")).isEqualTo(delivered.length);
    assertThat(shown("gilmok_firehose_billed_bytes_total")).isLessThan(bytes / 2.0);
  }

  @Test
  void send_withARole_isWhoTheTokenServiceSays() throws Exception {
    moto.createStream("others");
    System.setProperty("aws.endpointUrlSts", moto.endpoint().toString());
    try (FirehoseSink sink =
        sink(
            "others",
            "role-arn",
            "arn:aws:iam::123456789012:role/ships",
            "external-id",
            "partner-7")) {
      assertThat(sink.probe()).isNull();
      assertThat(sink.send(Batches.positions(7))).isInstanceOf(Verdict.Done.class);
    } finally {
      System.clearProperty("aws.endpointUrlSts");
    }
    assertThat(moto.lines("others")).hasSize(7);
  }

  @Test
  void send_oneRecordACall_asOfOld() throws Exception {
    moto.createStream("single");
    List<String> lines = new ArrayList<>();
    try (FirehoseSink sink = sink("single", "pack-bytes-max", "0")) {
      for (int i = 1; i <= 5; i++) {
        Batch batch = new Batches().startingAt(i).position("kim").batch();
        lines.addAll(Batches.lines(batch));
        assertThat(sink.send(batch)).isInstanceOf(Verdict.Done.class);
      }
    }
    assertThat(moto.lines("single")).containsExactlyInAnyOrderElementsOf(lines);
    assertThat(shown("gilmok_firehose_calls_total")).isEqualTo(5);
    assertThat(shown("gilmok_firehose_records_total")).isEqualTo(5);
    assertThat(shown("gilmok_firehose_billed_bytes_total")).isEqualTo(5 * 5120);
  }

  @Test
  void send_moreThanACallTakes_isSeveralCalls() throws Exception {
    moto.createStream("several");
    Batch batch = Batches.positions(1_100);
    try (FirehoseSink sink = sink("several", "pack-bytes-max", "0")) {
      assertThat(sink.send(batch))
          .isInstanceOfSatisfying(
              Verdict.Done.class, done -> assertThat(done.acknowledged().total()).isEqualTo(1_100));
    }
    assertThat(moto.lines("several")).containsExactlyInAnyOrderElementsOf(Batches.lines(batch));
    assertThat(shown("gilmok_firehose_calls_total")).isEqualTo(3);
  }

  @Test
  void send_noSuchStream_isDenied() throws Exception {
    try (FirehoseSink sink = sink("nowhere")) {
      assertThat(sink.send(Batches.positions(1)))
          .isEqualTo(new Verdict.Retry(Cause.DENIED, "ResourceNotFoundException (400)"));
      assertThat(sink.probe()).isEqualTo("ResourceNotFoundException (400)");
    }
  }

  @Test
  void probe_aStreamThatIsThere_nothingIsWrongAndNothingSent() throws Exception {
    moto.createStream("there");
    try (FirehoseSink sink = sink("there")) {
      assertThat(sink.probe()).isNull();
    }
    assertThat(moto.lines("there")).isEmpty();
  }

  @Test
  void meters_afterACall_showTheClientAsDocumented() throws Exception {
    moto.createStream("measured");
    try (FirehoseSink sink = sink("measured")) {
      assertThat(sink.send(Batches.positions(1))).isInstanceOf(Verdict.Done.class);
    }
    assertThat(shown("gilmok_firehose_client_connections_max")).isEqualTo(64);
    assertThat(shown("gilmok_firehose_client_connections_leased")).isBetween(0.0, 64.0);
    // The first of the two calls describes the stream.
    assertThat(shown("gilmok_firehose_client_call_seconds_count")).isEqualTo(2);
    assertThat(shown("gilmok_firehose_client_acquire_seconds_count")).isEqualTo(2);
    assertThat(shown("gilmok_firehose_pace")).isEqualTo(1);
    String page = Files.readString(Repository.root().resolve("docs/metrics.md"));
    String text = new String(meters.scrape(), StandardCharsets.UTF_8);
    assertThat(text).doesNotContain("NOWHERE", "nowhere");
    assertThat(text.lines().filter(line -> line.startsWith("# TYPE gilmok_firehose")))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            line -> {
              String name = line.split(" ")[2];
              assertThat(page).containsAnyOf("`" + name + "`", "`" + name.replace("_max", "`"));
            });
  }
}
