package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * The sink's verdicts on a Firehose that fails: for some records, for whole calls, by silence, or
 * by not being there. Their details repeat no message of the other side.
 */
@Tag("server")
@Timeout(60)
class FirehoseSinkFaultTest {
  private static final AwsCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret"));

  private final List<AutoCloseable> opened = new ArrayList<>();
  private final Meters meters = new Meters();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened) {
      one.close();
    }
    meters.close();
  }

  private FakeFirehose firehose(Function<List<String>, FakeFirehose.Answer> answers)
      throws IOException {
    FakeFirehose firehose = new FakeFirehose(answers);
    opened.addFirst(firehose);
    return firehose;
  }

  private FirehoseSink sink(URI endpoint, AwsCredentialsProvider credentials, String... more) {
    List<String> told = new ArrayList<>(List.of(more));
    told.addAll(List.of("endpoint", endpoint.toString(), "region", "ap-northeast-2"));
    FirehoseConfig config = Told.config(told.toArray(String[]::new));
    FirehoseSink sink = new FirehoseSink(config, "firehose", meters, ProxyRules.NONE, credentials);
    opened.addFirst(sink);
    return sink;
  }

  private FirehoseSink sink(FakeFirehose firehose, String... more) {
    return sink(firehose.uri(), CREDENTIALS, more);
  }

  private String shown() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "400, AccessDeniedException, ",
    "400, UnknownOperationException, ",
    "400, ThrottlingException, ",
    "400, ResourceNotFoundException, ResourceNotFoundException (400)",
    "400, ExpiredTokenException, ExpiredTokenException (400)",
    "503, ServiceUnavailableException, ServiceUnavailableException (503)"
  })
  void probe_answeredWithAnError_saysWhetherItCanBeSentTo(int status, String code, String told)
      throws Exception {
    FakeFirehose firehose = firehose(records -> FakeFirehose.error(status, code)).withoutType();
    assertThat(sink(firehose).probe()).isEqualTo(told);
    assertThat(firehose.calls()).isEmpty();
  }

  @Test
  void streamFedByKinesis_isNamedBeforeAnythingIsSent_andComesBackByItself() throws Exception {
    FakeFirehose firehose =
        firehose(records -> FakeFirehose.error(400, "InvalidArgumentException"))
            .ofType("KinesisStreamAsSource");
    FirehoseSink sink = sink(firehose);

    assertThat(sink.probe()).contains("fed by another source (KinesisStreamAsSource)");
    assertThat(sink.send(Batches.positions(3)))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            retry -> {
              assertThat(retry.cause()).isEqualTo(Cause.DENIED);
              assertThat(retry.detail()).contains("KinesisStreamAsSource");
            });
    assertThat(firehose.calls()).isEmpty();

    firehose.ofType("DirectPut");
    assertThat(sink.send(Batches.positions(3))).isInstanceOf(Verdict.Refused.class);
    assertThat(firehose.calls()).hasSize(1);
  }

  @Test
  void send_noTurnBelowTheQuota_isNotThrottling() throws Exception {
    FakeFirehose firehose = firehose(FakeFirehose::taken);
    FirehoseSink sink = sink(firehose, "bytes-per-second-max", "1 KiB", "send-timeout", "100 ms");
    assertThat(sink.send(Batches.positions(1))).isInstanceOf(Verdict.Done.class);

    Verdict verdict = sink.send(Batches.positions(40));

    assertThat(shown()).containsPattern("gilmok_firehose_slowed_total\\{[^}]*} 0");
    assertThat(verdict).asString().contains("PACED").doesNotContain("THROTTLED");
  }

  @Test
  void probe_nobodyThere_saysSo() throws Exception {
    FakeFirehose firehose = firehose(FakeFirehose::taken);
    URI gone = firehose.uri();
    firehose.close();
    assertThat(sink(gone, CREDENTIALS).probe()).isEqualTo("HttpHostConnectException");
  }

  @Test
  void send_someRecordsFail_onlyTheirLinesComeAgain() throws Exception {
    FakeFirehose firehose =
        firehose(records -> FakeFirehose.entries(records, "", "ServiceUnavailableException"));
    Batch batch = Batches.positions(80);

    Verdict verdict = sink(firehose).send(batch);

    List<String> lines = Batches.lines(batch);
    List<String> records = firehose.calls().getFirst();
    assertThat(records).hasSizeGreaterThan(2);
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RetryThese.class,
            these -> {
              StringBuilder failed = new StringBuilder();
              for (int i = 1; i < records.size(); i += 2) {
                failed.append(records.get(i));
              }
              assertThat(these.again().stream().mapToObj(lines::get))
                  .containsExactlyElementsOf(failed.toString().lines().toList());
              assertThat(these.acknowledged().of(Stream.TRACES))
                  .isEqualTo(80 - these.again().cardinality());
              assertThat(these.cause()).isEqualTo(Cause.THROTTLED);
              assertThat(these.detail())
                  .isEqualTo(
                      records.size() / 2
                          + " of "
                          + records.size()
                          + " records: ServiceUnavailableException");
              assertThat(these.place()).isEqualTo("call-1");
            });
    assertThat(shown()).contains("gilmok_firehose_slowed_total{sink=\"firehose\"} 1.0");
  }

  @Test
  void send_someRecordsFailOtherwise_isNoThrottling() throws Exception {
    FakeFirehose firehose =
        firehose(records -> FakeFirehose.entries(records, "InternalFailure", ""));

    Verdict verdict = sink(firehose, "pack-bytes-max", "0").send(Batches.positions(4));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RetryThese.class,
            these -> {
              assertThat(these.again().stream()).containsExactly(0, 2);
              assertThat(these.cause()).isEqualTo(Cause.FAILED);
            });
    assertThat(shown()).contains("gilmok_firehose_pace{sink=\"firehose\"} 1.0");
  }

  @Test
  void send_answeredForAnotherNumberOfRecords_nothingCountsAsKept() throws Exception {
    FakeFirehose firehose =
        firehose(records -> FakeFirehose.taken(records.subList(0, records.size() - 1)));

    assertThat(sink(firehose, "pack-bytes-max", "0").send(Batches.positions(3)))
        .isEqualTo(new Verdict.Retry(Cause.FAILED, "answered for 2 of 3 records"));
  }

  @Test
  void send_answered200WithNothingInIt_nothingCountsAsKept() throws Exception {
    FakeFirehose firehose = firehose(_ -> new FakeFirehose.Answer(200, "{}"));

    assertThat(sink(firehose).send(Batches.positions(3)))
        .isEqualTo(new Verdict.Retry(Cause.FAILED, "answered for 0 of 1 records"));
  }

  @ParameterizedTest
  @CsvSource({
    "500, ServiceUnavailableException, THROTTLED",
    "503, '', THROTTLED",
    "429, '', THROTTLED",
    "400, LimitExceededException, THROTTLED",
    "400, ThrottlingException, THROTTLED",
    "500, InternalFailure, FAILED",
    "502, '', FAILED",
    "504, '', TIMEOUT",
    "400, ResourceNotFoundException, DENIED",
    "400, InvalidKMSResourceException, DENIED",
    "400, UnrecognizedClientException, DENIED",
    "400, ExpiredTokenException, DENIED",
    "400, SomethingNewException, DENIED",
    "403, AccessDeniedException, DENIED",
    "404, '', DENIED",
  })
  void send_refusedForNow_comesAgain(int status, String code, Cause cause) throws Exception {
    FakeFirehose firehose = firehose(_ -> FakeFirehose.error(status, code));

    assertThat(sink(firehose).send(Batches.positions(3)))
        .isEqualTo(
            new Verdict.Retry(cause, (code.isEmpty() ? "unknown" : code) + " (" + status + ")"));
    assertThat(firehose.calls()).as("the SDK does not retry").hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "400, InvalidArgumentException",
    "400, ValidationException",
    "400, ''",
    "413, ''",
  })
  void send_refusedForGood_isToldToTheLoop(int status, String code) throws Exception {
    FakeFirehose firehose = firehose(_ -> FakeFirehose.error(status, code));

    assertThat(sink(firehose).send(Batches.positions(3)))
        .isEqualTo(new Verdict.Refused((code.isEmpty() ? "unknown" : code) + " (" + status + ")"));
  }

  @Test
  void send_theSecondCallFails_whatTheFirstKeptIsNotSentAgain() throws Exception {
    FakeFirehose firehose =
        firehose(
            records ->
                records.size() == 500
                    ? FakeFirehose.taken(records)
                    : FakeFirehose.error(400, "InvalidArgumentException"));

    Verdict verdict = sink(firehose, "pack-bytes-max", "0").send(Batches.positions(510));

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RetryThese.class,
            these -> {
              assertThat(these.again().nextSetBit(0)).isEqualTo(500);
              assertThat(these.again().cardinality()).isEqualTo(10);
              assertThat(these.acknowledged().total()).isEqualTo(500);
              assertThat(these.detail()).isEqualTo("InvalidArgumentException (400)");
            });
  }

  @Test
  void send_aLineThatCannotBeSent_isSetAsideAndTheOthersAreSent() throws Exception {
    FakeFirehose firehose = firehose(FakeFirehose::taken);
    Batch batch = new Batches().position("a").huge(1_100_000).damaged().position("b").batch();

    Verdict verdict = sink(firehose).send(batch);

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RejectThese.class,
            these -> {
              assertThat(these.rejected().stream()).containsExactly(1);
              assertThat(these.reason()).isEqualTo(FirehoseEncoder.TOO_LARGE);
              assertThat(these.rest())
                  .isInstanceOfSatisfying(
                      Verdict.RetryThese.class,
                      rest -> {
                        assertThat(rest.again().stream()).containsExactly(2);
                        assertThat(rest.acknowledged().of(Stream.TRACES)).isEqualTo(2);
                      });
            });
  }

  @Test
  void send_onlyLinesThatCannotBeSent_callsNobody() throws Exception {
    FakeFirehose firehose = firehose(FakeFirehose::taken);

    Verdict verdict = sink(firehose).send(new Batches().damaged().damaged().batch());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RejectThese.class,
            these -> {
              assertThat(these.rejected().stream()).containsExactly(0, 1);
              assertThat(these.rest())
                  .isInstanceOfSatisfying(
                      Verdict.Done.class, done -> assertThat(done.acknowledged().total()).isZero());
            });
    assertThat(firehose.calls()).isEmpty();
  }

  @Test
  void send_noAnswerInTime_isATimeoutAndTheThreadIsFine() throws Exception {
    FakeFirehose firehose = firehose(_ -> FakeFirehose.SILENCE);
    FirehoseSink sink = sink(firehose, "send-timeout", "300 ms");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Verdict> sent =
          threads.submit(
              () -> {
                Verdict verdict = sink.send(Batches.positions(3));
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                return verdict;
              });
      assertThat(sent.get()).isEqualTo(new Verdict.Retry(Cause.TIMEOUT, "no answer in time"));
    }
  }

  @Test
  void send_interrupted_saysSo() throws Exception {
    FakeFirehose firehose = firehose(_ -> FakeFirehose.SILENCE);
    FirehoseSink sink = sink(firehose);
    try (var threads = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory())) {
      Future<Verdict> sent = threads.submit(() -> sink.send(Batches.positions(3)));
      firehose.awaitACall();
      threads.shutdownNow();
      assertThatThrownBy(sent::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void send_nobodyListens_isUnreachable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    FirehoseSink sink = sink(URI.create("http://127.0.0.1:" + port), CREDENTIALS);

    assertThat(sink.send(Batches.positions(3)))
        .isInstanceOfSatisfying(
            Verdict.Retry.class,
            retry -> {
              assertThat(retry.cause()).isEqualTo(Cause.UNREACHABLE);
              assertThat(retry.detail()).doesNotContain(" ").isNotEmpty();
            });
  }

  @Test
  void send_gzipAndSomeRecordsFail_onlyTheirLinesComeAgain() throws Exception {
    FakeFirehose firehose =
        firehose(records -> FakeFirehose.entries(records, "", "ServiceUnavailableException"));
    Batch batch = Batches.positions(80);

    Verdict verdict = sink(firehose, "pack-compression", "gzip").send(batch);

    List<String> lines = Batches.lines(batch);
    List<byte[]> packs = firehose.packs().getFirst();
    assertThat(packs).hasSizeGreaterThan(2);
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.RetryThese.class,
            these -> {
              List<String> failed = new ArrayList<>();
              for (int i = 1; i < packs.size(); i += 2) {
                failed.addAll(Unzipped.lines(packs.get(i)));
              }
              assertThat(these.again().stream().mapToObj(lines::get))
                  .containsExactlyElementsOf(failed);
              assertThat(these.acknowledged().of(Stream.TRACES)).isEqualTo(80 - failed.size());
            });
  }

  @Test
  void isOrdered_never() throws Exception {
    FirehoseSink sink = sink(firehose(FakeFirehose::taken));
    assertThat(sink.isOrdered()).isFalse();
    assertThat(sink.kind()).isEqualTo("firehose");
  }
}
