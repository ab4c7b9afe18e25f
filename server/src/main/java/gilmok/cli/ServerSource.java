package gilmok.cli;

import gilmok.backup.repository.BackupManifest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running server, asked over HTTP. */
final class ServerSource implements BackupSource {
  private static final String PATH = "/v1/backup";

  /** A server under load lets backups wait for what is more urgent: for five minutes at most. */
  private static final int BUSY_TRIES = 150;

  private static final Duration BUSY_PAUSE = Duration.ofSeconds(2);

  private final ApiClient api;
  private final Duration patience;
  private final String node;
  private final List<Segment> ended;
  private boolean isMade;

  /** It does not answer, so it is asked no more. */
  private boolean isAway;

  /**
   * Asks the server what it has.
   *
   * @param patience how long it may be silent while it owes bytes
   */
  ServerSource(ApiClient api, Duration patience) throws InterruptedException {
    this.api = api;
    this.patience = patience;
    JsonNode answer = listed();
    node = answer.path("node").asString();
    ended = segments(answer.path("segments"));
  }

  private JsonNode listed() throws InterruptedException {
    return api.ask("GET", PATH + "/segments", null);
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public List<Segment> ended() {
    return ended;
  }

  @Override
  public Point point(long bytesPerSecond, BiConsumer<Long, Long> copied)
      throws IOException, InterruptedException {
    isMade = true;
    try (InputStream in = stream("POST", PATH + "?bytesPerSecond=" + bytesPerSecond);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode told = JsonMapper.shared().readTree(line);
        if (told.has("point")) {
          return point(told.path("point"));
        }
        if (told.has("failed")) {
          throw new CommandFailure("the server made no copy: " + told.path("failed").asString());
        }
        copied.accept(told.path("copied").asLong(), told.path("of").asLong());
      }
    }
    throw new CommandFailure("the server ended while it made the copy; give the command again");
  }

  private static Point point(JsonNode told) {
    List<PointFile> files = new ArrayList<>();
    for (JsonNode one : told.path("files")) {
      files.add(new PointFile(one.path("path").asString(), one.path("bytes").asLong()));
    }
    Map<String, String> settings = new TreeMap<>();
    told.path("settings").forEachEntry((key, value) -> settings.put(key, value.asString()));
    return new Point(
        new BackupManifest.Source(
            told.path("node").asString(),
            told.path("format").asInt(),
            told.path("version").asString(),
            told.path("documents").asString()),
        told.path("at").asLong(),
        told.path("through").asLong(),
        segments(told.path("segments")),
        files,
        settings);
  }

  private static List<Segment> segments(JsonNode told) {
    List<Segment> segments = new ArrayList<>();
    for (JsonNode one : told) {
      segments.add(
          new Segment(
              one.path("first").asLong(),
              one.path("epoch").asString(),
              one.path("bytes").asLong(),
              one.path("isEnded").asBoolean()));
    }
    return segments;
  }

  @Override
  public @Nullable InputStream open(Segment segment) throws IOException, InterruptedException {
    return ask("GET", PATH + "/segments/" + segment.first() + "?bytes=" + segment.bytes());
  }

  @Override
  public @Nullable Segment again(long first) throws InterruptedException {
    return segments(listed().path("segments")).stream()
        .filter(one -> one.first() == first)
        .findAny()
        .orElse(null);
  }

  @Override
  public InputStream open(Point point, int index) throws IOException, InterruptedException {
    return stream("GET", PATH + "/files/" + index);
  }

  private InputStream stream(String method, String path) throws IOException, InterruptedException {
    InputStream in = ask(method, path);
    if (in == null) {
      throw new CommandFailure("the server has deleted its copy; give the command again");
    }
    return in;
  }

  /** The body of the answer; null if what it was is gone. */
  private @Nullable InputStream ask(String method, String path)
      throws IOException, InterruptedException {
    Target target = api.target();
    HttpRequest request =
        HttpRequest.newBuilder(target.resolve(path))
            .header("X-Api-Key", target.key())
            .timeout(patience)
            .method(method, BodyPublishers.noBody())
            .build();
    HttpResponse<InputStream> answer = send(request);
    for (int again = 0; answer.statusCode() == 503 && again < BUSY_TRIES; again++) {
      answer.body().close();
      LockSupport.parkNanos(BUSY_PAUSE.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      answer = send(request);
    }
    if (answer.statusCode() == 200) {
      return answer.body();
    }
    try (InputStream in = answer.body()) {
      if (answer.statusCode() == 410) {
        return null;
      }
      throw new CommandFailure(
          target.refusal(answer.statusCode(), ServerProblem.of(in.readAllBytes())));
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws InterruptedException {
    try {
      return api.send(request, _ -> new PatientBody(patience, this::silent), this::silent);
    } catch (CommandFailure away) {
      isAway = true;
      throw away;
    }
  }

  private CommandFailure silent() {
    isAway = true;
    return new CommandFailure(
        ("no byte came from %s for %,d s (--read-timeout): see whether it and the network"
                + " are well, and give the command again; what is stored"
                + " already is not copied again")
            .formatted(api.target().base(), patience.toSeconds()));
  }

  /** Lets the server delete its copy. */
  @Override
  public void close() {
    try {
      if (isMade && !isAway) {
        JsonNode _ = api.ask("DELETE", PATH, null);
      }
    } catch (CommandFailure | InterruptedException stays) {
      // The next backup replaces it, and so does the server's next start.
    } finally {
      api.close();
    }
  }
}
