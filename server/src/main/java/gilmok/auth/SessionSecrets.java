package gilmok.auth;

import gilmok.storage.SecretFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The secrets that seal sessions: the first seals new ones, each opens them. They are kept apart
 * from the stored keys, so that no session can be forged from a copy of the documents. Immutable.
 *
 * @param all in the order in which they are tried; empty where no session is ever opened
 */
record SessionSecrets(List<byte[]> all) {
  /** The file in the data folder that holds the node's own secret. */
  static final String FILE = "session.secret";

  /** No session is opened, as where keys are changed while no server runs. */
  static final SessionSecrets NONE = new SessionSecrets(List.of());

  private static final int BYTES = 32;

  SessionSecrets {
    all = List.copyOf(all);
  }

  /**
   * The secrets of the settings, or the node's own, made at the first start.
   *
   * @throws IOException when the node's own cannot be read or written, or is damaged
   */
  static SessionSecrets of(AuthConfig config, Path folder, RandomGenerator random)
      throws IOException {
    if (!config.sessionSecrets().isEmpty()) {
      return new SessionSecrets(
          config.sessionSecrets().stream()
              .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
              .toList());
    }
    try {
      return new SessionSecrets(List.of(SecretFile.of(folder.resolve(FILE), BYTES, random)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + FILE + " was read");
    }
  }

  /** A text without the secrets. */
  @Override
  public String toString() {
    return "SessionSecrets[" + all.size() + "]";
  }
}
