package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is told of a call that failed: a short text, and nothing of the operator's own network. */
@Tag("unit")
final class WebhookFailuresTest {
  @Test
  void status_quotesTheAnswer_onOneShortLine() {
    assertThat(WebhookFailures.status(400, "no such\norder", false))
        .isEqualTo("HTTP 400: no such order");
    assertThat(WebhookFailures.status(503, "", false)).isEqualTo("HTTP 503");
    assertThat(WebhookFailures.status(500, "x".repeat(5000), false))
        .hasSize("HTTP 500: ".length() + 200);
    assertThat(WebhookFailures.status(400, "a secret", true)).isEqualTo("HTTP 400");
  }

  @Test
  void of_namesTheCause_andInAPrivateNetworkItsKindAlone() {
    SSLHandshakeException tls = new SSLHandshakeException("outer");
    tls.initCause(new CertificateException("no name of ours matches"));
    Exception banner = new IllegalArgumentException("invalid version format: SSH-2.0-SECRET");

    assertThat(WebhookFailures.of(tls, false)).isEqualTo("TLS: no name of ours matches");
    assertThat(WebhookFailures.of(tls, true)).isEqualTo("TLS cannot be agreed on");
    assertThat(WebhookFailures.of(banner, false)).contains("SSH");
    assertThat(WebhookFailures.of(banner, true)).isEqualTo("no HTTP answer");
    for (boolean isPrivate : new boolean[] {false, true}) {
      assertThat(WebhookFailures.of(new ConnectException("x"), isPrivate))
          .isEqualTo("cannot connect");
    }
    assertThat(WebhookFailures.of(new IllegalStateException(), false))
        .isEqualTo("IllegalStateException");
  }
}
