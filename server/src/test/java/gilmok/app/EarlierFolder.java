package gilmok.app;

import gilmok.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A data folder that an earlier version wrote, with what that version answered about it. {@code
 * gilmok lab rollback --fixture} makes such an archive of a release.
 */
final class EarlierFolder {
  /** Members that a server keeps in memory, that say when it was asked, or are for people. */
  private static final Set<String> PASSING =
      Set.of("sum", "heardAt", "dialect", "ended", "waiting", "telling", "breaker", "detail");

  private final Path data;
  private final JsonNode about;
  private final long begunAtNanos = System.nanoTime();

  private EarlierFolder(Path data, JsonNode about) {
    this.data = data;
    this.about = about;
  }

  /** The archives, the oldest version first. */
  static List<Path> archives() throws IOException {
    Path folder = Repository.root().resolve("server/src/test/resources/folders");
    try (var all = Files.list(folder)) {
      return all.filter(file -> file.toString().endsWith(".zip"))
          .sorted(Comparator.comparing(EarlierFolder::version))
          .toList();
    }
  }

  private static Version version(Path archive) {
    return Version.parse(archive.getFileName().toString().replace(".zip", ""));
  }

  /** Unpacks an archive below a folder. */
  static EarlierFolder unpacked(Path archive, Path into) throws IOException {
    JsonNode about = null;
    try (InputStream in = Files.newInputStream(archive);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().equals("asked.json")) {
          about = JsonMapper.shared().readTree(zip.readAllBytes());
        } else {
          Path file = into.resolve(entry.getName());
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
    if (about == null) {
      throw new AssertionError(archive + " has no asked.json");
    }
    return new EarlierFolder(into.resolve("data"), about);
  }

  Path data() {
    return data;
  }

  /** Starts this version over the folder, in its time: what expires has not expired since. */
  RunningServer start() throws Exception {
    Instant then = Instant.parse(about.path("writtenAt").asString());
    Stores at =
        new Stores() {
          @Override
          public InstantSource time() {
            return () -> then.plus(Duration.ofNanos(System.nanoTime() - begunAtNanos));
          }
        };
    return RunningServer.start(
        data,
        at,
        "log.on-clone=keep-id",
        "sinks.enabled=files",
        "sinks.files.file-age-max=50ms",
        "relay.private-networks=127.0.0.1");
  }

  /** How many questions there are. */
  int questions() {
    return about.path("questions").size();
  }

  /**
   * Asks what was asked of the version that wrote the folder.
   *
   * @param but whose path begins with that is not asked; null: everything is
   * @return each difference: what was answered then must be there, and the same; more may be
   */
  List<String> differences(RunningServer server, @Nullable String but) throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode one : about.path("questions")) {
      String path = one.path("path").asString();
      if (but != null && path.startsWith(but)) {
        continue;
      }
      RunningServer.Reply now = server.send(one.path("key").asString(), "GET", path, "", "");
      if (now.status() != one.path("status").asInt()) {
        found.add(path + ": was " + one.path("status") + ", is " + now);
      } else if (one.has("body")) {
        compare(path, one.path("body"), now.json(), found);
      }
    }
    return found;
  }

  private static void compare(String where, JsonNode before, JsonNode now, List<String> found) {
    if (before.isObject() && now.isObject()) {
      before.properties().stream()
          .filter(member -> !PASSING.contains(member.getKey()))
          .forEach(
              member ->
                  compare(
                      where + " " + member.getKey(),
                      member.getValue(),
                      now.path(member.getKey()),
                      found));
    } else if (before.isArray() && now.isArray() && before.size() == now.size()) {
      for (int i = 0; i < before.size(); i++) {
        compare(where + "[" + i + "]", before.path(i), now.path(i), found);
      }
    } else if (!before.equals(now)) {
      found.add(where + ": was " + before + ", is " + now);
    }
  }
}
