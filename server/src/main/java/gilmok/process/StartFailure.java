package gilmok.process;

import gilmok.log.DamagedLogException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Explains in one line why a server could not start, and what to do next. Stateless. */
public final class StartFailure {
  private StartFailure() {}

  public static String line(IOException failure, Path data) {
    if (failure instanceof DamagedLogException) {
      return "%s: the server did not start and changed nothing; \"gilmok log verify --data %s\""
              .formatted(failure.getMessage(), data)
          + " shows how much is sound. Restore it from a copy, or save the sound records:"
          + " \"gilmok log salvage --data %s --to NEWDIR\"".formatted(data);
    }
    if (!(failure instanceof FileSystemException file)) {
      String message = String.valueOf(failure.getMessage());
      return Objects.requireNonNullElse(lacking(message, data), message);
    }
    String lacking = lacking(String.valueOf(file.getReason()), data);
    return lacking != null ? lacking : file.getFile() + " " + wrong(file) + advice(file, data);
  }

  /** The resource that the machine has run out of; null if that is not the reason. */
  private static @Nullable String lacking(String reason, Path data) {
    return switch (reason) {
      case "No space left on device" ->
          "no space left for the data folder "
              + data
              + ": free some, or choose another with --data";
      case "Too many open files" ->
          "this process has no file descriptors left: raise its limit (LimitNOFILE of systemd,"
              + " ulimit -n), or find the clients that hold so many connections";
      default -> null;
    };
  }

  /**
   * Describes a bug that ended the start. It names the place in the code, as nobody can act without
   * it.
   */
  static String line(Throwable bug) {
    StackTraceElement[] frames = bug.getStackTrace();
    return "the start failed by a bug, please report it: "
        + bug
        + (frames.length == 0 ? "" : " at " + frames[0]);
  }

  private static boolean isFolder(FileSystemException failure) {
    return failure instanceof DirectoryNotEmptyException
        || "Is a directory".equals(failure.getReason());
  }

  private static String wrong(FileSystemException failure) {
    return switch (failure) {
      case AccessDeniedException _ -> "may not be read or written by this user";
      case FileAlreadyExistsException _, NotDirectoryException _ -> "is a file and no folder";
      case NoSuchFileException _ -> "does not exist and cannot be created";
      case DirectoryNotEmptyException _ -> "is a folder and no file";
      case FileSystemException _ when isFolder(failure) -> "is a folder and no file";
      default ->
          "cannot be used ("
              + (failure.getReason() == null
                  ? failure.getClass().getSimpleName()
                  : failure.getReason())
              + ")";
    };
  }

  private static String advice(FileSystemException failure, Path data) {
    if (isFolder(failure)) {
      return ": move it away";
    }
    try {
      Path folder = data.toAbsolutePath();
      Path file = Path.of(String.valueOf(failure.getFile())).toAbsolutePath();
      return file.startsWith(folder) || folder.startsWith(file)
          ? ": make the data folder " + data + " writable, or choose another with --data"
          : "";
    } catch (InvalidPathException noPath) {
      return "";
    }
  }
}
