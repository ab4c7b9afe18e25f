package gilmok.cli;

import gilmok.auth.AuthConfig;
import gilmok.auth.KeyJson;
import gilmok.auth.KeyRequest;
import gilmok.auth.KeyResult;
import gilmok.auth.Keys;
import gilmok.auth.StoppedServerKeys;
import gilmok.config.Settings;
import gilmok.log.SegmentOwner;
import gilmok.storage.DataFolder;
import gilmok.storage.UnusableFolderException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys in a data folder whose server is stopped. Holds the folder's lock as a server does, so
 * that none can start meanwhile. Not thread-safe.
 */
record FolderKeys(DataFolder folder, StoppedServerKeys kept, Keys keys) implements Keyring {
  /**
   * Opens a folder that holds keys. Null when there is none, when a server runs on it, or when it
   * belongs to another user, who may have one running. Makes nothing, no admin key either.
   *
   * @throws CommandFailure when the folder cannot be used for another reason
   */
  static @Nullable FolderKeys takeIfStopped(Path path) throws IOException {
    if (!StoppedServerKeys.areIn(path)) {
      return null;
    }
    SecureRandom random = new SecureRandom();
    DataFolder folder;
    try {
      folder = DataFolder.open(path, SegmentOwner::ofNewest, DataFolder.OnClone.REFUSE, random);
    } catch (DataFolder.InUseException | AccessDeniedException anothers) {
      return null;
    } catch (UnusableFolderException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
    StoppedServerKeys kept = null;
    try {
      kept = new StoppedServerKeys(path);
      AuthConfig config = AuthConfig.of(new Settings(Map.of()));
      Keys keys = Keys.openAsTheyAre(kept.store(), path, config, InstantSource.system(), random);
      return new FolderKeys(folder, kept, keys);
    } catch (IOException unreadable) {
      if (kept != null) {
        kept.close();
      }
      folder.close();
      throw new CommandFailure(String.valueOf(unreadable.getMessage()));
    }
  }

  @Override
  public Made create(KeyRequest wanted) throws IOException {
    return switch (keys.create(wanted)) {
      case KeyResult.Created created -> {
        Instant expiresAt = created.info().expiresAt();
        yield new Made(created.key(), expiresAt == null ? null : expiresAt.toString());
      }
      case KeyResult.Brought _ -> new Made("", null);
      case KeyResult.Refused refused ->
          throw new CommandFailure(refused.field() + ": " + refused.reason());
      case KeyResult.Conflict other ->
          throw new CommandFailure(other.field() + ": " + other.reason());
    };
  }

  @Override
  public List<List<String>> list() {
    return keys.list().stream().map(KeyJson::shown).map(HttpKeys::row).toList();
  }

  @Override
  public void revoke(String id) throws IOException {
    if (!keys.revoke(id)) {
      throw new CommandFailure("there is no key " + id + "; \"gilmok keys ls\" shows them");
    }
  }

  @Override
  public void close() throws IOException {
    kept.close();
    folder.close();
  }
}
