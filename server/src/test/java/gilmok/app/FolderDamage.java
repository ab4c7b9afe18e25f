package gilmok.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** One kind of damage to a file, done while no server runs. */
record FolderDamage(String name, Way way) {
  /** The code that does the damage. */
  @FunctionalInterface
  interface Way {
    void spoil(Path file) throws IOException;
  }

  /** All kinds except a flipped bit. */
  static final List<FolderDamage> ROUGH =
      List.of(
          new FolderDamage("emptied", file -> Files.write(file, new byte[0])),
          new FolderDamage("cut to half", FolderDamage::halve),
          new FolderDamage("deleted", Files::delete),
          new FolderDamage(
              "a folder",
              file -> {
                Files.delete(file);
                Files.createDirectory(file);
              }));

  /** A flipped bit in the byte at {@code part} of the file's length, from 0 to 1. */
  static FolderDamage flipped(double part) {
    return new FolderDamage(
        "flipped at %.0f %%".formatted(100 * part),
        file -> {
          byte[] bytes = Files.readAllBytes(file);
          if (bytes.length > 0) {
            bytes[(int) Math.min(bytes.length - 1, part * bytes.length)] ^= 16;
            Files.write(file, bytes);
          }
        });
  }

  /**
   * Replaces the folder {@code to} by a copy of {@code from}, whose server may be running.
   * Temporary files are left out.
   */
  static void restore(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> all = Files.walk(to)) {
        for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.filter(file -> !file.toString().endsWith(".tmp")).toList()) {
        Files.copy(
            one, to.resolve(from.relativize(one).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private static void halve(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }
}
