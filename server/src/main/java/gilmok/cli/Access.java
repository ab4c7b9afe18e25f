package gilmok.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that talks to a server: where it is, and the key. */
final class Access {
  static final String DEFAULT_URL = "http://127.0.0.1:8080";
  static final String KEY_VARIABLE = "GILMOK_ADMIN_KEY";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "Where the server is (default: " + DEFAULT_URL + ").")
  @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {
        "The key to send (default: GILMOK_ADMIN_KEY if it is set,",
        "else what the server left in admin.key in its data folder)."
      })
  @Nullable String key;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The server's data folder, for its admin.key (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data");

  /**
   * The server and the key to use there.
   *
   * @throws Failure when the URL is none or no key is to be found
   */
  Target target() {
    return target(System.getenv());
  }

  Target target(Map<String, String> environment) {
    URI base = base();
    if (key != null) {
      return new Target(base, key.strip(), "from --key");
    }
    String variable = environment.getOrDefault(KEY_VARIABLE, "").strip();
    if (!variable.isEmpty()) {
      return new Target(base, variable, "from " + KEY_VARIABLE);
    }
    Path file = data.resolve("admin.key");
    try {
      return new Target(base, Files.readString(file).strip(), "from " + file);
    } catch (IOException unreadable) {
      throw new Failure(
          (Files.exists(file) ? file + " cannot be read" : "there is no " + file)
              + ": start the server with ./gilmok serve, or name its folder with --data,"
              + " or give a key with --key or "
              + KEY_VARIABLE);
    }
  }

  /**
   * A running server's keys; where --url is not given, those of a stopped one's data folder.
   *
   * @param err where to say that the folder itself is worked on
   */
  Keyring keyring(PrintWriter err) throws IOException {
    FolderKeys folder = url == null ? FolderKeys.takeIfStopped(data) : null;
    if (folder == null) {
      return new HttpKeys(target());
    }
    err.println("gilmok: no server runs on " + data + "; working on the folder itself");
    return folder;
  }

  /**
   * The server's URL, without a slash at its end.
   *
   * @throws Failure when it is none
   */
  URI base() {
    String plain = Objects.requireNonNullElse(url, DEFAULT_URL).strip().replaceFirst("/+$", "");
    try {
      URI base = URI.create(plain);
      if (base.getHost() != null
          && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
        return base;
      }
    } catch (IllegalArgumentException malformed) {
      // Said below, for every kind of wrong.
    }
    throw new Failure("--url " + url + " is no URL; write it as http://127.0.0.1:8080");
  }
}
