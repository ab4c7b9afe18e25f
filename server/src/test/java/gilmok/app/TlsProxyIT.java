package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real nginx with ops/nginx/tls.conf and a certificate made by the lines of ops/README.md, before
 * a server; phones come from an address of their own.
 */
@Tag("engine")
final class TlsProxyIT {
  private static final String PHONE = "127.0.0.2";
  private static final String POSITION =
      "{\"riderId\":\"%s\",\"at\":\"2026-01-05T09:00:00Z\",\"lat\":37.5,\"lon\":127.0}";

  @TempDir Path folder;
  private RunningServer server;
  private Nginx nginx;
  private HttpClient phone;
  private int port;
  private boolean isAway;

  @BeforeEach
  void start() throws Exception {
    Needed.program("openssl", "openssl");
    server = RunningServer.start(folder.resolve("data"), "http.trusted-proxies=127.0.0.1");
    Files.createDirectory(folder.resolve("certificates"));
    run("certificates", OpsFiles.pasted("openssl x509").replaceFirst("NAME=.*", "NAME=localhost"));
    port = Nginx.freePort();
    String text = OpsFiles.text("nginx/tls.conf");
    String live = "/etc/letsencrypt/live/fleet.example.com/";
    assertThat(text).contains("127.0.0.1:8080", "/var/log/nginx/", live, "listen 443 ssl http2;");
    nginx =
        Nginx.start(
            Files.createDirectory(folder.resolve("nginx")),
            text.replace("127.0.0.1:8080", server.uri("").getAuthority())
                .replace("/var/log/nginx/", folder + "/")
                .replace(live + "fullchain.pem", folder + "/certificates/fleet.pem")
                .replace(live + "privkey.pem", folder + "/certificates/fleet.key")
                .replace("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
                .replaceAll("listen \\[::].*", ""));
    phone = phone(Version.HTTP_2);
  }

  @AfterEach
  void stop() throws Exception {
    if (phone != null) {
      phone.close();
    }
    if (nginx != null) {
      nginx.close();
    }
    if (server != null && !isAway) {
      server.close();
    }
  }

  @Test
  void record_isTaken_overHttp2And1_andTheAddressIsThePhones() throws Exception {
    HttpResponse<String> answer = send(phone, "POST", "/v1/traces", POSITION.formatted("r1"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    assertThat(answer.version()).isEqualTo(Version.HTTP_2);
    assertThat(answer.headers().firstValue("strict-transport-security")).isPresent();
    try (HttpClient older = phone(Version.HTTP_1_1)) {
      answer = send(older, "POST", "/v1/traces", POSITION.formatted("r2"));
      assertThat(answer.statusCode()).isEqualTo(202);
      assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
    }
    HttpRequest forged =
        request("POST", "/v1/keys", "{\"name\":\"app\",\"scopes\":[\"collect\"]}")
            .header("X-Forwarded-For", "192.0.2.9")
            .header("Forwarded", "for=192.0.2.9")
            .build();
    assertThat(phone.send(forged, BodyHandlers.ofString()).statusCode()).isEqualTo(201);
    assertThat(server.get("/v1/audit").json().at("/items/0/address").asString()).isEqualTo(PHONE);
    assertThat(send(phone, "POST", "/v1/traces", " ".repeat(9 << 20)).statusCode()).isEqualTo(413);
  }

  @Test
  void stream_flows_whileItIsOpen() throws Exception {
    HttpRequest listening =
        request("GET", "/v1/stream/positions?interval=100", "")
            .timeout(Duration.ofSeconds(30))
            .build();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        InputStream stream = phone.send(listening, BodyHandlers.ofInputStream()).body()) {
      BufferedReader events =
          new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
      for (String rider : List.of("first", "second")) {
        assertThat(send(phone, "POST", "/v1/traces", POSITION.formatted(rider)).statusCode())
            .isEqualTo(202);
        Future<Boolean> told =
            threads.submit(() -> events.lines().anyMatch(line -> line.contains(rider)));
        assertThat(told.get(30, TimeUnit.SECONDS)).as(rider).isTrue();
      }
    }
  }

  @Test
  void connection_isOnlyWhatAppTransportSecurityTakes_andNeverPlain() throws Exception {
    assertThat(handshake("-tls1_3")).isTrue();
    assertThat(handshake("-tls1_2")).isTrue();
    assertThat(handshake("-tls1_1 -cipher ALL:@SECLEVEL=0")).isFalse();
    assertThat(handshake("-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA")).as("no AEAD").isFalse();
    assertThat(handshake("-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384")).isTrue();
    HttpRequest plain =
        HttpRequest.newBuilder(URI.create(nginx.url() + "/v1/traces"))
            .header("X-Api-Key", server.adminKey())
            .POST(BodyPublishers.ofString(POSITION.formatted("r1")))
            .build();
    HttpResponse<String> refused = phone.send(plain, BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).isEqualTo("https only\n");
  }

  @Test
  void logs_haveNoKey_alsoWhileTheServerIsAway() throws Exception {
    String key = server.adminKey();
    String osmand = "/osmand?id=r1&lat=37.5&lon=127&timestamp=1767600000&key=" + key;
    HttpRequest fix = HttpRequest.newBuilder(uri(osmand)).build();
    assertThat(phone.send(fix, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    HttpRequest link = HttpRequest.newBuilder(uri("/track/" + key + "?key=" + key)).build();
    assertThat(phone.send(link, BodyHandlers.discarding()).statusCode()).isEqualTo(404);
    server.close();
    isAway = true;
    assertThat(phone.send(fix, BodyHandlers.discarding()).statusCode()).isEqualTo(502);
    nginx.close();
    assertThat(Files.readString(folder.resolve("gilmok.log")))
        .contains(PHONE, " GET /osmand HTTP/2.0 200 ", " GET /track/... ", " 502 ")
        .doesNotContain(key);
    assertThat(Files.readString(folder.resolve("gilmok-error.log"))).doesNotContain(key);
    assertThat(Files.readString(folder.resolve("nginx/nginx.out"))).doesNotContain(key);
  }

  private URI uri(String path) {
    return URI.create("https://localhost:" + port + path);
  }

  private HttpRequest.Builder request(String method, String path, String body) {
    return HttpRequest.newBuilder(uri(path))
        .header("X-Api-Key", server.adminKey())
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body));
  }

  private HttpResponse<String> send(HttpClient client, String method, String path, String body)
      throws Exception {
    return client.send(request(method, path, body).build(), BodyHandlers.ofString());
  }

  /** A client that trusts our own CA and comes from the phone's address. */
  private HttpClient phone(Version version) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream ca = Files.newInputStream(folder.resolve("certificates/ca.pem"))) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(ca));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return HttpClient.newBuilder()
        .sslContext(tls)
        .version(version)
        .localAddress(InetAddress.getByName(PHONE))
        .build();
  }

  private boolean handshake(String options) throws Exception {
    String command =
        "openssl s_client -connect localhost:%d -CAfile ca.pem -verify_return_error %s </dev/null"
            .formatted(port, options);
    return shell("certificates", command) == 0;
  }

  private void run(String in, String lines) throws Exception {
    int status = shell(in, lines);
    assertThat(status).as(Files.readString(folder.resolve("said"))).isZero();
  }

  private int shell(String in, String lines) throws Exception {
    Process process =
        new ProcessBuilder("bash", "-euo", "pipefail", "-c", lines)
            .directory(folder.resolve(in).toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
