package gilmok.cli;

import gilmok.auth.KeyRequest;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server's keys: those of a running server over its API, or those in the data folder of a stopped
 * one.
 */
interface Keyring extends AutoCloseable {
  /**
   * A new key.
   *
   * @param key all of it, secret included
   * @param expiresAt when it expires, as ISO 8601; null for never
   */
  record Made(String key, @Nullable String expiresAt) {}

  /** Makes a key. */
  Made create(KeyRequest wanted) throws IOException, InterruptedException;

  /** All keys, without their secrets: id, name, scopes, binding, expiry, rate. */
  List<List<String>> list() throws IOException, InterruptedException;

  /** Revokes a key for good. */
  void revoke(String id) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
