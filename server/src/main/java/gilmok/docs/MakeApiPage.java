package gilmok.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Makes the API's page from its document, in the build, so that no start has to: parsing the
 * document occupied the best compiler of a starting server for more than a second.
 */
final class MakeApiPage {
  /** The limit of YAML aliases; the document has fewer. */
  private static final int ALIASES_MAX = 500;

  private MakeApiPage() {}

  public static void main(String[] arguments) throws IOException {
    Files.write(Path.of(arguments[0]), made());
  }

  private static byte[] made() {
    Object tree =
        new Load(
                LoadSettings.builder()
                    .setLabel(DocsRoutes.DOCUMENT)
                    .setMaxAliasesForCollections(ALIASES_MAX)
                    .build())
            .loadFromString(
                new String(DocsRoutes.bytes(DocsRoutes.DOCUMENT), StandardCharsets.UTF_8));
    if (!(tree instanceof Map<?, ?> root)) {
      throw new IllegalStateException(DocsRoutes.DOCUMENT + " is no document");
    }
    return new ApiPage(new DocumentNode(root, root)).bytes();
  }
}
