package gilmok.erasure;

import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
final class FileErasuresTest extends ErasureStoreContract {
  @TempDir Path folder;

  @Override
  ErasureStore of(String node) throws IOException {
    return new FileErasures(folder, new FileDisk(), node);
  }
}
