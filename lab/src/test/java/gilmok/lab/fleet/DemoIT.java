package gilmok.lab.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole demo as a process of its own, on a free port, at forty times real time. */
@Tag("process")
class DemoIT {
  private static final Pattern OPEN =
      Pattern.compile("Open (http\\S+?)/ and paste this key: (\\S+)");
  private static final Pattern CUSTOMER = Pattern.compile("What a customer sees: (\\S+)");
  private static final Pattern COLLECTED =
      Pattern.compile("gilmok_collect_accepted_total\\{stream=\"traces\"\\} (\\S+)");

  @TempDir private Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  @Test
  void demo_ridersDriveOnTheMap_andNothingStays() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path output = folder.resolve("out");
    try (Subject demo = demo(output, temporary, "--port", "0", "--speed", "40", "--seed", "1")) {
      await(() -> OPEN.matcher(text(output)).find() || !demo.alive());
      Matcher open = OPEN.matcher(text(output));
      assertThat(open.find()).as(text(output)).isTrue();
      String url = open.group(1);
      String key = open.group(2);
      await(
          () ->
              Stream.of(1, 2, 3, 25, 50).allMatch(i -> position(url, key, i).contains("\"lat\"")));
      String before = position(url, key, 1);
      await(() -> !position(url, key, 1).equals(before));
      assertThat(get(url + "/v1/audit", key).statusCode())
          .as("the map's key is no admin's")
          .isEqualTo(403);
      await(() -> get(url + "/v1/devices?riderId=rider-0050", key).body().contains("\"group\""));
      String admin = text(files(temporary, "admin.key").getFirst()).strip();
      await(() -> collected(url, admin) > 4_000);
      await(() -> CUSTOMER.matcher(text(output)).find());
      Matcher customer = CUSTOMER.matcher(text(output));
      assertThat(customer.find()).isTrue();
      assertThat(get(customer.group(1), "").body())
          .as("what a customer sees")
          .containsAnyOf("\"state\":\"coming\"", "\"state\":\"delivered\"");
      assertThat(get(url + "/", "").body()).contains("data-archive=\"/map/tiles.pmtiles?v=");
      assertThat(get(url + "/map/tiles.pmtiles", "").body()).startsWith("PMTiles");
      await(() -> !first(url, key).isMissingNode());
      assertDelivered(url, key, first(url, key));
      assertThat(demo.stop()).as(text(output)).isIn(0, 143);
    }
    Matcher late = Pattern.compile("late ([1-9][0-9,]*)").matcher(text(output));
    assertThat(late.find()).as("late uploads in: " + text(output)).isTrue();
    assertThat(text(output)).doesNotContain("refused");
    assertThat(files(temporary, "")).as("what stays").isEmpty();
  }

  @Test
  void demo_portTaken_saysSoAndWhatToDo() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path output = folder.resolve("out");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Subject demo = demo(output, temporary, "--port", Integer.toString(taken.getLocalPort()))) {
      await(() -> !demo.alive());
      assertThat(demo.stop()).isEqualTo(1);
    }
    assertThat(text(output)).contains("choose another with --port");
    assertThat(files(temporary, "")).as("what stays").isEmpty();
  }

  private static Subject demo(Path output, Path temporary, String... arguments) throws IOException {
    String java = ProcessHandle.current().info().command().orElse("java");
    List<String> command =
        Stream.concat(
                Stream.of(
                    java,
                    "-Xmx512m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Djava.io.tmpdir=" + temporary,
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "gilmok.lab.Lab",
                    "demo",
                    "--riders",
                    "50"),
                Stream.of(arguments))
            .toList();
    Files.createFile(output);
    return Subject.start("demo", command, Map.of(), 1, output);
  }

  private String position(String url, String key, int rider) {
    return get(url + "/v1/riders/rider-%04d/position".formatted(rider), key).body();
  }

  /** The oldest of the completed deliveries. */
  private JsonNode first(String url, String key) {
    String all = get(url + "/v1/deliveries?status=COMPLETED&limit=1000", key).body();
    JsonNode items = JsonMapper.shared().readTree(all).path("items");
    return items.path(items.size() - 1);
  }

  /** Asserts that the delivery took all its steps, by its rider, from the shop to the door. */
  private void assertDelivered(String url, String key, JsonNode delivery) {
    String events =
        get(url + "/v1/deliveries/" + delivery.path("id").asString() + "/events", key).body();
    List<JsonNode> steps =
        JsonMapper.shared().readTree(events).path("items").valueStream().toList();
    assertThat(steps)
        .extracting(step -> step.path("type").asString())
        .containsExactly(
            "delivery.created",
            "delivery.accepted",
            "delivery.assigned",
            "delivery.picked_up",
            "delivery.completed");
    assertThat(delivery.path("riderId").asString()).startsWith("rider-");
    assertThat(steps.get(3).path("lat").asDouble())
        .isEqualTo(delivery.at("/pickup/lat").asDouble());
    assertThat(steps.get(4).path("lat").asDouble())
        .isEqualTo(delivery.at("/dropoff/lat").asDouble());
  }

  private double collected(String url, String admin) {
    Matcher collected = COLLECTED.matcher(get(url + "/metrics", admin).body());
    return collected.find() ? Double.parseDouble(collected.group(1)) : 0;
  }

  private HttpResponse<String> get(String url, String key) {
    try {
      return client.send(
          HttpRequest.newBuilder(URI.create(url))
              .header("Accept", "application/json")
              .header("X-Api-Key", key)
              .build(),
          BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException hurried) {
      throw new IllegalStateException(hurried);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(end))
          .toList();
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() < deadline) {
      // Polling without a pause would take the processor away from the demo.
      LockSupport.parkNanos(50_000_000);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }
}
