package gilmok.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Opens files that only their owner can read, as what is exported is secret. */
final class PrivateOutput {
  private static final String OWNER = "rw-------";

  private PrivateOutput() {}

  /** Opens a new file; one that an interrupted run has left is replaced. */
  static OutputStream open(Path file) throws IOException {
    Files.deleteIfExists(file);
    try {
      return new BufferedOutputStream(
          Channels.newOutputStream(
              Files.newByteChannel(
                  file,
                  Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                  PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER)))));
    } catch (FileAlreadyExistsException raced) {
      throw new CommandFailure(file + " is being written by somebody else");
    }
  }
}
