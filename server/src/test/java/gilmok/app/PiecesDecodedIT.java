package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import com.microsoft.playwright.Page;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gilmok.Repository;
import gilmok.compress.ComposedBody;
import gilmok.compress.Fragment;
import gilmok.compress.MadeUpMissions;
import gilmok.compress.SmallFragmentCompressor;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One answer of 100 kB in five pieces, as gzip and as zstd, is decoded by the clients that will
 * read ours: Chromium, curl, Go, Python, Java and OkHttp, which Android's apps use. Where a decoder
 * is missing, its test fails in CI and is skipped elsewhere.
 */
@Tag("browser")
class PiecesDecodedIT {
  private static final String FETCH =
      """
      async path => {
        const answer = await fetch(path);
        const hash = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer());
        const hex = Array.from(new Uint8Array(hash), b => b.toString(16).padStart(2, '0')).join('');
        return answer.headers.get('Content-Encoding') + ' ' + hex;
      }
      """;

  private static HttpServer server;
  private static ExecutorService threads;
  private static String address;
  private static String expected;

  @BeforeAll
  static void serve() throws IOException {
    MadeUpMissions missions = new MadeUpMissions(1);
    ComposedBody answer;
    try (SmallFragmentCompressor smallFragmentCompressor = new SmallFragmentCompressor(1, 1)) {
      answer =
          ComposedBody.of(
              Fragment.of(missions.shared(38), 9),
              Fragment.of(new byte[0], 9),
              Fragment.of(missions.personal(38, List.of("r1")), 6),
              Fragment.later(missions.personal(39, List.of("r1", "r2")), smallFragmentCompressor),
              Fragment.later(missions.tail(40, 25), smallFragmentCompressor));
      answer.gzip();
      answer.zstd();
    }
    assertThat(answer.bytes()).isBetween(90_000L, 110_000L);
    MessageDigest hash = sha256();
    answer.identity().forEach(hash::update);
    expected = HexFormat.of().formatHex(hash.digest());
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    threads = Executors.newVirtualThreadPerTaskExecutor();
    server.setExecutor(threads);
    server.createContext("/", exchange -> reply(exchange, answer));
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private static void reply(HttpExchange exchange, ComposedBody answer) throws IOException {
    String path = exchange.getRequestURI().getPath();
    List<byte[]> parts =
        switch (path) {
          case "/gzip" -> answer.gzip();
          case "/zstd" -> answer.zstd();
          case "/identity" -> answer.identity();
          default -> List.of("<!doctype html><title>t</title>".getBytes(StandardCharsets.UTF_8));
        };
    String type = path.equals("/") ? "text/html" : "application/json";
    exchange.getResponseHeaders().set("Content-Type", type);
    if (path.equals("/gzip") || path.equals("/zstd")) {
      exchange.getResponseHeaders().set("Content-Encoding", path.substring(1));
    }
    exchange.sendResponseHeaders(200, parts.stream().mapToLong(part -> part.length).sum());
    try (OutputStream out = exchange.getResponseBody()) {
      for (byte[] part : parts) {
        out.write(part);
      }
    }
  }

  @AfterAll
  static void stop() {
    server.stop(0);
    threads.close();
  }

  @Test
  void chromium_readsIt() {
    try (Chromium chromium = Chromium.start()) {
      Page page = chromium.page();
      page.navigate(address + "/");
      for (String coding : List.of("gzip", "zstd")) {
        assertThat(page.evaluate(FETCH, "/" + coding)).isEqualTo(coding + " " + expected);
      }
      assertThat(page.evaluate(FETCH, "/identity")).isEqualTo("null " + expected);
    }
  }

  @Test
  void curl_readsGzip() throws Exception {
    needed("curl");
    assertThat(hash(run("curl", "-sS", "--fail", "--compressed", address + "/gzip")))
        .isEqualTo(expected);
  }

  /**
   * Debian 12's curl reads zstd. One that was built without zstd says so, and only gzip is tested.
   */
  @Test
  void curl_readsZstd() throws Exception {
    needed("curl");
    String features = run("curl", "--version");
    Assumptions.assumeTrue(
        System.getenv("CI") != null || features.contains(" zstd"),
        "this curl was built without zstd");
    assertThat(hash(run("curl", "-sS", "--fail", "--compressed", address + "/zstd")))
        .isEqualTo(expected);
  }

  @Test
  void go_readsIt() throws Exception {
    assertHashes(script("decode-go"), 3);
  }

  @Test
  void python_readsIt() throws Exception {
    assertHashes(script("decode-python"), 8);
  }

  @Test
  void java_readsIt() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String coding : List.of("gzip", "zstd")) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/" + coding)).build();
        InputStream body = client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
        try (InputStream decoded =
            coding.equals("gzip") ? new GZIPInputStream(body) : new ZstdInputStream(body)) {
          assertThat(hash(decoded.readAllBytes())).as(coding).isEqualTo(expected);
        }
      }
    }
  }

  /** OkHttp asks for gzip and decodes it by itself. */
  @Test
  void okHttp_readsIt() throws Exception {
    OkHttpClient client = new OkHttpClient();
    Request request = new Request.Builder().url(address + "/gzip").build();
    try (Response response = client.newCall(request).execute()) {
      assertThat(response.header("Content-Encoding")).as("left by it, if unread").isNull();
      assertThat(hash(response.body().bytes())).isEqualTo(expected);
    } finally {
      client.connectionPool().evictAll();
      client.dispatcher().executorService().shutdown();
    }
  }

  private static void assertHashes(String printed, int count) {
    String[] lines = printed.strip().split("\n");
    assertThat(lines).hasSize(count).allSatisfy(line -> assertThat(line).endsWith(" " + expected));
  }

  /**
   * The output of a script in .ci, run with the address. A first run without it makes what it
   * needs.
   */
  private static String script(String name) throws IOException, InterruptedException {
    String script = Repository.root().resolve(".ci").resolve(name).toString();
    Ended made = start(script);
    Assumptions.assumeTrue(System.getenv("CI") != null || made.code() == 0, made.complaints());
    assertThat(made.code()).as(made.complaints()).isZero();
    return run(script, address);
  }

  private static void needed(String tool) {
    boolean isThere =
        List.of(System.getenv("PATH").split(File.pathSeparator)).stream()
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    Assumptions.assumeTrue(System.getenv("CI") != null || isThere, tool + " is missing");
  }

  /** The output of a program, which must exit with 0. */
  private static String run(String... command) throws IOException, InterruptedException {
    Ended ended = start(command);
    assertThat(ended.code()).as(ended.complaints()).isZero();
    return ended.printed();
  }

  private record Ended(int code, String printed, String complaints) {}

  private static Ended start(String... command) throws IOException, InterruptedException {
    Path complaints = Files.createTempFile("decoder", ".txt");
    try {
      Process process = new ProcessBuilder(command).redirectError(complaints.toFile()).start();
      process.getOutputStream().close();
      String printed;
      try (InputStream out = process.getInputStream()) {
        printed = new String(out.readAllBytes(), StandardCharsets.UTF_8);
      }
      return new Ended(process.waitFor(), printed, Files.readString(complaints));
    } finally {
      Files.delete(complaints);
    }
  }

  private static String hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String hash(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
