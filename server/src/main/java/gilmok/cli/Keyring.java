package gilmok.cli;

import gilmok.auth.KeyRequest;
import java.io.IOException;
import java.util.List;

/** A server's keys: asked of the server, or changed in its data folder while it is stopped. */
interface Keyring extends AutoCloseable {
  /** Makes a key and gives it whole, secret included. */
  String create(KeyRequest wanted) throws IOException, InterruptedException;

  /** All keys, without their secrets: id, name, scopes, whose it is, when it ends, rate. */
  List<List<String>> list() throws IOException, InterruptedException;

  /** Ends a key for good. */
  void revoke(String id) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
