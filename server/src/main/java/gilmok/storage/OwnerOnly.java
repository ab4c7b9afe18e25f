package gilmok.storage;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Permissions of what a server writes: where riders are, partners' secrets, hashes of keys. Only
 * the user it runs as may read them.
 */
public final class OwnerOnly {
  /** A file: 0600. */
  public static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** A folder: 0700. */
  public static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private OwnerOnly() {}
}
