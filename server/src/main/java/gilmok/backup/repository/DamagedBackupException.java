package gilmok.backup.repository;

import java.io.IOException;

/** An object of a backup is missing, damaged or not what its name says. */
public final class DamagedBackupException extends IOException {
  private static final long serialVersionUID = 1L;

  DamagedBackupException(String name, String what) {
    super(name + " " + what);
  }
}
