package gilmok.cli;

import gilmok.backup.repository.BackupKey;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the commands backup and restore share. No state. */
final class BackupFiles {
  private BackupFiles() {}

  /**
   * The key in a file.
   *
   * @throws CommandFailure when there is none
   */
  static BackupKey key(Path file) {
    try {
      return BackupKey.read(file);
    } catch (NoSuchFileException none) {
      throw new CommandFailure(
          "there is no " + file + "; gilmok backup --new-key " + file + " makes one");
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
  }
}
