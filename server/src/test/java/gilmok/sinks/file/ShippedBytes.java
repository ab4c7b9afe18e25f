package gilmok.sinks.file;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.storage.FileDisk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** All that is in a folder of shipped or archived files, as one text to look for something in. */
final class ShippedBytes {
  private ShippedBytes() {}

  /** Every byte of every file, and of every block in it. */
  static String of(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(path);
        all.append(new String(bytes, StandardCharsets.ISO_8859_1)).append(path.getFileName());
        if (path.toString().endsWith(".zst")) {
          byte[] plain = new ZstdInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
          all.append(new String(plain, StandardCharsets.ISO_8859_1));
        } else if (path.toString().endsWith(".parquet")) {
          columns(path, all);
        }
      }
    }
    return all.toString();
  }

  private static void columns(Path path, StringBuilder all) throws IOException {
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), path)) {
      for (int group = 0; group < reader.footer().groups(); group++) {
        for (var column : reader.footer().columns()) {
          ParquetValues values = new ParquetValues(column.name(), column.type());
          reader.begin(group, values);
          while (reader.nextPage()) {
            for (int i = 0; i < values.rows(); i++) {
              if (values.has(i) && values.type() == ParquetType.TEXT) {
                all.append(
                    new String(
                        values.bytes(),
                        values.offset(i),
                        values.length(i),
                        StandardCharsets.ISO_8859_1));
              } else if (values.has(i) && values.type() == ParquetType.DECIMAL) {
                all.append('<').append(values.decimal(i)).append('>');
              }
            }
          }
        }
      }
    }
  }
}
