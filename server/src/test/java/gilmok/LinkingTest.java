package gilmok;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Texts are joined without {@code invokedynamic}, which is linked at run time and so makes the
 * first request of a branch slow.
 */
@Tag("unit")
final class LinkingTest {
  private static final Path CLASSES = Path.of("target/classes/gilmok");

  @Test
  void texts_areJoinedByTheCompiler() throws IOException {
    List<Path> classes = classes();
    assertThat(classes).hasSizeGreaterThan(500);
    assertThat(classes.stream().filter(file -> links(file, "StringConcatFactory"))).isEmpty();
    // Switches are linked at run time. Finding theirs shows that the search works.
    assertThat(classes.stream().filter(file -> links(file, "SwitchBootstraps"))).isNotEmpty();
  }

  private static List<Path> classes() throws IOException {
    try (Stream<Path> files = Files.walk(CLASSES)) {
      return files.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  private static boolean links(Path file, String factory) {
    ClassModel model = parse(file);
    for (int i = 0; i < model.constantPool().bootstrapMethodCount(); i++) {
      String owner =
          model
              .constantPool()
              .bootstrapMethodEntry(i)
              .bootstrapMethod()
              .reference()
              .owner()
              .asInternalName();
      if (owner.endsWith("/" + factory)) {
        return true;
      }
    }
    return false;
  }

  private static ClassModel parse(Path file) {
    try {
      return ClassFile.of().parse(file);
    } catch (IOException e) {
      throw new IllegalStateException(file + " cannot be read", e);
    }
  }
}
