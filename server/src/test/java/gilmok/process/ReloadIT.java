package gilmok.process;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.app.Program;
import gilmok.app.Program.Ended;
import gilmok.app.RunningServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGHUP to a server in a process of its own: it reloads its settings, and no request fails. */
@Tag("process")
final class ReloadIT {
  private static final String KEY = "a-key-for-the-test-of-reloads";
  private static final int LANES = 4;

  @TempDir Path folder;
  private Path settings;
  private Path certificate;
  private Path key;
  private Path secret;
  private X509Bundle first;
  private SSLContext trust;

  @BeforeEach
  void write() throws Exception {
    settings = folder.resolve("gilmok.yaml");
    certificate = folder.resolve("tls.crt");
    key = folder.resolve("tls.key");
    secret = Files.writeString(folder.resolve("admin"), KEY + "\n");
    first = bundle("first");
    show(first);
    trust = trusting(first);
  }

  @Test
  void hangUp_underLoad_takesUpWhatCanChange_namesTheRest_andDropsNothing() throws Exception {
    settings("logging.level: error", "sinks.files.batch-age-max: 100 ms");
    try (Program server = serve();
        Load load = new Load(server.uri("/v1/traces"), trust)) {
      load.await(200);
      assertThat(server.logged()).doesNotContain(" INFO ");
      assertThat(shown(server)).isEqualTo("CN=first");

      X509Bundle second = bundle("second");
      show(second);
      settings(
          "logging.level: info",
          "logging.format: json",
          "sinks.files.batch-age-max: 250 ms",
          "http.idle-timeout: 60 s");
      server.hangUp();
      awaitReloads(server, "ok", 1, second);
      assertThat(shown(server)).isEqualTo("CN=second");
      assertThat(server.logged())
          .contains(
              "\"message\":\"reloaded: logging.format, logging.level, sinks.files.batch-age-max,"
                  + " tls.certificate; unchanged: ")
          .contains("next start: http.idle-timeout\"")
          .contains("http.idle-timeout changed from 75 s to 60 s: takes effect at the next start");
      assertThat(ask(server, "/v1/sinks", second)).contains("\"batchAgeMaxMillis\":250");
      assertThat(ask(server, "/metrics", second)).contains("gilmok_reload_pending_settings 1");

      X509Bundle third = bundle("third");
      show(third);
      settings("logging.level: loud", "sinks.files.batch-age-max: 1 s", "sinks.fils: x");
      server.hangUp();
      awaitReloads(server, "refused", 1, second);
      assertThat(server.logged())
          .contains("not reloaded, everything stays as it is; problems: 2")
          .contains("not reloaded: logging.level: \\\"loud\\\" is none of")
          .contains("not reloaded: sinks.fils: no such setting");
      assertThat(shown(server)).isEqualTo("CN=second");
      assertThat(ask(server, "/v1/sinks", second)).contains("\"batchAgeMaxMillis\":250");

      settings("logging.level: info", "sinks.files.batch-age-max: 1 s");
      show(first, third);
      server.hangUp();
      awaitReloads(server, "refused", 2, second);
      assertThat(server.logged()).contains("the key does not belong to the certificate");
      assertThat(ask(server, "/v1/sinks", second)).contains("\"batchAgeMaxMillis\":250");

      show(third);
      for (int i = 0; i < 10; i++) {
        server.hangUp();
      }
      Program.await(() -> shown(server).equals("CN=third"));
      awaitReloads(server, "ok", 2, third);
      assertThat(ask(server, "/v1/sinks", third)).contains("\"batchAgeMaxMillis\":1000");

      load.await(load.answered() + 200);
      load.end();
      assertThat(load.failures()).isEmpty();
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
      assertThat(ended.err())
          .contains("INFO gilmok stopped")
          .contains("tls.certificate = " + certificate + "; what it names has changed")
          .doesNotContain(KEY);
    }
  }

  @Test
  void hangUp_rateOfKeys_isInForceAtOnce() throws Exception {
    settings("logging.level: info");
    try (Program server = serve()) {
      HttpClient client = client(trust);
      HttpResponse<String> made =
          client.send(
              request(server.uri("/v1/keys"), KEY)
                  .POST(BodyPublishers.ofString("{\"name\":\"app\",\"scopes\":[\"collect\"]}"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
      String app = made.body().replaceAll("(?s).*\"key\":\"([^\"]+)\".*", "$1");
      HttpRequest post =
          request(server.uri("/v1/traces"), app).POST(BodyPublishers.ofString(record())).build();
      for (int i = 0; i < 20; i++) {
        assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(202);
      }
      settings("logging.level: info", "auth.rate: 1");
      server.hangUp();
      awaitReloads(server, "ok", 1, first);
      Program.await(() -> client.send(post, BodyHandlers.ofString()).statusCode() == 429);
    }
  }

  /** Commands other than the server still end at SIGHUP, as programs do by default. */
  @Test
  void hangUp_anotherCommand_endsIt() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data, "only=collect")) {
      assertThat(server.post("/v1/traces", record()).status()).isEqualTo(202);
    }
    try (Program ship =
        Program.start(
            "ship",
            "--data=" + data,
            "--set=sinks.enabled=redis",
            "--set=redis.url=redis://127.0.0.1:1")) {
      Program.await(() -> ship.logged().contains("redis: 1"));
      ship.hangUp();
      assertThat(ship.end().code()).isEqualTo(129);
    }
  }

  private Program serve() throws Exception {
    List<String> arguments = Program.serving(folder.resolve("data"));
    arguments.addAll(List.of("--only=collect,sinks", "--config=" + settings));
    Program server =
        Program.startIn(
            Map.of("GILMOK_ADMIN_KEY_FILE", secret.toString()), arguments.toArray(String[]::new));
    server.awaitReady();
    return server;
  }

  private void settings(String... lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add("sinks.enabled: files");
    all.add("tls.certificate: " + certificate);
    all.add("tls.key: " + key);
    all.add("tls.reload-interval: 1 h");
    Files.write(settings, all);
  }

  private static X509Bundle bundle(String name) throws Exception {
    return new CertificateBuilder()
        .subject("CN=" + name)
        .setIsCertificateAuthority(true)
        .addSanIpAddress("127.0.0.1")
        .buildSelfSigned();
  }

  private void show(X509Bundle bundle) throws IOException {
    show(bundle, bundle);
  }

  private void show(X509Bundle ofCertificate, X509Bundle ofKey) throws IOException {
    Files.writeString(certificate, ofCertificate.getCertificatePathPEM());
    Files.writeString(key, ofKey.getPrivateKeyPEM());
  }

  private static SSLContext trusting(X509Bundle bundle) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("only", bundle.getCertificate());
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  /**
   * The subject of the certificate that the server presents to a new connection, trusted or not.
   */
  private static String shown(Program server) throws Exception {
    SSLContext open = SSLContext.getInstance("TLS");
    open.init(
        null,
        io.netty.handler.ssl.util.InsecureTrustManagerFactory.INSTANCE.getTrustManagers(),
        null);
    URI uri = server.uri("/");
    try (SSLSocket socket =
        (SSLSocket) open.getSocketFactory().createSocket(uri.getHost(), uri.getPort())) {
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    }
  }

  private static HttpClient client(SSLContext trust) {
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(trust).build();
  }

  private static HttpRequest.Builder request(URI uri, String key) {
    return HttpRequest.newBuilder(uri)
        .header("X-Api-Key", key)
        .header("Content-Type", "application/json")
        .timeout(Duration.ofSeconds(30));
  }

  /** The body of an answer, asked for on a connection of its own. */
  private static String ask(Program server, String path, X509Bundle trusted) throws Exception {
    try (HttpClient client = client(trusting(trusted))) {
      return client.send(request(server.uri(path), KEY).build(), BodyHandlers.ofString()).body();
    }
  }

  /** Waits until at least {@code least} reloads have had that result. */
  private static void awaitReloads(Program server, String result, int least, X509Bundle trusted)
      throws Exception {
    String name = "gilmok_reloads_total{result=\"" + result + "\"} ";
    Program.await(
        () -> {
          try (Stream<String> lines = ask(server, "/metrics", trusted).lines()) {
            return lines
                .filter(line -> line.startsWith(name))
                .anyMatch(line -> Double.parseDouble(line.substring(name.length())) >= least);
          } catch (javax.net.ssl.SSLHandshakeException notYet) {
            return false;
          }
        });
  }

  private static String record() {
    return "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}";
  }

  /**
   * Clients that post without a pause until the end, each one request at a time on one connection.
   */
  private static final class Load implements AutoCloseable {
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicLong answered = new AtomicLong();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> lanes = new ArrayList<>();

    Load(URI uri, SSLContext trust) {
      for (int lane = 0; lane < LANES; lane++) {
        lanes.add(Thread.ofVirtual().start(() -> run(uri, trust)));
      }
    }

    private void run(URI uri, SSLContext trust) {
      HttpRequest post = request(uri, KEY).POST(BodyPublishers.ofString(record())).build();
      try (HttpClient client = client(trust)) {
        while (!isOver.get()) {
          int status = client.send(post, BodyHandlers.ofString()).statusCode();
          answered.incrementAndGet();
          if (status != 202) {
            failures.add("answered " + status);
          }
        }
      } catch (IOException | InterruptedException failed) {
        failures.add(failed.toString());
      }
    }

    long answered() {
      return answered.get();
    }

    Queue<String> failures() {
      return failures;
    }

    void await(long least) throws Exception {
      Program.await(() -> answered.get() >= least || !failures.isEmpty());
    }

    void end() throws InterruptedException {
      isOver.set(true);
      for (Thread lane : lanes) {
        lane.join();
      }
    }

    @Override
    public void close() {
      isOver.set(true);
    }
  }
}
