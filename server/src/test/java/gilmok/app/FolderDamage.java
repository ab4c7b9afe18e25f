package gilmok.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What can happen to a file while no server runs. */
record FolderDamage(String name, Way way) {
  /** Does it. */
  @FunctionalInterface
  interface Way {
    /** To that file. */
    void spoil(Path file) throws IOException;
  }

  /** All but a flipped bit. */
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

  /** A bit flipped in the byte that is so far into the file. */
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

  /** In the place of one folder, a copy of another, whose server may run. */
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
