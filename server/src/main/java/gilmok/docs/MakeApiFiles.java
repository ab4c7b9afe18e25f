package gilmok.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the API's page and its JSON from its document, in the build, so that no start has to:
 * parsing the document occupied the best compiler of a starting server for more than a second.
 */
final class MakeApiFiles {
  private MakeApiFiles() {}

  /** The argument is the folder that they are written to. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Map<?, ?> root = document();
    write(folder, DocsRoutes.API_PAGE, new ApiPage(new DocumentNode(root, root)).bytes());
    write(folder, DocsRoutes.JSON, new JsonMapper().writeValueAsBytes(root));
  }

  /** Only if it changes: a newer file in the jar would have other modules compiled again. */
  private static void write(Path folder, String name, byte[] made) throws IOException {
    Path file = folder.resolve(name.substring(1));
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), made)) {
      Files.write(file, made);
    }
  }

  private static Map<?, ?> document() {
    Object tree =
        new Load(
                LoadSettings.builder()
                    .setLabel(DocsRoutes.YAML)
                    .setMaxAliasesForCollections(0) // generators of clients cannot read them
                    .build())
            .loadFromString(new String(DocsRoutes.bytes(DocsRoutes.YAML), StandardCharsets.UTF_8));
    if (!(tree instanceof Map<?, ?> root)) {
      throw new IllegalStateException(DocsRoutes.YAML + " is no document");
    }
    return root;
  }
}
