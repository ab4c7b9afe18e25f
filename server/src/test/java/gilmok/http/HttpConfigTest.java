package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class HttpConfigTest {
  @Test
  void defaults() {
    Settings settings = new Settings(Map.of());
    assertThat(HttpConfig.from(settings))
        .isEqualTo(
            new HttpConfig(
                "127.0.0.1",
                8080,
                0,
                HttpConfig.Transport.AUTO,
                new HttpConfig.Limits(
                    10_000,
                    4096,
                    64 << 20,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(75),
                    10,
                    Duration.ofMillis(25)),
                null,
                List.of(),
                TrustedProxies.NONE,
                new CompressionLevels(true, 1, Map.of())));
    settings.finish();
  }

  @Test
  void trustedProxies_thatAreNone_areNamed() {
    for (String bad :
        List.of("10.0.0.0/33", "10.0.0", "proxy.example.com", "::1/129", "1.2.3.4/")) {
      Settings settings = new Settings(Map.of("http.trusted-proxies", "127.0.0.1 " + bad));
      HttpConfig.from(settings);
      assertThatThrownBy(settings::finish)
          .hasMessageContaining("http.trusted-proxies: \"" + bad + "\" is no address");
    }
  }

  @Test
  void corsOrigins_asNoBrowserSendsThem_areNamed() {
    for (String bad :
        List.of(
            "http://app.example/",
            "https://Two.example",
            "https://three.example:443",
            "http://*.w.example",
            "app.example",
            "null")) {
      Settings settings = new Settings(Map.of("http.cors-origins", "https://a, " + bad));
      HttpConfig.from(settings);
      assertThatThrownBy(settings::finish)
          .hasMessageContaining("http.cors-origins: \"" + bad + "\" is no origin");
    }
    Settings good =
        new Settings(Map.of("http.cors-origins", "*, https://a.b:8443, http://[::1]:80801"));
    HttpConfig.from(good);
    good.finish();
  }

  @Test
  void risk_isInTheClearBeyondThisMachine() {
    assertThat(risk(Map.of())).isNull();
    assertThat(risk(Map.of("http.host", "::1"))).isNull();
    assertThat(risk(Map.of("http.host", "localhost"))).isNull();
    assertThat(risk(Map.of("http.host", "0.0.0.0"))).contains("in clear", "tls.certificate");
    assertThat(risk(Map.of("http.host", "10.0.0.7"))).contains("10.0.0.7");
    assertThat(risk(Map.of("http.host", "0.0.0.0", "http.trusted-proxies", "10.0.0.0/8"))).isNull();
    assertThat(risk(Map.of("http.host", "0.0.0.0", "tls.certificate", "a.pem", "tls.key", "b.pem")))
        .isNull();
  }

  private static @Nullable String risk(Map<String, String> given) {
    return HttpConfig.from(new Settings(given)).risk();
  }

  @Test
  void everything() {
    Settings settings =
        new Settings(
            Map.ofEntries(
                Map.entry("http.host", "127.0.0.1"),
                Map.entry("http.port", "1"),
                Map.entry("http.event-loops", "2"),
                Map.entry("http.transport", "nio"),
                Map.entry("http.connections-max", "3"),
                Map.entry("http.requests-max", "4"),
                Map.entry("http.queue-delay-target", "40 ms"),
                Map.entry("http.bodies-bytes-max", "9 MiB"),
                Map.entry("http.head-timeout", "7 s"),
                Map.entry("http.body-timeout", "8 s"),
                Map.entry("http.idle-timeout", "9 s"),
                Map.entry("http.wrong-keys-rate", "7"),
                Map.entry("http.forwarded-header", "forwarded"),
                Map.entry("tls.certificate", "a.pem"),
                Map.entry("tls.key", "b.pem"),
                Map.entry("tls.reload-interval", "10 s"),
                Map.entry("http.cors-origins", "https://a, https://b"),
                Map.entry("http.trusted-proxies", "10.0.0.0/8, fd00::1"),
                Map.entry("http.compression", "off"),
                Map.entry("http.compression-level", "3"),
                Map.entry("http.compression-levels", "GET /metrics=6, PUT /v1/a/{id}=0")));
    assertThat(HttpConfig.from(settings))
        .isEqualTo(
            new HttpConfig(
                "127.0.0.1",
                1,
                2,
                HttpConfig.Transport.NIO,
                new HttpConfig.Limits(
                    3,
                    4,
                    9 << 20,
                    Duration.ofSeconds(7),
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(9),
                    7,
                    Duration.ofMillis(40)),
                new TlsConfig(Path.of("a.pem"), Path.of("b.pem"), Duration.ofSeconds(10)),
                List.of("https://a", "https://b"),
                new TrustedProxies(
                    Networks.of(List.of("10.0.0.0/8", "fd00::1")), TrustedProxies.Header.FORWARDED),
                new CompressionLevels(false, 3, Map.of("GET /metrics", 6, "PUT /v1/a/{id}", 0))));
    settings.finish();
  }

  @Test
  void relations_areChecked() {
    Settings settings =
        new Settings(
            Map.of(
                "tls.key", "b.pem",
                "http.bodies-bytes-max", "4 MiB"));
    HttpConfig.from(settings);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("give both or neither")
        .hasMessageContaining("http.bodies-bytes-max");
  }

  @Test
  void levels_wrong_areAllNamed() {
    Settings settings =
        new Settings(
            Map.of(
                "http.compression", "maybe",
                "http.compression-level", "10",
                "http.compression-levels",
                    "GET /a=1, GET /b, /c=2, GET GET /d=3, GET /e=12, get /f=4, GET /a=2, PUT"));
    assertThat(HttpConfig.from(settings).compressionLevels().level("GET", "/a")).isEqualTo(2);
    assertThatThrownBy(settings::finish)
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("http.compression: \"maybe\" is none of on, off")
        .hasMessageContaining("http.compression-level: 10 is not between 0 and 9")
        .hasMessageContaining("cannot read \"GET /b\"")
        .hasMessageContaining("cannot read \"/c=2\"")
        .hasMessageContaining("cannot read \"GET GET\"")
        .hasMessageContaining("cannot read \"GET /e=12\"")
        .hasMessageContaining("cannot read \"get\"")
        .hasMessageContaining("GET /a is there twice")
        .hasMessageContaining("PUT without a path");
  }

  @Test
  void levels_areThoseOfTheRoute_elseTheUsualOne() {
    CompressionLevels some = new CompressionLevels(true, 2, Map.of("GET /a/{id}", 6));
    assertThat(some.level("GET", "/a/{id}")).isEqualTo(6);
    assertThat(some.level("PUT", "/a/{id}")).isEqualTo(2);
    assertThat(new CompressionLevels(false, 2, Map.of("GET /a/{id}", 6)).level("GET", "/a/{id}"))
        .isZero();
  }

  @Test
  void levels_ofRoutesThatAreNotThere_areNamed() {
    CompressionLevels some =
        new CompressionLevels(true, 1, Map.of("GET /a", 1, "GET /b", 1, "PUT /a", 0));
    Route route =
        new Route("GET", "/a", null, OwnershipRule.OPEN, Priority.READS, 0, exchange -> {});
    assertThatThrownBy(() -> some.check(List.of(route)))
        .isInstanceOf(InvalidSettings.class)
        .hasMessageContaining("no route GET /b;")
        .hasMessageContaining("no route PUT /a;");
  }
}
