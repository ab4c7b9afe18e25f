package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.sinks.firehose.CredentialLinks.Link;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

@Tag("unit")
class CredentialChainTest {
  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger closed = new AtomicInteger();

  /** A link of the chain whose answers the test changes. */
  private final class Asked {
    private final String name;
    private @Nullable String lack;
    private @Nullable RuntimeException failure;
    private int made;
    private int asked;

    Asked(String name) {
      this.name = name;
    }

    Link link() {
      return new Link(name, lack, this::provider);
    }

    private AwsCredentialsProvider provider() {
      made++;
      return new Provider(this);
    }
  }

  private final class Provider implements AwsCredentialsProvider, SdkAutoCloseable {
    private final Asked of;

    Provider(Asked of) {
      this.of = of;
    }

    @Override
    public AwsCredentials resolveCredentials() {
      of.asked++;
      if (of.failure != null) {
        throw of.failure;
      }
      return AwsBasicCredentials.create(of.name, "secret");
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  private CredentialChain chain(Asked... links) {
    return new CredentialChain(() -> List.of(links).stream().map(Asked::link).toList(), now::get);
  }

  @Test
  void resolve_noneHasAny_saysOfEachWhy() {
    Asked env = new Asked("env");
    env.lack = "AWS_ACCESS_KEY_ID is not set";
    Asked profile = new Asked("profile kim (sso)");
    profile.failure = new UncheckedIOException(new NoSuchFileException("/keys/kim.json"));
    Asked instance = new Asked("instance");
    instance.failure =
        SdkClientException.create("Failed to load credentials from IMDS.", new RuntimeException());

    assertThatThrownBy(chain(env, profile, instance)::resolveCredentials)
        .isInstanceOf(NoCredentials.class)
        .hasMessage(
            "no credentials: env: AWS_ACCESS_KEY_ID is not set; profile kim (sso): no such file"
                + " /keys/kim.json; instance: Failed to load credentials from IMDS.");
    assertThat(env.made).as("asked where something is missing").isZero();
    assertThat(closed).hasValue(2);
  }

  @Test
  void resolve_manyLongReasons_areCut() {
    List<Asked> links = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Asked link = new Asked("link " + i);
      link.failure = SdkClientException.create("word ".repeat(500));
      links.add(link);
    }
    assertThatThrownBy(chain(links.toArray(Asked[]::new))::resolveCredentials)
        .satisfies(thrown -> assertThat(thrown.getMessage()).hasSizeLessThan(900))
        .hasMessageContaining("link 0: ")
        .hasMessageContaining("link 3: ");
  }

  @Test
  void resolve_theFirstThatHasSome_isTheOnlyOneFromThenOn() {
    Asked first = new Asked("first");
    first.lack = "not there";
    Asked second = new Asked("second");
    CredentialChain chain = chain(first, second);
    assertThat(chain.resolveCredentials().accessKeyId()).isEqualTo("second");

    first.lack = null;
    assertThat(chain.resolveCredentials().accessKeyId()).isEqualTo("second");
    second.failure = SdkClientException.create("Token is expired");
    assertThatThrownBy(chain::resolveCredentials)
        .hasMessage("no credentials: second: Token is expired");
    assertThat(first.made).isZero();

    second.failure = null;
    now.addAndGet(SECOND);
    assertThat(chain.resolveCredentials().accessKeyId()).isEqualTo("second");
    assertThat(second.made).as("made anew after each failure").isEqualTo(3);
  }

  @Test
  void resolve_manyAskAfterAFailure_areToldTheSameForASecond() {
    Asked only = new Asked("only");
    only.failure = SdkClientException.create("none");
    CredentialChain chain = chain(only);
    for (int i = 0; i < 64; i++) {
      assertThatThrownBy(chain::resolveCredentials).hasMessage("no credentials: only: none");
    }
    assertThat(only.asked).isEqualTo(1);
    now.addAndGet(SECOND);
    assertThatThrownBy(chain::resolveCredentials).isInstanceOf(NoCredentials.class);
    assertThat(only.asked).isEqualTo(2);
  }

  @Test
  void resolve_aSettingThatCannotBeRead_isToldAndAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    CredentialChain chain =
        new CredentialChain(
            () -> {
              if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("AWS_EC2_METADATA_DISABLED is odd");
              }
              return List.of(new Asked("only").link());
            },
            now::get);
    assertThatThrownBy(chain::resolveCredentials)
        .isInstanceOf(NoCredentials.class)
        .hasMessage("no credentials: AWS_EC2_METADATA_DISABLED is odd");
    now.addAndGet(SECOND);
    assertThat(chain.resolveCredentials().accessKeyId()).isEqualTo("only");
  }

  @Test
  void resolve_interrupted_isNotTakenForAFailure() {
    Asked only = new Asked("only");
    only.failure = AbortedException.create("stopping");
    CredentialChain chain = chain(only);
    assertThatThrownBy(chain::resolveCredentials).isInstanceOf(AbortedException.class);
    only.failure = null;
    assertThat(chain.resolveCredentials().accessKeyId()).isEqualTo("only");
  }

  @Test
  void close_closesWhoWasFound() {
    CredentialChain chain = chain(new Asked("only"));
    chain.resolveCredentials();
    assertThat(closed).hasValue(0);
    chain.close();
    assertThat(closed).hasValue(1);
  }
}
