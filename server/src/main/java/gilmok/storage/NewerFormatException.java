package gilmok.storage;

import java.nio.file.Path;

/**
 * A file of the data folder has a format that only a newer version of this program knows. What it
 * says is not guessed, and it is not taken for damage: the server does not start.
 */
public final class NewerFormatException extends UnusableFolderException {
  private static final long serialVersionUID = 1L;

  /**
   * The refusal of a file.
   *
   * @param format that of the file
   * @param known the newest that this program knows
   */
  public NewerFormatException(Path file, long format, long known) {
    super(
        "%s has format %d, and this program knows up to %d: start the newer version that wrote it,"
                .formatted(file, format, known)
            + " or put back a copy of the folder from before it");
  }

  /**
   * Refuses a newer form of a file that begins with a number which is never negative: a newer form
   * begins with its negative format.
   *
   * @param first the first number of the file
   */
  public static void check(Path file, long first, long known) throws NewerFormatException {
    if (first < 0) {
      throw new NewerFormatException(file, -first, known);
    }
  }
}
