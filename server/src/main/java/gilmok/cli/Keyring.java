package gilmok.cli;

import gilmok.auth.KeyRequest;
import java.io.IOException;
import java.util.List;

/**
 * A server's keys: those of a running server over its API, or those in the data folder of a stopped
 * one.
 */
interface Keyring extends AutoCloseable {
  /** Makes a key and returns it whole, secret included. */
  String create(KeyRequest wanted) throws IOException, InterruptedException;

  /** All keys, without their secrets: id, name, scopes, binding, expiry, rate. */
  List<List<String>> list() throws IOException, InterruptedException;

  /** Revokes a key for good. */
  void revoke(String id) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
