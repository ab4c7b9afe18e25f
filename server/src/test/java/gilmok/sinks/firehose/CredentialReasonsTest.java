package gilmok.sinks.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

/** Which parts of a failure are shown, and which never are. */
@Tag("unit")
class CredentialReasonsTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

  @Test
  void of_aKnownCause_namesWhatAnOperatorLooksFor() {
    assertThat(
            CredentialReasons.of(new UncheckedIOException(new UnknownHostException("sts.example"))))
        .isEqualTo("cannot resolve sts.example");
    assertThat(
            CredentialReasons.of(
                SdkClientException.create(
                    "Unable to execute HTTP request: x",
                    new ConnectException("Connect to http://127.0.0.1:1 failed"))))
        .isEqualTo("Connect to http://127.0.0.1:1 failed");
  }

  @Test
  void of_whatOthersSaid_goesNoFurther() {
    assertThat(
            CredentialReasons.of(
                new IllegalStateException(
                    "Failed to refresh process-based credentials.",
                    new IllegalStateException(
                        "Command returned non-zero exit value (1) with error message: " + SECRET))))
        .isEqualTo("Command returned non-zero exit value");
    assertThat(CredentialReasons.of(new IllegalStateException("odd", new IOException(SECRET))))
        .isEqualTo("odd");
    assertThat(CredentialReasons.of(new NullPointerException(SECRET)))
        .isEqualTo("NullPointerException");
  }

  @Test
  void words_whatCouldBeAKey_isMasked() {
    assertThat(CredentialReasons.words("token " + SECRET + " of AKIAIOSFODNN7EXAMPLE\nis odd"))
        .isEqualTo("token *** of *** is odd");
    assertThat(CredentialReasons.words("x ".repeat(500))).hasSizeLessThan(200);
  }
}
