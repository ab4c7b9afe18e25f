package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.firehose.FakeFirehose;
import gilmok.sinks.firehose.MotoServer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code gilmok accept --firehose} and {@code --s3} against moto, and what moto never does. */
@Tag("engine")
@Timeout(360)
final class AcceptFirehoseIT {
  private static MotoServer moto;

  @BeforeAll
  static void start() throws Exception {
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

  private static Accepting firehose(String endpoint, String stream, String... more) {
    String[] options = new String[more.length + 4];
    options[0] = "--firehose=" + stream;
    options[1] = "--set=sinks.firehose.endpoint=" + endpoint;
    options[2] = "--set=sinks.firehose.region=" + MotoServer.REGION;
    options[3] = "--json";
    System.arraycopy(more, 0, options, 4, more.length);
    return Accepting.of(options);
  }

  @Test
  void aStreamThatIsWell_isAccepted_andWhatStaysIsSaid() throws Exception {
    moto.createStream("accepted");
    Accepting said = firehose(moto.endpoint().toString(), "accepted");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.check("records are taken")).isEqualTo("pass: 10 of 10");
    assertThat(said.check("over its quota it throttles, and loses nothing"))
        .isEqualTo("not tried: --allow-burst was not given");
    assertThat(said.check("clock")).startsWith("pass: ");
    assertThat(said.check("cleaned up"))
        .startsWith("pass: 2,010 records of riders accept-… in the stream accepted");
    assertThat(moto.lines("accepted")).hasSize(2_010);
  }

  @Test
  void aStreamThatIsNotThere_isNamed() {
    Accepting said = firehose(moto.endpoint().toString(), "nowhere");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.check("answers")).startsWith("fail: no stream nowhere here (ResourceNotFound");
    assertThat(said.check("cleaned up")).isEqualTo("pass: nothing was sent");
  }

  @Test
  void aRightThatIsMissing_isNamed() throws Exception {
    try (FakeFirehose fake =
        new FakeFirehose(_ -> FakeFirehose.error(400, "AccessDeniedException"))) {
      Accepting said = firehose(fake.uri().toString(), "mine");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.check("records are taken"))
          .isEqualTo("fail: denied: firehose:PutRecordBatch on mine (AccessDeniedException (400))");
    }
  }

  @Test
  void burst_throttledInPart_isSaid_andEndsWithAllOfIt() throws Exception {
    AtomicInteger bursts = new AtomicInteger();
    try (FakeFirehose fake =
        new FakeFirehose(
            records ->
                records.size() == 500 && bursts.incrementAndGet() == 3
                    ? FakeFirehose.entries(records, "", "ServiceUnavailableException")
                    : FakeFirehose.taken(records))) {
      Accepting said = firehose(fake.uri().toString(), "mine", "--allow-burst");
      assertThat(said.check("over its quota it throttles, and loses nothing"))
          .startsWith("pass: after ")
          .contains("250 of them not taken, THROTTLED: 250 of 500 records")
          .contains("; all were taken ");
    }
  }

  @Test
  void burst_refusedOtherwise_isAFailure() throws Exception {
    try (FakeFirehose fake =
        new FakeFirehose(
            records ->
                records.size() == 500
                    ? FakeFirehose.error(500, "InternalFailure")
                    : FakeFirehose.taken(records))) {
      Accepting said = firehose(fake.uri().toString(), "mine", "--allow-burst");
      assertThat(said.check("over its quota it throttles, and loses nothing"))
          .startsWith("fail: after ")
          .contains("InternalFailure");
    }
  }

  @Test
  void bucket_isAccepted_andEmptyAfterIt_andOneThatIsNotThereIsNamed() throws Exception {
    moto.createStream("bucketful");
    String endpoint = "--s3-endpoint=" + moto.endpoint();
    Accepting said = Accepting.of("--s3=s3://bucketful/below", endpoint, "--json");
    assertThat(said.code()).as(said.text()).isZero();
    assertThat(said.check("what was put is read")).isEqualTo("pass: byte for byte");
    assertThat(said.check("what was put is listed")).isEqualTo("pass: 20 of 20, at once");
    assertThat(said.check("cleaned up")).startsWith("pass: nothing is left of the objects s3://");
    assertThat(said.times("put 1000 bytes")).isEqualTo(20);
    assertThat(moto.bytes("bucketful")).isEmpty();

    Accepting none = Accepting.of("--s3=s3://no-such-bucket/below", endpoint, "--json");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.check("objects can be put"))
        .isEqualTo("fail: refused: s3:PutObject on no-such-bucket (404, NoSuchBucket)");
    assertThat(none.check("cleaned up")).isEqualTo("pass: nothing was put");
  }
}
