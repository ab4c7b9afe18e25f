package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;

/** The sink's verdict and message when it cannot get credentials. */
@Tag("server")
@Timeout(60)
class SinkCredentialsTest {
  private final Meters meters = new Meters();
  private final List<FirehoseSink> sinks = new ArrayList<>();
  private FakeFirehose firehose;

  @BeforeEach
  void start() throws IOException {
    firehose = new FakeFirehose(FakeFirehose::taken);
  }

  @AfterEach
  void stop() {
    sinks.forEach(FirehoseSink::close);
    firehose.close();
    meters.close();
  }

  private FirehoseSink sink(AwsCredentialsProvider credentials, String... more) {
    List<String> told = new ArrayList<>(List.of(more));
    told.addAll(List.of("endpoint", firehose.uri().toString(), "region", "ap-northeast-2"));
    FirehoseConfig config = Told.config(told.toArray(String[]::new));
    sinks.add(new FirehoseSink(config, "firehose", meters, ProxyRules.NONE, credentials));
    return sinks.getLast();
  }

  @Test
  void send_noCredentials_isDeniedAndSaysWhereTheyWereLookedFor() throws Exception {
    AwsCredentialsProvider none =
        () -> {
          throw new NoCredentials("profile kim: no such file /x/credentials");
        };
    FirehoseSink sink = sink(none);

    String told = "no credentials: profile kim: no such file /x/credentials";
    assertThat(sink.send(Batches.positions(3))).isEqualTo(new Verdict.Retry(Cause.DENIED, told));
    assertThat(sink.probe()).isEqualTo(told);
    assertThat(firehose.keyIds()).isEmpty();
  }

  @Test
  void send_credentialsThatAreSlow_areNotToldAsFirehosesSilence() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    AwsCredentialsProvider slow =
        () -> {
          try {
            // This is longer than the send timeout of 100 ms.
            boolean _ = asked.await(500, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            throw AbortedException.create("interrupted", e);
          }
          throw new NoCredentials("instance: no answer in time");
        };
    FirehoseSink sink = sink(slow, "send-timeout", "100 ms");

    assertThat(sink.send(Batches.positions(3)))
        .isEqualTo(new Verdict.Retry(Cause.DENIED, "no credentials: instance: no answer in time"));
  }

  @Test
  void send_credentialsThatEnd_areToldAlsoAfterAllWasWell() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    AwsCredentialsProvider ending =
        () -> {
          if (isOver.get()) {
            throw new NoCredentials("profile kim (sso): Token is expired");
          }
          return AwsBasicCredentials.create("id", "secret");
        };
    FirehoseSink sink = sink(ending);
    assertThat(sink.send(Batches.positions(3))).isInstanceOf(Verdict.Done.class);
    isOver.set(true);

    assertThat(sink.send(Batches.positions(3)))
        .isEqualTo(
            new Verdict.Retry(Cause.DENIED, "no credentials: profile kim (sso): Token is expired"));
  }
}
