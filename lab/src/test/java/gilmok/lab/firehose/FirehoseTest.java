package gilmok.lab.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.firehose.FirehoseClient;
import software.amazon.awssdk.services.firehose.model.DeliveryStreamStatus;
import software.amazon.awssdk.services.firehose.model.FirehoseException;
import software.amazon.awssdk.services.firehose.model.InvalidArgumentException;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponse;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponseEntry;
import software.amazon.awssdk.services.firehose.model.Record;
import software.amazon.awssdk.services.firehose.model.ServiceUnavailableException;

/** The stand-in, called by the vendor's own client. */
@Tag("server")
class FirehoseTest {
  private static final String KEY = "0123456789abcdef0123456789abcdef";

  private final Faults faults = new Faults();
  private Firehose firehose = Firehose.start(Firehose.Setup.of(7), faults);
  private FirehoseClient client = client(firehose, Duration.ofSeconds(20));

  @AfterEach
  void stop() {
    client.close();
    firehose.close();
  }

  @Test
  void batch_isKeptLineByLine_inOrder() {
    PutRecordBatchResponse response = put(record(line(1), line(2)), record(line(3), line(2)));
    assertThat(response.failedPutCount()).isZero();
    assertThat(response.requestResponses()).hasSize(2);
    assertThat(response.requestResponses().getFirst().recordId()).isNotEmpty();
    Kept kept = firehose.kept();
    assertThat(IntStream.range(0, kept.size()).mapToObj(kept::recordId))
        .containsExactly("node-1:1", "node-1:2", "node-1:3", "node-1:2");
    assertThat(kept.timesById()).containsEntry("node-1:2", 2).containsEntry("node-1:3", 1);
    assertThat(kept.dedupKeys()).containsExactly(KEY);
    assertThat(firehose.count(Count.RECORDS)).isEqualTo(2);
    assertThat(firehose.count(Count.LINES)).isEqualTo(4);
  }

  /** A sink with pack-compression=gzip sends one gzip member for each pack, one after the other. */
  @Test
  void gzip_isKeptLineByLine() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    for (int member = 0; member < 2; member++) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(record(line(2 * member + 1), line(2 * member + 2)).data().asByteArray());
      }
    }
    byte[] damaged = Arrays.copyOf(packed.toByteArray(), packed.size() - 9);
    put(
        Record.builder().data(SdkBytes.fromByteArray(packed.toByteArray())).build(),
        Record.builder().data(SdkBytes.fromByteArray(damaged)).build());
    assertThat(firehose.kept().timesById()).hasSize(4).containsEntry("node-1:4", 1);
    assertThat(firehose.count(Count.LINES) - firehose.count(Count.LINES_UNKNOWN)).isEqualTo(4);
    assertThat(firehose.count(Count.LINES_UNKNOWN)).isPositive();
  }

  @Test
  void record_isKept_othersLinesAreCounted() {
    client.putRecord(put -> put.deliveryStreamName("positions").record(record(line(9), "hello")));
    assertThat(firehose.kept().recordId(0)).isEqualTo("node-1:9");
    assertThat(firehose.kept().size()).isEqualTo(1);
    assertThat(firehose.count(Count.LINES_UNKNOWN)).isEqualTo(1);
  }

  @Test
  void stream_isDescribedAsActive() {
    assertThat(
            client
                .describeDeliveryStream(ask -> ask.deliveryStreamName("positions"))
                .deliveryStreamDescription()
                .deliveryStreamStatus())
        .isEqualTo(DeliveryStreamStatus.ACTIVE);
  }

  @Test
  void limits_areTheVendors() {
    Record tiny = record(line(1));
    assertRefused("ValidationException", copies(tiny, 501));
    put(copies(tiny, 500));
    Record largest = Record.builder().data(SdkBytes.fromByteArray(new byte[1_000 << 10])).build();
    put(copies(largest, 4));
    assertRefused("InvalidArgumentException", copies(largest, 5));
    Record over =
        Record.builder().data(SdkBytes.fromByteArray(new byte[(1_000 << 10) + 1])).build();
    assertRefused("ValidationException", tiny, over);
    assertThat(firehose.count(Count.RECORDS)).isEqualTo(504);
    assertThat(firehose.count(Count.CALLS_REFUSED)).isEqualTo(3);
  }

  @Test
  void unsigned_isRefused() throws Exception {
    try (HttpClient plain = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(firehose.url())
              .header("X-Amz-Target", "Firehose_20150804.PutRecordBatch")
              .POST(HttpRequest.BodyPublishers.ofString("{}"))
              .build();
      HttpResponse<String> response = plain.send(request, HttpResponse.BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(403);
      assertThat(response.body()).contains("MissingAuthenticationTokenException");
    }
  }

  @Test
  void billing_isInStepsOfFiveKilobytes() {
    byte[] step = new byte[5 << 10];
    put(
        Record.builder().data(SdkBytes.fromByteArray(step)).build(),
        Record.builder().data(SdkBytes.fromByteArray(Arrays.copyOf(step, step.length + 1))).build(),
        record("x"));
    assertThat(firehose.count(Count.BILLED_UNITS)).isEqualTo(1 + 2 + 1);
  }

  @Test
  void failedRecords_haveTheirOwnErrors_othersAreKept() {
    faults.failRecords(0.3);
    Record[] records =
        IntStream.range(0, 500).mapToObj(i -> record(line(i))).toArray(Record[]::new);
    PutRecordBatchResponse response = put(records);
    assertThat(response.failedPutCount()).isBetween(90, 210);
    List<PutRecordBatchResponseEntry> entries = response.requestResponses();
    for (int i = 0; i < 500; i++) {
      boolean isFailed = entries.get(i).errorCode() != null;
      assertThat(firehose.kept().timesById().containsKey("node-1:" + i)).isEqualTo(!isFailed);
      assertThat(entries.get(i).recordId() == null).isEqualTo(isFailed);
    }
    assertThat(firehose.count(Count.RECORDS_FAILED)).isEqualTo((long) response.failedPutCount());
  }

  @Test
  void sameSeed_sameStory() {
    faults.failRecords(0.5);
    Record[] records =
        IntStream.range(0, 100).mapToObj(i -> record(line(i))).toArray(Record[]::new);
    List<Boolean> first = fates(put(records));
    client.close();
    firehose.close();
    firehose = Firehose.start(Firehose.Setup.of(7), faults);
    client = client(firehose, Duration.ofSeconds(20));
    assertThat(fates(put(records))).isEqualTo(first);
  }

  @Test
  void throttled_keepsNothing() {
    faults.throttle(1);
    assertThatThrownBy(() -> put(record(line(1))))
        .isInstanceOfSatisfying(
            ServiceUnavailableException.class,
            slow -> {
              assertThat(slow.statusCode()).isEqualTo(503);
              assertThat(slow.awsErrorDetails().errorMessage()).isEqualTo("Slow down.");
            });
    assertThat(firehose.kept().size()).isZero();
  }

  @Test
  void brokenDown_answers500() {
    faults.breakDown(1);
    assertThat(catchThrowableOfType(FirehoseException.class, () -> put(record(line(1)))))
        .satisfies(broken -> assertThat(broken.statusCode()).isEqualTo(500));
    assertThat(firehose.kept().size()).isZero();
  }

  @Test
  void poison_refusesTheWholeCall() {
    faults.poison("deadly");
    assertThatThrownBy(() -> put(record(line(1)), record("so deadly")))
        .isInstanceOf(InvalidArgumentException.class);
    assertThat(firehose.kept().size()).isZero();
    put(record(line(1)));
    assertThat(firehose.kept().size()).isEqualTo(1);
  }

  @Test
  void lostAnswer_isKeptAllTheSame() {
    faults.loseAnswers(1);
    assertThatThrownBy(() -> put(record(line(1)))).isInstanceOf(SdkClientException.class);
    assertThat(firehose.kept().size()).isEqualTo(1);
    assertThat(firehose.count(Count.ANSWERS_LOST)).isEqualTo(1);
  }

  @Test
  void hangingCall_isAnsweredLate() {
    faults.hang(1, Duration.ofSeconds(30));
    try (FirehoseClient hasty = client(firehose, Duration.ofMillis(300))) {
      assertThatThrownBy(
              () ->
                  hasty.putRecordBatch(
                      put -> put.deliveryStreamName("positions").records(record(line(1)))))
          .isInstanceOf(ApiCallTimeoutException.class);
    }
    assertThat(firehose.count(Count.CALLS_HUNG)).isEqualTo(1);
  }

  @Test
  void down_refusesConnections_up_answersAgain() {
    put(record(line(1)));
    firehose.down();
    assertThatThrownBy(() -> put(record(line(2)))).isInstanceOf(SdkClientException.class);
    URI before = firehose.url();
    firehose.up();
    assertThat(firehose.url()).isEqualTo(before);
    put(record(line(2)));
    assertThat(firehose.kept().size()).isEqualTo(2);
  }

  @Test
  void quota_isHeld_recordByRecord() {
    client.close();
    firehose.close();
    firehose = Firehose.start(Firehose.Setup.of(7).with(new Quotas(100, 0, 0)), faults);
    client = client(firehose, Duration.ofSeconds(20));
    PutRecordBatchResponse response = put(copies(record(line(1)), 200));
    assertThat(response.failedPutCount()).isBetween(80, 100);
    assertThat(response.requestResponses().getLast().errorCode())
        .isEqualTo("ServiceUnavailableException");
    assertThat(response.requestResponses().getLast().errorMessage()).isEqualTo("Slow down.");
  }

  @Test
  void forwarded_onlyWhatWasTakenGoesOn() {
    Faults half = new Faults().failRecords(0.5);
    Firehose.Setup setup = new Firehose.Setup(0, Quotas.NONE, 3, true, firehose.url());
    try (Firehose before = Firehose.start(setup, half);
        FirehoseClient asking = client(before, Duration.ofSeconds(20))) {
      PutRecordBatchResponse response =
          asking.putRecordBatch(
              put -> put.deliveryStreamName("positions").records(copies(record(line(1)), 100)));
      assertThat(firehose.count(Count.RECORDS))
          .isEqualTo(100L - response.failedPutCount())
          .isBetween(20L, 80L);
      half.none();
      firehose.down();
      assertThatThrownBy(
              () ->
                  asking.putRecordBatch(
                      put -> put.deliveryStreamName("positions").records(record(line(1)))))
          .isInstanceOf(FirehoseException.class);
    }
  }

  private void assertRefused(String type, Record... records) {
    assertThatThrownBy(() -> put(records))
        .isInstanceOfSatisfying(
            FirehoseException.class,
            refused -> {
              assertThat(refused.statusCode()).isEqualTo(400);
              assertThat(refused.awsErrorDetails().errorCode()).isEqualTo(type);
            });
  }

  private static List<Boolean> fates(PutRecordBatchResponse response) {
    return response.requestResponses().stream().map(entry -> entry.errorCode() == null).toList();
  }

  private PutRecordBatchResponse put(Record... records) {
    return client.putRecordBatch(
        put -> put.deliveryStreamName("positions").records(Arrays.asList(records)));
  }

  private static Record[] copies(Record record, int count) {
    Record[] copies = new Record[count];
    Arrays.fill(copies, record);
    return copies;
  }

  private static Record record(String... lines) {
    return Record.builder().data(SdkBytes.fromUtf8String(String.join("\n", lines) + "\n")).build();
  }

  private static String line(int sequence) {
    return "{\"sequence\":%1$d,\"recordId\":\"node-1:%1$d\",\"dedupKey\":\"%2$s\",\"record\":{}}"
        .formatted(sequence, KEY);
  }

  private static FirehoseClient client(Firehose firehose, Duration timeout) {
    return FirehoseClient.builder()
        .endpointOverride(firehose.url())
        .region(Region.AP_NORTHEAST_2)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("nobody", "nothing")))
        .httpClientBuilder(Apache5HttpClient.builder())
        .overrideConfiguration(
            all -> all.apiCallTimeout(timeout).retryStrategy(AwsRetryStrategy.doNotRetry()))
        .build();
  }
}
