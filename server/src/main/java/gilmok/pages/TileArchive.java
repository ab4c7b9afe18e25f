package gilmok.pages;

import gilmok.auth.Sha256;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An open PMTiles file, version 3: the header and the metadata are read, all else is handed out in
 * parts as it is. The file stays the one that was opened when another takes its name.
 *
 * <p>The format: <a href="https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md">PMTiles
 * version 3</a>. Thread-safe.
 */
final class TileArchive implements Closeable {
  /** The layers of a vector tile that the map draws, by their names in Protomaps' basemap. */
  static final Set<String> LAYERS =
      Set.of(
          "earth", "landcover", "landuse", "water", "roads", "buildings", "boundaries", "places");

  private static final byte[] MAGIC = "PMTiles".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 127;
  private static final int VERSION = 3;

  /** Where the header has the offsets of the four sections; the length follows each. */
  private static final int[] SECTIONS = {8, 24, 40, 56};

  private static final int METADATA_AT = 24;
  private static final int COMPRESSION_AT = 97;
  private static final int TILE_COMPRESSION_AT = 98;
  private static final int KIND_AT = 99;
  private static final int UNPACKED = 1;
  private static final int GZIP = 2;
  private static final int VECTOR = 1;
  private static final int PICTURES_LAST = 5;

  /** No metadata of a real file comes near it; one that would fill the memory is refused. */
  private static final int METADATA_BYTES_MAX = 8 << 20;

  private final FileChannel channel;
  private final Mark mark;
  private final long size;
  private final boolean isVector;
  private final String attribution;
  private final String tag;

  /** What tells one file from another at the same path, without reading it. */
  private record Mark(@Nullable Object key, long size, FileTime modified) {
    static Mark of(Path file) throws IOException {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Mark(found.fileKey(), found.size(), found.lastModifiedTime());
    }
  }

  /**
   * Opens a file.
   *
   * @throws IOException whose message is what is wrong with it, to follow the setting's name
   */
  static TileArchive open(Path file) throws IOException {
    FileChannel channel = null;
    try {
      Mark mark = Mark.of(file);
      if (!Files.isRegularFile(file)) {
        throw new IOException(file + " is no file");
      }
      channel = FileChannel.open(file, StandardOpenOption.READ);
      return new TileArchive(file, channel, mark);
    } catch (NoSuchFileException missing) {
      throw new IOException(file + " is missing", missing);
    } catch (IOException | RuntimeException unusable) {
      if (channel != null) {
        channel.close();
      }
      throw unusable;
    }
  }

  private TileArchive(Path file, FileChannel channel, Mark mark) throws IOException {
    this.channel = channel;
    this.mark = mark;
    size = channel.size();
    byte[] start = size < HEADER_BYTES ? new byte[HEADER_BYTES] : read(0, HEADER_BYTES);
    if (!Arrays.equals(MAGIC, Arrays.copyOf(start, MAGIC.length))) {
      throw new IOException(file + " is no PMTiles file");
    }
    if (start[MAGIC.length] != VERSION) {
      throw new IOException(
          file + " is PMTiles version " + start[MAGIC.length] + ", not 3; \"pmtiles convert\" it");
    }
    ByteBuffer header = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
    checkWhole(file, header);
    int kind = header.get(KIND_AT);
    if (kind < VECTOR || kind > PICTURES_LAST) {
      throw new IOException(file + " has tiles of a kind that the map cannot draw: " + kind);
    }
    checkPacking(file, header.get(COMPRESSION_AT), "its directories");
    isVector = kind == VECTOR;
    if (isVector) {
      checkPacking(file, header.get(TILE_COMPRESSION_AT), "its tiles");
    }
    JsonNode metadata = metadata(file, header);
    checkLayers(file, metadata);
    attribution = metadata.path("attribution").asString("");
    tag = tag(start);
  }

  private void checkWhole(Path file, ByteBuffer header) throws IOException {
    for (int at : SECTIONS) {
      long from = header.getLong(at);
      long length = header.getLong(at + Long.BYTES);
      if (from < 0 || length < 0 || from > size - length) {
        throw new IOException(file + " is not whole: it ends at byte " + size);
      }
    }
  }

  private static void checkPacking(Path file, int packing, String of) throws IOException {
    if (packing != UNPACKED && packing != GZIP) {
      throw new IOException(file + " has " + of + " packed in another way than gzip");
    }
  }

  private JsonNode metadata(Path file, ByteBuffer header) throws IOException {
    long length = header.getLong(METADATA_AT + Long.BYTES);
    if (length > METADATA_BYTES_MAX) {
      throw new IOException(file + " has metadata of " + length + " bytes");
    }
    byte[] packed = read(header.getLong(METADATA_AT), (int) length);
    try (InputStream in = unpacked(packed, header.get(COMPRESSION_AT))) {
      byte[] text = in.readNBytes(METADATA_BYTES_MAX);
      return JsonMapper.shared().readTree(text.length == 0 ? new byte[] {'{', '}'} : text);
    } catch (JacksonException | IOException unreadable) {
      throw new IOException(file + " has metadata that cannot be read", unreadable);
    }
  }

  private static InputStream unpacked(byte[] packed, int packing) throws IOException {
    InputStream in = new ByteArrayInputStream(packed);
    return packing == GZIP && packed.length > 0 ? new GZIPInputStream(in) : in;
  }

  /** A file without any of the layers would leave the map empty, and nobody would know why. */
  private void checkLayers(Path file, JsonNode metadata) throws IOException {
    List<String> named = new ArrayList<>();
    metadata.path("vector_layers").forEach(layer -> named.add(layer.path("id").asString("")));
    if (isVector && !named.isEmpty() && named.stream().noneMatch(LAYERS::contains)) {
      throw new IOException(
          file + " has none of Protomaps' layers, but " + String.join(", ", named));
    }
  }

  private String tag(byte[] start) {
    MessageDigest sha256 = Sha256.digest();
    sha256.update(start);
    sha256.update(mark.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha256.digest(), 0, 8);
  }

  /** Whether a path still names this very file, unchanged. */
  boolean isStill(Path file) throws IOException {
    return mark.equals(Mark.of(file));
  }

  /** How long it is. */
  long size() {
    return size;
  }

  /** Whether its tiles are vectors, not pictures. */
  boolean isVector() {
    return isVector;
  }

  /** The notice that its metadata asks to be shown, as HTML; empty for none. */
  String attribution() {
    return attribution;
  }

  /** Changes with the file. */
  String tag() {
    return tag;
  }

  /** Reads a part. Blocks. */
  byte[] read(long from, int length) throws IOException {
    ByteBuffer part = ByteBuffer.allocate(length);
    while (part.hasRemaining()) {
      if (channel.read(part, from + part.position()) < 0) {
        throw new EOFException("the tiles of the map end at byte " + (from + part.position()));
      }
    }
    return part.array();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
