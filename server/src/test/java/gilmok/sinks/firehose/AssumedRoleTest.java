package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.Meters;
import gilmok.sinks.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** A role of the sink's own, with a token service and a Firehose that record who called. */
@Tag("server")
@Timeout(60)
class AssumedRoleTest {
  private static final String ENDPOINT = "aws.endpointUrlSts";
  private static final String ROLE = "arn:aws:iam::123456789012:role/ships";
  private static final AwsCredentialsProvider OWN =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("AKIDOWN", "0wn-S3cret-a"));

  private final Meters meters = new Meters();
  private FakeLogin login;
  private FakeFirehose firehose;

  @BeforeEach
  void start() throws IOException {
    login = new FakeLogin();
    firehose = new FakeFirehose(FakeFirehose::taken);
    System.setProperty(ENDPOINT, login.uri().toString());
  }

  @AfterEach
  void stop() {
    System.clearProperty(ENDPOINT);
    firehose.close();
    login.close();
    meters.close();
  }

  private FirehoseSink sink(String... more) {
    List<String> told = new ArrayList<>(List.of(more));
    told.addAll(
        List.of(
            "role-arn", ROLE, "endpoint", firehose.uri().toString(), "region", "ap-northeast-2"));
    FirehoseConfig config = Told.config(told.toArray(String[]::new));
    AwsCredentialsProvider role =
        new AssumedRole(config, ROLE, "gilmok-abcdefghijkl-firehose", OWN, ProxyRules.NONE);
    return new FirehoseSink(config, "firehose", meters, ProxyRules.NONE, role);
  }

  @Test
  void send_withARoleAndAnExternalId_isSignedByTheRole() throws Exception {
    try (FirehoseSink sink = sink("external-id", FakeLogin.EXTERNAL_ID)) {
      assertThat(sink.send(Batches.positions(2))).isInstanceOf(Verdict.Done.class);
      assertThat(sink.send(Batches.positions(2))).isInstanceOf(Verdict.Done.class);
    }
    assertThat(login.asked()).as("asked once for all calls").hasSize(1);
    assertThat(login.asked().getFirst())
        .containsEntry("Action", "AssumeRole")
        .containsEntry("RoleArn", ROLE)
        .containsEntry("ExternalId", FakeLogin.EXTERNAL_ID)
        .containsEntry("RoleSessionName", "gilmok-abcdefghijkl-firehose");
    assertThat(firehose.keyIds()).isNotEmpty().containsOnly("ASIAROLE1");
  }

  @Test
  void send_theRolesKeyExpires_isSignedByANewOne() throws Exception {
    // The key expires so soon that it is not used a second time.
    login.life(Duration.ofSeconds(20));
    try (FirehoseSink sink = sink("external-id", FakeLogin.EXTERNAL_ID)) {
      assertThat(sink.send(Batches.positions(2))).isInstanceOf(Verdict.Done.class);
      int first = firehose.keyIds().size();
      login.life(Duration.ofHours(1));
      assertThat(sink.send(Batches.positions(2))).isInstanceOf(Verdict.Done.class);
      assertThat(firehose.keyIds().subList(0, first)).doesNotContain(last());
      int renewed = login.asked().size();
      assertThat(sink.send(Batches.positions(2))).isInstanceOf(Verdict.Done.class);
      assertThat(login.asked()).as("and that one is kept").hasSize(renewed);
    }
  }

  private String last() {
    return firehose.keyIds().getLast();
  }

  @Test
  void send_theRoleIsRefused_isNamedWithoutWhatTheServiceRepeats() throws Exception {
    try (FirehoseSink sink = sink("external-id", "another-partner")) {
      String told = "no credentials: role " + ROLE + ": Sts answered AccessDenied (403)";
      assertThat(sink.probe()).isEqualTo(told);
      assertThat(sink.send(Batches.positions(2)))
          .isEqualTo(new Verdict.Retry(Verdict.Cause.DENIED, told));
    }
    assertThat(firehose.keyIds()).isEmpty();
  }
}
