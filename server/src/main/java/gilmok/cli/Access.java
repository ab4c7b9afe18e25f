package gilmok.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that talks to a server: its URL, and the key. */
final class Access {
  static final String DEFAULT_URL = "http://127.0.0.1:8080";
  static final String URL_VARIABLE = "GILMOK_URL";
  static final String KEY_VARIABLE = "GILMOK_KEY";
  static final String ADMIN_KEY_VARIABLE = "GILMOK_ADMIN_KEY";
  static final String CA_VARIABLE = "GILMOK_CA";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "The server's URL (default: "
              + URL_VARIABLE
              + " if it is set, else "
              + DEFAULT_URL
              + ").")
  @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "The key to send; other users of this machine can see it in the process list (default:"
              + " GILMOK_KEY or GILMOK_ADMIN_KEY if one is set, else the key that the server wrote"
              + " into admin.key in its data folder).")
  @Nullable String key;

  @Option(names = "--key-file", paramLabel = "FILE", description = "A file that contains the key.")
  @Nullable Path keyFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "PEM file of the certificates to trust, if a private CA has signed the server's (default:"
              + " GILMOK_CA if it is set, else those that Java trusts).")
  @Nullable Path ca;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "The server's data folder, for its admin.key (default: ./${DEFAULT-VALUE}).")
  Path data = Path.of("data");

  /**
   * The server and the key for it.
   *
   * @throws CommandFailure when the URL is invalid or no key is found
   */
  Target target() {
    return target(System.getenv());
  }

  Target target(Map<String, String> environment) {
    String trusted = environment.getOrDefault(CA_VARIABLE, "").strip();
    Path authority = ca == null && !trusted.isEmpty() ? Path.of(trusted) : ca;
    SSLContext tls = authority == null ? null : OwnCa.trusting(authority);
    Shown shown = shown(environment);
    if (!shown.key.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new CommandFailure(
          "the key "
              + shown.origin
              + " is none: it has blanks, lines or letters that no key has (gk_<id>_<secret>)");
    }
    return new Target(base(), shown.key, shown.origin, tls);
  }

  /** A key, and where it was found. */
  private record Shown(String key, String origin) {}

  private Shown shown(Map<String, String> environment) {
    if (key != null && keyFile != null) {
      throw new CommandFailure("give the key with --key or with --key-file, not with both");
    }
    if (key != null) {
      return new Shown(key.strip(), "from --key");
    }
    if (keyFile != null) {
      return new Shown(read(keyFile), "from " + keyFile);
    }
    for (String name : List.of(KEY_VARIABLE, ADMIN_KEY_VARIABLE)) {
      String variable = environment.getOrDefault(name, "").strip();
      if (!variable.isEmpty()) {
        return new Shown(variable, "from " + name);
      }
    }
    Path file = data.resolve("admin.key");
    try {
      return new Shown(Files.readString(file).strip(), "from " + file);
    } catch (IOException unreadable) {
      throw new CommandFailure(
          (Files.exists(file) ? file + " cannot be read" : "there is no " + file)
              + ": start the server with ./gilmok serve, or name its folder with --data,"
              + " or give a key with --key-file, --key or "
              + KEY_VARIABLE);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException unreadable) {
      throw new CommandFailure(
          "--key-file " + file + " cannot be read: " + unreadable.getMessage());
    }
  }

  /**
   * The keys of a running server; without --url, and if the server of the data folder is stopped,
   * the keys in that folder.
   *
   * @param err where to say that the folder itself is used
   */
  Keyring keyring(PrintWriter err) throws IOException {
    FolderKeys folder = named() == null ? FolderKeys.takeIfStopped(data) : null;
    if (folder == null) {
      return new HttpKeys(new ApiClient(target()));
    }
    err.println("gilmok: no server runs on " + data + "; working on the folder itself");
    return folder;
  }

  /**
   * The server's URL, without a slash at its end.
   *
   * @throws CommandFailure when it is invalid
   */
  URI base() {
    String named = Objects.requireNonNullElse(named(), DEFAULT_URL);
    String plain = named.strip().replaceFirst("/+$", "");
    try {
      URI base = URI.create(plain);
      if (base.getHost() != null
          && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
        return base;
      }
    } catch (IllegalArgumentException malformed) {
      // Reported below, with every other fault.
    }
    String origin = url == null ? URL_VARIABLE : "--url";
    throw new CommandFailure(origin + " " + named + " is no URL; write it as " + DEFAULT_URL);
  }

  /** The URL that somebody has given; null for none. */
  @Nullable String named() {
    String variable = System.getenv(URL_VARIABLE);
    return url != null || variable == null || variable.isBlank() ? url : variable;
  }
}
