package gilmok.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import gilmok.lab.crash.Violations;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class CallerTest {
  private final Violations findings = new Violations();

  @Test
  void get_neverAnswered_isNoticedWhereNothingIsWrong() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Caller caller = caller(silent)) {
      caller.well(true);
      assertThatExceptionOfType(HttpTimeoutException.class)
          .isThrownBy(() -> caller.get("/v1/sinks"));
    }
    assertThat(findings.first())
        .containsExactly("a request was not answered in 1 s: GET /v1/sinks");
  }

  @Test
  void get_neverAnsweredInAStorm_isNoFinding() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        Caller caller = caller(silent)) {
      assertThatExceptionOfType(HttpTimeoutException.class)
          .isThrownBy(() -> caller.get("/v1/sinks"));
    }
    assertThat(findings.first()).isEmpty();
  }

  private Caller caller(ServerSocket silent) {
    String url = "http://127.0.0.1:" + silent.getLocalPort();
    return new Caller(url, "key", Duration.ZERO, Duration.ofSeconds(1), findings);
  }
}
