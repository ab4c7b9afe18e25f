package gilmok.cli;

import gilmok.auth.AuthConfig;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.config.Settings;
import gilmok.log.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The keys in the data folder of a server that does not run; the folder is held meanwhile, so that
 * none starts. Not thread-safe.
 */
final class FolderKeys implements KeyBook {
  private final DataFolder folder;
  private final Keys keys;

  private FolderKeys(DataFolder folder, Keys keys) {
    this.folder = folder;
    this.keys = keys;
  }

  /** Whether a server has made it: opening it is then no making. */
  static boolean isDataFolder(Path data) {
    return Files.exists(data.resolve(DataFolder.NODE_FILE));
  }

  /**
   * Takes a folder that is there.
   *
   * @throws DataFolder.InUseException when a server runs on it
   */
  static FolderKeys open(Path data) throws IOException {
    SecureRandom random = new SecureRandom();
    DataFolder folder = DataFolder.open(data, DataFolder.OnClone.REFUSE, random);
    try {
      AuthConfig config = AuthConfig.of(new Settings(Map.of()));
      return new FolderKeys(
          folder, Keys.openAsTheyAre(folder.path(), config, InstantSource.system(), random));
    } catch (IOException unreadable) {
      folder.close();
      throw new Failure(String.valueOf(unreadable.getMessage()));
    } catch (RuntimeException bug) {
      folder.close();
      throw bug;
    }
  }

  @Override
  public String create(KeyRequest wanted) throws IOException {
    return switch (keys.create(wanted)) {
      case KeyResult.Created created -> created.key();
      case KeyResult.Refused refused ->
          throw new Failure(refused.field() + ": " + refused.reason());
      case KeyResult.Conflict conflict ->
          throw new Failure(conflict.field() + ": " + conflict.reason());
    };
  }

  @Override
  public List<KeyLine> list() {
    return keys.list().stream().map(KeyLine::of).toList();
  }

  @Override
  public void revoke(String id) throws IOException {
    if (!keys.revoke(id)) {
      throw new Failure("no key has the id " + id + "; \"gilmok keys list\" shows them all");
    }
  }

  @Override
  public void close() throws IOException {
    folder.close();
  }
}
