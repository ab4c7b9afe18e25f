package gilmok.sinks;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.sinks.file.FilesConfig;
import gilmok.sinks.file.FilesSink;
import gilmok.storage.FileDisk;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract over files. */
@Tag("unit")
final class FilesContractTest extends SinkContract {
  @TempDir Path folder;

  @Override
  Sink sink(SinksRig rig, Meters meters) {
    Map<String, String> settings =
        Map.of("sinks.files.folder", folder.toString(), "sinks.files.file-age-max", "10 ms");
    FilesConfig config = FilesConfig.from(new Settings(settings), "files");
    return new FilesSink(
        config, folder, SinksRig.NODE, new FileDisk(), InstantSource.system(), meters);
  }

  @Override
  List<Arrived> arrived() throws Exception {
    List<Path> files;
    try (var all = Files.walk(folder.resolve("stream=traces"))) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    List<Arrived> arrived = new ArrayList<>();
    for (Path file : files) {
      try (ZstdInputStream in =
          new ZstdInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
        new String(in.readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .map(Arrived::of)
            .forEach(arrived::add);
      }
    }
    return arrived;
  }
}
