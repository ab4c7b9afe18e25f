package gilmok.lab.tiles;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * A PMTiles file of vector tiles, by version 3 of <a
 * href="https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md">its specification</a>. All
 * tiles are in the root directory, so there may be some thousands. Not thread-safe.
 */
public final class MapFile {
  private static final int HEADER_BYTES = 127;
  private static final int ROOT_END_MAX = 16_384;
  private static final double DEGREE_UNITS = 1e7;
  private static final byte GZIP = 2;
  private static final byte VECTOR = 1;

  private final Area area;
  private final NavigableMap<Long, byte[]> tiles = new TreeMap<>();
  private int zoomMin = Integer.MAX_VALUE;
  private int zoomMax;

  /** What the map covers, in degrees. */
  public record Area(double west, double south, double east, double north) {}

  /** A file without tiles. */
  public MapFile(Area area) {
    this.area = area;
  }

  /** Adds a tile. */
  public void add(TileId id, VectorTile tile) {
    tiles.put(id.number(), packed(tile.bytes()));
    zoomMin = Math.min(zoomMin, id.zoom());
    zoomMax = Math.max(zoomMax, id.zoom());
  }

  /**
   * Writes it.
   *
   * @param metadata JSON with {@code vector_layers} and {@code attribution}
   */
  public void write(Path file, String metadata) throws IOException {
    byte[] root = packed(directory());
    if (HEADER_BYTES + root.length > ROOT_END_MAX) {
      throw new IOException("too many tiles for one directory: " + tiles.size());
    }
    byte[] about = packed(metadata.getBytes(StandardCharsets.UTF_8));
    int tilesAt = HEADER_BYTES + root.length + about.length;
    int tileBytes = tiles.values().stream().mapToInt(tile -> tile.length).sum();
    ByteBuffer out = ByteBuffer.allocate(tilesAt + tileBytes).order(ByteOrder.LITTLE_ENDIAN);
    out.put("PMTiles".getBytes(StandardCharsets.US_ASCII)).put((byte) 3);
    out.putLong(HEADER_BYTES).putLong(root.length);
    out.putLong(HEADER_BYTES + root.length).putLong(about.length);
    out.putLong(tilesAt).putLong(0); // no leaf directories
    out.putLong(tilesAt).putLong(tileBytes);
    out.putLong(tiles.size()).putLong(tiles.size()).putLong(tiles.size());
    out.put((byte) 1).put(GZIP).put(GZIP).put(VECTOR);
    out.put((byte) zoomMin).put((byte) zoomMax);
    out.putInt(units(area.west)).putInt(units(area.south));
    out.putInt(units(area.east)).putInt(units(area.north));
    out.put((byte) zoomMin);
    out.putInt(units((area.west + area.east) / 2)).putInt(units((area.south + area.north) / 2));
    out.put(root).put(about);
    tiles.values().forEach(out::put);
    Files.write(file, out.array());
  }

  private static int units(double degrees) {
    return (int) Math.round(degrees * DEGREE_UNITS);
  }

  /** The numbers in columns: ids as differences, run lengths, lengths, offsets (0: the next). */
  private byte[] directory() {
    ProtobufMessage out = new ProtobufMessage().number(tiles.size());
    long last = 0;
    for (long id : tiles.keySet()) {
      out.number(id - last);
      last = id;
    }
    tiles.forEach((_, _) -> out.number(1));
    tiles.values().forEach(tile -> out.number(tile.length));
    for (Map.Entry<Long, byte[]> tile : tiles.entrySet()) {
      out.number(tile.getKey().equals(tiles.firstKey()) ? 1 : 0);
    }
    return out.bytes();
  }

  private static byte[] packed(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return out.toByteArray();
  }
}
