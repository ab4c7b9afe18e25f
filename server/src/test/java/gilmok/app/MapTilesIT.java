package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gilmok.config.InvalidSettings;
import gilmok.config.Settings;
import gilmok.http.ReasonCheck;
import gilmok.pages.MapArchive;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The map's tiles out of a file, over HTTP. How they look: {@link MapTilesPageIT}. */
@Tag("server")
final class MapTilesIT {
  private static final String TILES = "/map/tiles.pmtiles";

  @TempDir Path data;
  @TempDir Path maps;

  @Test
  void parts_areWhatTheFileHasThere() throws Exception {
    Path file = maps.resolve("city.pmtiles");
    new MapArchive().write(file);
    byte[] whole = Files.readAllBytes(file);
    try (RunningServer server = start(file);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> part = get(client, server, "Range", "bytes=100-149");
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).isEqualTo(Arrays.copyOfRange(whole, 100, 150));
      assertThat(header(part, "content-range")).isEqualTo("bytes 100-149/" + whole.length);
      assertThat(header(part, "content-length")).isEqualTo("50");
      assertThat(header(part, "content-type")).isEqualTo("application/vnd.pmtiles");
      assertThat(header(part, "accept-ranges")).isEqualTo("bytes");
      assertThat(header(part, "x-content-type-options")).isEqualTo("nosniff");
      assertThat(header(part, "content-encoding")).isEmpty();

      HttpResponse<byte[]> past = get(client, server, "Range", "bytes=0-16383");
      assertThat(past.statusCode()).isEqualTo(206);
      assertThat(past.body()).isEqualTo(whole);
      assertThat(get(client, server, "Range", "bytes=-9").body())
          .isEqualTo(Arrays.copyOfRange(whole, whole.length - 9, whole.length));

      HttpResponse<byte[]> all = get(client, server);
      assertThat(all.statusCode()).isEqualTo(200);
      assertThat(all.body()).isEqualTo(whole);
      HttpResponse<byte[]> many = get(client, server, "Range", "bytes=0-1,5-6");
      assertThat(many.statusCode()).isEqualTo(200);
      assertThat(many.body()).isEqualTo(whole);
    }
  }

  @Test
  void validators_headAndRefusals() throws Exception {
    Path file = maps.resolve("city.pmtiles");
    new MapArchive().write(file);
    long size = Files.size(file);
    try (RunningServer server = start(file);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> beyond = get(client, server, "Range", "bytes=" + size + "-");
      assertThat(beyond.statusCode()).isEqualTo(416);
      assertThat(header(beyond, "content-range")).isEqualTo("bytes */" + size);
      String problem = new String(beyond.body(), StandardCharsets.UTF_8);
      assertThat(problem).contains("/docs/errors#range", "the file has " + size + " bytes");
      ReasonCheck.answer(problem);

      String tag = header(get(client, server, "Range", "bytes=0-9"), "etag");
      assertThat(tag).matches("\"[0-9a-f]{16}\"");
      assertThat(get(client, server, "If-None-Match", tag).statusCode()).isEqualTo(304);
      assertThat(get(client, server, "Range", "bytes=0-9", "If-Range", tag).statusCode())
          .isEqualTo(206);
      HttpResponse<byte[]> other =
          get(client, server, "Range", "bytes=0-9", "If-Range", "\"other\"");
      assertThat(other.statusCode()).isEqualTo(200);
      assertThat(other.body()).hasSize((int) size);

      HttpResponse<byte[]> head =
          client.send(
              HttpRequest.newBuilder(server.uri(TILES))
                  .method("HEAD", BodyPublishers.noBody())
                  .build(),
              BodyHandlers.ofByteArray());
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(header(head, "content-length")).isEqualTo(Long.toString(size));
      assertThat(header(head, "accept-ranges")).isEqualTo("bytes");

      for (String stranger : new String[] {"/map/city.pmtiles", "/map/..%2fadmin.key", "/map/"}) {
        assertThat(get(client, server, stranger, new String[0]).statusCode()).isEqualTo(404);
      }
    }
  }

  @Test
  void longRange_isAnsweredWithItsBeginning_andAllOfItIsStreamed() throws Exception {
    Path file = maps.resolve("city.pmtiles");
    new MapArchive().write(file);
    Files.write(file, new byte[5 << 20], StandardOpenOption.APPEND);
    long size = Files.size(file);
    try (RunningServer server = start(file);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> part = get(client, server, "Range", "bytes=0-");
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(part.body()).hasSize(1 << 20);
      assertThat(header(part, "content-range")).isEqualTo("bytes 0-1048575/" + size);
      assertThat(get(client, server).body()).isEqualTo(Files.readAllBytes(file));
    }
  }

  @Test
  void without_thereIsNothing_andThePageNamesNone() throws Exception {
    try (RunningServer server = RunningServer.start(data);
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> none = get(client, server, "Range", "bytes=0-9");
      assertThat(none.statusCode()).isEqualTo(404);
      String problem = new String(none.body(), StandardCharsets.UTF_8);
      assertThat(problem).contains("the map has no tiles of its own");
      ReasonCheck.answer(problem);
      assertThat(page(client, server)).contains("data-archive=\"\"");
    }
  }

  @Test
  void reload_takesAnotherFile_andKeepsTheOldOneIfThatIsUnusable() throws Exception {
    Path file = maps.resolve("city.pmtiles");
    MapArchive archive = new MapArchive();
    archive.write(file);
    try (RunningServer server = start(file);
        HttpClient client = HttpClient.newHttpClient()) {
      String first = header(get(client, server, "Range", "bytes=0-9"), "etag");
      assertThat(page(client, server))
          .contains("data-archive=\"" + TILES + "?v=" + first.replace("\"", "") + "\"")
          .contains("data-kind=\"vector\"")
          .contains("&lt;a href=&quot;https://maps.example/c&quot;&gt;Half &amp; half&lt;/a&gt;");

      reload(server, file, "");
      assertThat(header(get(client, server, "Range", "bytes=0-9"), "etag")).isEqualTo(first);

      archive.metadata = archive.metadata.replace("Half & half", "Thirds");
      Path next = maps.resolve("next");
      archive.write(next);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING);
      reload(server, file, "");
      HttpResponse<byte[]> now = get(client, server);
      assertThat(header(now, "etag")).isNotEqualTo(first);
      assertThat(now.body()).isEqualTo(Files.readAllBytes(file));
      assertThat(page(client, server)).contains("Thirds");

      Files.writeString(next, "broken");
      assertThat(problems(next)).containsExactly("map.tiles-file: " + next + " is no PMTiles file");

      reload(server, null, "© us");
      assertThat(get(client, server).statusCode()).isEqualTo(404);
      assertThat(page(client, server)).contains("data-archive=\"\"", "data-attribution=\"© us\"");
    }
  }

  private RunningServer start(Path file) throws Exception {
    return RunningServer.start(data, "map.tiles-file=" + file);
  }

  private void reload(RunningServer server, @Nullable Path file, String attribution)
      throws Exception {
    ServerConfig next =
        ServerConfig.from(
            new Settings(
                Map.of(
                    "data",
                    data.toString(),
                    "map.tiles-file",
                    file == null ? "" : file.toString(),
                    "map.attribution",
                    attribution)));
    server.server().adjustables().adjust(next, next);
  }

  private static Iterable<String> problems(Path file) {
    Settings settings = new Settings(Map.of("map.tiles-file", file.toString()));
    return catchThrowableOfType(InvalidSettings.class, () -> ServerConfig.from(settings))
        .problems();
  }

  private static String page(HttpClient client, RunningServer server) throws Exception {
    return new String(get(client, server, "/", new String[0]).body(), StandardCharsets.UTF_8);
  }

  private static HttpResponse<byte[]> get(
      HttpClient client, RunningServer server, String... headers) throws Exception {
    return get(client, server, TILES, headers);
  }

  private static HttpResponse<byte[]> get(
      HttpClient client, RunningServer server, String path, String[] headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.uri(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("");
  }
}
