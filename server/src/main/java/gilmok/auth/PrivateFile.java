package gilmok.auth;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A small file that only its owner can read. It is replaced atomically: a reader finds the old
 * content or the new.
 */
final class PrivateFile {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private PrivateFile() {}

  /** Replaces the file's content; on return it is durable. */
  static void write(Path file, byte[] content) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(draft);
    try (FileChannel channel =
        FileChannel.open(
            draft,
            EnumSet.of(CREATE_NEW, WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      // Forced before the rename: otherwise the name could survive a crash without the bytes.
      channel.force(true);
    }
    Files.move(draft, file, ATOMIC_MOVE);
    forceFolder(file);
  }

  /** The file's text; empty when it cannot be read. */
  static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    } catch (IOException cannot) {
      return "";
    }
  }

  /** Deletes the file, if it exists; durable on return. */
  static void delete(Path file) throws IOException {
    if (Files.deleteIfExists(file)) {
      forceFolder(file);
    }
  }

  private static void forceFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null) {
      throw new IOException(file + " is in no folder");
    }
    try (FileChannel channel = FileChannel.open(folder, READ)) {
      channel.force(true);
    }
  }
}
