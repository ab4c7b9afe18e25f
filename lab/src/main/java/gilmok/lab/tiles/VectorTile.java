package gilmok.lab.tiles;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A vector tile, by version 2.1 of <a
 * href="https://github.com/mapbox/vector-tile-spec/tree/master/2.1">its specification</a>: layers
 * of features with a shape and texts. Places are whole numbers of {@link #EXTENT}ths of the tile's
 * side, right and down from its upper left corner. Not thread-safe.
 */
public final class VectorTile {
  /** How fine places are. */
  public static final int EXTENT = 4096;

  private static final int MOVE_TO = 1;
  private static final int LINE_TO = 2;
  private static final int CLOSE_PATH = 7;

  private final Map<String, Layer> layers = new LinkedHashMap<>();

  /** The kind of a shape, numbered as in the format. */
  public enum Shape {
    POINT(1),
    LINE(2),
    POLYGON(3);

    private final int number;

    Shape(int number) {
      this.number = number;
    }
  }

  private static final class Layer {
    final List<byte[]> features = new ArrayList<>();
    final Map<String, Integer> keys = new LinkedHashMap<>();
    final Map<String, Integer> values = new LinkedHashMap<>();
  }

  /**
   * Adds a feature.
   *
   * @param places x and y in turn; of a polygon without the first one again
   */
  public void add(String layer, Map<String, String> texts, Shape shape, int[] places) {
    Layer of = layers.computeIfAbsent(layer, _ -> new Layer());
    ProtobufMessage tags = new ProtobufMessage();
    texts.forEach((key, value) -> tags.number(index(of.keys, key)).number(index(of.values, value)));
    of.features.add(
        new ProtobufMessage()
            .field(2, tags.bytes())
            .field(3, shape.number)
            .field(4, geometry(shape, places))
            .bytes());
  }

  private static int index(Map<String, Integer> known, String text) {
    return known.computeIfAbsent(text, _ -> known.size());
  }

  private static byte[] geometry(Shape shape, int[] places) {
    ProtobufMessage out = new ProtobufMessage();
    int x = 0;
    int y = 0;
    for (int i = 0; i < places.length; i += 2) {
      if (i == 0) {
        out.number(MOVE_TO | 1 << 3);
      } else if (i == 2) {
        out.number(LINE_TO | (places.length / 2 - 1) << 3);
      }
      out.number(zigzag(places[i] - x)).number(zigzag(places[i + 1] - y));
      x = places[i];
      y = places[i + 1];
    }
    if (shape == Shape.POLYGON) {
      out.number(CLOSE_PATH | 1 << 3);
    }
    return out.bytes();
  }

  private static int zigzag(int value) {
    return value << 1 ^ value >> 31;
  }

  /** The tile's bytes. */
  public byte[] bytes() {
    ProtobufMessage out = new ProtobufMessage();
    layers.forEach((name, layer) -> out.field(3, bytes(name, layer)));
    return out.bytes();
  }

  private static byte[] bytes(String name, Layer layer) {
    ProtobufMessage out = new ProtobufMessage().field(15, 2).field(1, name);
    layer.features.forEach(feature -> out.field(2, feature));
    layer.keys.keySet().forEach(key -> out.field(3, key));
    layer
        .values
        .keySet()
        .forEach(value -> out.field(4, new ProtobufMessage().field(1, value).bytes()));
    return out.field(5, EXTENT).bytes();
  }
}
