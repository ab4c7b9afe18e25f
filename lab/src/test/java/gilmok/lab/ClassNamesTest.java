package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Class names must be unique across both modules, because the laboratory also loads the server's.
 */
@Tag("unit")
class ClassNamesTest {
  @Test
  void classNames_areThereOnce_inBothModules() throws Exception {
    List<String> names = new ArrayList<>();
    for (String module : List.of("lab", "server")) {
      try (Stream<Path> all = Files.walk(Path.of("..", module, "src/main/java/gilmok"))) {
        all.map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
            .forEach(names::add);
      }
    }
    assertThat(names).hasSizeGreaterThan(800).doesNotHaveDuplicates();
  }
}
