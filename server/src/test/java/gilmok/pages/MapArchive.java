package gilmok.pages;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * A small PMTiles file, written by the specification (github.com/protomaps/PMTiles,
 * spec/v3/spec.md), with tiles by that of vector tiles (github.com/mapbox/vector-tile-spec, 2.1):
 * each tile of the world is earth, with water in its western half and a main road across.
 */
public final class MapArchive {
  private static final int HEADER_BYTES = 127;
  private static final int MAX_ZOOM = 12;
  private static final int EXTENT = 4096;
  private static final int MOVE_TO = 1;
  private static final int LINE_TO = 2;
  private static final int CLOSE_PATH = 7;
  private static final int LINE = 2;
  private static final int POLYGON = 3;

  /** What the header says, for a test to falsify. */
  public int version = 3;

  public int packing = 2;
  public int tilePacking = 2;
  public int kind = 1;

  /** How far the water reaches from the west of each tile. */
  private final int water = EXTENT / 2;

  public String metadata =
      """
      {"name":"a test","attribution":"<a href=\\"https://maps.example/c\\">Half & half</a>",
       "vector_layers":[{"id":"earth","fields":{}},{"id":"water","fields":{}}]}\
      """;

  /** Writes it. */
  public void write(Path file) throws IOException {
    Files.write(file, bytes());
  }

  /** The bytes of the file. */
  public byte[] bytes() throws IOException {
    byte[] tile = packed(tile(water), tilePacking);
    byte[] root = packed(directory(tile.length), packing);
    byte[] about = packed(metadata.getBytes(StandardCharsets.UTF_8), packing);
    int tilesAt = HEADER_BYTES + root.length + about.length;
    ByteBuffer out = ByteBuffer.allocate(tilesAt + tile.length).order(ByteOrder.LITTLE_ENDIAN);
    out.put("PMTiles".getBytes(StandardCharsets.US_ASCII)).put((byte) version);
    out.putLong(HEADER_BYTES).putLong(root.length);
    out.putLong(HEADER_BYTES + root.length).putLong(about.length);
    out.putLong(tilesAt).putLong(0);
    out.putLong(tilesAt).putLong(tile.length);
    out.putLong(tilesUpTo(MAX_ZOOM)).putLong(1).putLong(1);
    out.put((byte) 1).put((byte) packing).put((byte) tilePacking).put((byte) kind);
    out.put((byte) 0).put((byte) MAX_ZOOM);
    out.putInt(-180_0000000).putInt(-85_0000000).putInt(180_0000000).putInt(85_0000000);
    out.put((byte) 3).putInt(127_0000000).putInt(37_0000000);
    return out.put(root).put(about).put(tile).array();
  }

  private static long tilesUpTo(int zoom) {
    return ((1L << (2 * (zoom + 1))) - 1) / 3;
  }

  /** One entry, which stands for every tile: the ids of all zooms follow one another. */
  private static byte[] directory(int tileBytes) {
    Message out = new Message();
    out.number(1).number(0).number(tilesUpTo(MAX_ZOOM)).number(tileBytes).number(1);
    return out.bytes();
  }

  private static byte[] tile(int water) {
    return new Message()
        .field(3, layer("earth", "earth", POLYGON, box(0, EXTENT)))
        .field(3, layer("water", "lake", POLYGON, box(0, water)))
        .field(3, layer("roads", "major_road", LINE, new int[] {9, 0, zig(2048), 10, zig(4096), 0}))
        .bytes();
  }

  /** The commands for a rectangle over the whole height. */
  private static int[] box(int left, int right) {
    return new int[] {
      MOVE_TO | 1 << 3,
      zig(left),
      0,
      LINE_TO | 3 << 3,
      zig(right - left),
      0,
      0,
      zig(EXTENT),
      zig(left - right),
      0,
      CLOSE_PATH | 1 << 3
    };
  }

  private static int zig(int value) {
    return value << 1 ^ value >> 31;
  }

  private static byte[] layer(String name, String kind, int shape, int[] commands) {
    Message geometry = new Message();
    for (int command : commands) {
      geometry.number(command);
    }
    byte[] feature =
        new Message()
            .field(2, new Message().number(0).number(0).bytes())
            .field(3, shape)
            .field(4, geometry.bytes())
            .bytes();
    return new Message()
        .field(15, 2)
        .field(1, name.getBytes(StandardCharsets.UTF_8))
        .field(2, feature)
        .field(3, "kind".getBytes(StandardCharsets.UTF_8))
        .field(4, new Message().field(1, kind.getBytes(StandardCharsets.UTF_8)).bytes())
        .field(5, EXTENT)
        .bytes();
  }

  private static byte[] packed(byte[] plain, int packing) throws IOException {
    if (packing != 2) {
      return plain;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  /** Bytes of a protobuf message: numbers of seven bits a byte, and fields. */
  private static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message number(long value) {
      long left = value;
      while (left > 0x7f) {
        out.write((int) ((left & 0x7f) | 0x80));
        left >>>= 7;
      }
      out.write((int) left);
      return this;
    }

    Message field(int number, long value) {
      return number((long) number << 3).number(value);
    }

    Message field(int number, byte[] bytes) {
      number((long) number << 3 | 2).number(bytes.length);
      out.writeBytes(bytes);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}
