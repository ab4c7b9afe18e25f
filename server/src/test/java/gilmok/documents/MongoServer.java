package gilmok.documents;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import gilmok.Repository;
import gilmok.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A MongoDB for tests: SecantusDB, which {@code .ci/secantus} installs and starts on a free port of
 * loopback, once for all tests of a run; or the server that {@code GILMOK_TEST_MONGO_URI} names.
 * Each test uses a database of its own. Where there is no server, tests fail in CI and are skipped
 * elsewhere.
 */
public final class MongoServer {
  /**
   * A shell script that runs the server, kills it when the script's own input ends, and removes its
   * files. The input ends with the tests, however they end.
   */
  private static final String WATCH =
      "trap '' HUP INT TERM PIPE; \"$@\" & cat > /dev/null; kill -9 $!; wait $!; rm -rf \"$FILES\"";

  private static final long PATIENCE_MINUTES = 5;
  private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private static @Nullable MongoServer running;
  private static @Nullable String fault;

  private final String uri;
  private final MongoClient client;

  private MongoServer(String uri) {
    this.uri = uri;
    client = MongoClients.create(uri);
  }

  /** The server of this run. The first call starts it. */
  public static synchronized MongoServer any() throws IOException, InterruptedException {
    MongoServer server = running;
    if (server == null && fault == null) {
      String given = System.getenv("GILMOK_TEST_MONGO_URI");
      try {
        server = new MongoServer(given == null ? start() : given);
        running = server;
      } catch (IOException e) {
        fault = e.getMessage();
      }
    }
    if (server == null) {
      Assumptions.assumeTrue(System.getenv("CI") != null, fault);
      throw new IOException(fault);
    }
    return server;
  }

  private static String start() throws IOException, InterruptedException {
    Path root = Repository.root();
    Files.createDirectories(root.resolve("target"));
    Path files = Files.createTempDirectory(root.resolve("target"), "secantus-data");
    String script = root.resolve(".ci/secantus").toString();
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", WATCH, "sh", script, "0", files.toString())
            .redirectErrorStream(true);
    builder.environment().put("FILES", files.toString());
    Process process = builder.start();
    Queue<String> said = new ConcurrentLinkedQueue<>();
    CompletableFuture<Integer> port = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> follow(process, said, port));
    try {
      return "mongodb://127.0.0.1:"
          + port.get(PATIENCE_MINUTES, TimeUnit.MINUTES)
          + "/?directConnection=true";
    } catch (ExecutionException | TimeoutException e) {
      process.getOutputStream().close();
      throw new IOException("SecantusDB does not start: " + String.join("\n", said), e);
    }
  }

  /** Reads the server's output to its end, so that a full pipe never blocks the server. */
  private static void follow(Process process, Queue<String> said, CompletableFuture<Integer> port) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher listening = LISTENING.matcher(line);
        if (listening.find()) {
          port.complete(Integer.parseInt(listening.group(1)));
        } else if (!port.isDone()) {
          said.add(line);
        }
      }
      port.completeExceptionally(new IOException("it ended"));
    } catch (IOException | UncheckedIOException e) {
      port.completeExceptionally(e);
    }
  }

  /** The URI of the server. */
  public String uri() {
    return uri;
  }

  /**
   * A new database name that no other test uses. The caller drops the database with {@link #drop}.
   */
  public String newDatabase() {
    return "gilmok_test_" + ProcessHandle.current().pid() + "_" + DATABASES.incrementAndGet();
  }

  /** A database through the tests' own client. */
  public MongoDatabase database(String name) {
    return client.getDatabase(name);
  }

  /** The names of all databases that hold something. */
  public List<String> databases() {
    return client.listDatabaseNames().into(new ArrayList<>());
  }

  /** Removes a database. */
  public void drop(String name) {
    client.getDatabase(name).drop();
  }

  /** The configuration for a database on this server, with more settings. */
  public MongoConfig config(String database, Map<String, String> more) {
    Map<String, String> all = new HashMap<>();
    all.put("documents.mongo-uri", uri);
    all.put("documents.mongo-database", database);
    all.put("documents.mongo-timeout", "30 s");
    all.putAll(more);
    Settings settings = new Settings(all);
    MongoConfig config = MongoConfig.from(settings);
    settings.finish();
    return config;
  }
}
