package gilmok.cli;

import gilmok.auth.KeyRequest;
import gilmok.log.DataFolder;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.Map;

/** The keys of one server, wherever they can be changed now. Not thread-safe. */
interface KeyBook extends AutoCloseable {
  /** Makes a key and answers it whole; its secret is shown this once. */
  String create(KeyRequest wanted) throws IOException, InterruptedException;

  /** All keys, without their secrets. */
  List<KeyLine> list() throws IOException, InterruptedException;

  /** Ends a key for good. */
  void revoke(String id) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;

  /**
   * The data folder itself when nobody holds it, else the server. Naming a server by its URL, or a
   * key, which only a server asks for, is asking for the server.
   *
   * @throws Failure when neither can be had
   */
  static KeyBook open(Access access, Map<String, String> environment) throws IOException {
    if (!access.namesServer() && FolderKeys.isDataFolder(access.data)) {
      try {
        return FolderKeys.open(access.data);
      } catch (DataFolder.InUseException running) {
        // Its server answers below.
      } catch (AccessDeniedException anothers) {
        // Whoever may not touch the folder can still ask its server.
      } catch (DataFolder.UnusableException unusable) {
        throw new Failure(String.valueOf(unusable.getMessage()));
      }
    }
    return new HttpKeys(access.target(environment));
  }
}
