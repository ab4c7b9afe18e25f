package gilmok.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A data folder with keys and a clock that the test sets. */
final class KeyFolder implements InstantSource, AutoCloseable {
  final Path folder;
  private @Nullable StoppedServerKeys kept;
  private volatile Instant now = Instant.parse("2026-11-21T09:00:00Z");

  KeyFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public Instant instant() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  Keys open() throws IOException {
    return open(new AuthConfig(null, 10_000, Duration.ofDays(30), List.of(), 0));
  }

  Keys open(String adminKey) throws IOException {
    return open(new AuthConfig(adminKey, 10_000, Duration.ofDays(30), List.of(), 0));
  }

  /** Opens the folder as a restarted server does. What was open before is closed first. */
  Keys open(AuthConfig config) throws IOException {
    close();
    Files.createDirectories(folder);
    StoppedServerKeys opened = new StoppedServerKeys(folder);
    kept = opened;
    return Keys.open(opened.store(), folder, config, this, new SecureRandom());
  }

  /** The store below {@link Keys}, for changes that {@link Keys} has not seen. */
  KeyStore store() throws IOException {
    StoppedServerKeys opened = kept;
    if (opened == null) {
      throw new IOException("not open");
    }
    return opened.store();
  }

  @Override
  public void close() throws IOException {
    if (kept != null) {
      kept.close();
      kept = null;
    }
  }

  /** The file that held the keys before they became documents. */
  Path keysFile() {
    return folder.resolve(KeysFile.NAME);
  }

  Path adminFile() {
    return folder.resolve("admin.key");
  }

  String adminKey() throws IOException {
    return Files.readString(adminFile()).strip();
  }

  static KeyRequest named(String name, Scope... scopes) {
    return new KeyRequest(
        name, scopes.length == 0 ? Set.of() : EnumSet.of(scopes[0], scopes), null, null, null);
  }

  static KeyResult.Created made(Keys keys, KeyRequest request) throws IOException {
    if (keys.create(request) instanceof KeyResult.Created created) {
      return created;
    }
    throw new AssertionError("refused: " + request);
  }
}
