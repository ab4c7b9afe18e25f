package gilmok.lab.fleet;

import gilmok.lab.fleet.Seoul.Disc;
import gilmok.lab.fleet.Seoul.District;
import gilmok.lab.fleet.Streets.Kind;
import gilmok.lab.tiles.MapFile;
import gilmok.lab.tiles.TileId;
import gilmok.lab.tiles.VectorTile;
import gilmok.lab.tiles.VectorTile.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Draws the invented city as a PMTiles file, in the layers of Protomaps' basemap: the river, hills,
 * streets, bridges and the districts' names. Not thread-safe; used once.
 */
final class CityMap {
  private static final int ZOOM_MIN = 9;
  private static final int ZOOM_MAX = 14;
  private static final int SIDE_STREETS_FROM = 12;
  private static final double MARGIN = 1_500;
  private static final int BUFFER = 96;
  private static final int CORNERS = 48;

  /** How far beyond its ends the river is drawn, ever narrower: cut off it would look torn. */
  private static final double TAIL = 9_000;

  private static final int TAIL_STEPS = 10;

  private static final String METADATA =
      """
      {"name":"The demo's city","description":"Streets of the simulation, nothing real",
       "attribution":"The demo's own streets, invented · 데모의 가상 거리",
       "vector_layers":[{"id":"earth","fields":{}},{"id":"landuse","fields":{}},
       {"id":"water","fields":{}},{"id":"roads","fields":{}},{"id":"places","fields":{}}]}
      """;

  private final Rider.World world;
  private final List<StreetLines.Street> lines;
  private final double[] west;
  private final double[] north;
  private final double[] bounds;

  private CityMap(Rider.World world) {
    this.world = world;
    lines = StreetLines.of(world.streets());
    Streets streets = world.streets();
    west = new double[streets.size()];
    north = new double[streets.size()];
    double[] box = {Double.MAX_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
    for (int i = 0; i < streets.size(); i++) {
      west[i] = column(streets.x(i));
      north[i] = row(streets.y(i));
      widen(box, streets.x(i), streets.y(i), MARGIN);
    }
    for (Disc hill : Seoul.HILLS) {
      widen(box, FlatMap.x(hill.lon()), FlatMap.y(hill.lat()), hill.radius());
    }
    River river = world.river();
    widen(box, river.x(0), river.y(0), TAIL);
    widen(box, river.x(river.size() - 1), river.y(river.size() - 1), TAIL);
    bounds = box;
  }

  private static void widen(double[] box, double x, double y, double margin) {
    box[0] = Math.min(box[0], x - margin);
    box[1] = Math.min(box[1], y - margin);
    box[2] = Math.max(box[2], x + margin);
    box[3] = Math.max(box[3], y + margin);
  }

  /** Writes the city of a fleet with this seed. */
  static void write(Path file, long seed) throws IOException {
    new CityMap(Rider.World.of(seed)).write(file);
  }

  private void write(Path file) throws IOException {
    MapFile map =
        new MapFile(
            new MapFile.Area(
                FlatMap.lon(bounds[0]),
                FlatMap.lat(bounds[1]),
                FlatMap.lon(bounds[2]),
                FlatMap.lat(bounds[3])));
    for (int zoom = ZOOM_MIN; zoom <= ZOOM_MAX; zoom++) {
      new Sheet(zoom).tiles.forEach(map::add);
    }
    map.write(file, METADATA);
  }

  /** Web Mercator: the whole world is a square of side 1. */
  private static double column(double x) {
    return (FlatMap.lon(x) + 180) / 360;
  }

  private static double row(double y) {
    double sine = Math.sin(Math.toRadians(FlatMap.lat(y)));
    return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
  }

  /** The corners of a hill: a circle would look drawn. Never wider than the hill. */
  private static double[] outline(Disc hill) {
    double[] corners = new double[2 * CORNERS];
    for (int i = 0; i < CORNERS; i++) {
      double angle = 2 * Math.PI * i / CORNERS;
      double reach =
          hill.radius()
              * (0.88 + 0.08 * Math.sin(3 * angle + hill.lat() * 900) + 0.04 * Math.cos(7 * angle));
      corners[2 * i] = column(FlatMap.x(hill.lon()) + reach * Math.cos(angle));
      corners[2 * i + 1] = row(FlatMap.y(hill.lat()) + reach * Math.sin(angle));
    }
    return corners;
  }

  /** The river between two bridges, and around the second one. */
  private static double[] reach(River river, int i) {
    double dx = river.x(i + 1) - river.x(i);
    double dy = river.y(i + 1) - river.y(i);
    double length = Math.hypot(dx, dy);
    double ux = -dy / length;
    double uy = dx / length;
    double[] corners = new double[8];
    for (int k = 0; k < 4; k++) {
      int at = k == 0 || k == 3 ? i : i + 1;
      double side = k < 2 ? river.halfWidth(at) : -river.halfWidth(at);
      corners[2 * k] = column(river.x(at) + side * ux);
      corners[2 * k + 1] = row(river.y(at) + side * uy);
    }
    return corners;
  }

  /** The river beyond an end of its line, seen from the place before that. */
  private static double[] tail(River river, int end, int before) {
    double dx = river.x(end) - river.x(before);
    double dy = river.y(end) - river.y(before);
    double length = Math.hypot(dx, dy);
    double[] corners = new double[4 * TAIL_STEPS + 4];
    for (int k = 0; k <= TAIL_STEPS; k++) {
      double far = (double) k / TAIL_STEPS;
      double along = far * TAIL / length;
      double aside = river.halfWidth(end) * (1 - far * far) / length;
      int back = corners.length - 2 * k - 2;
      corners[2 * k] = column(river.x(end) + along * dx - aside * dy);
      corners[2 * k + 1] = row(river.y(end) + along * dy + aside * dx);
      corners[back] = column(river.x(end) + along * dx + aside * dy);
      corners[back + 1] = row(river.y(end) + along * dy - aside * dx);
    }
    return corners;
  }

  private static double[] bend(River river, int i) {
    double[] corners = new double[2 * CORNERS];
    for (int k = 0; k < CORNERS; k++) {
      double angle = 2 * Math.PI * k / CORNERS;
      corners[2 * k] = column(river.x(i) + river.halfWidth(i) * Math.cos(angle));
      corners[2 * k + 1] = row(river.y(i) + river.halfWidth(i) * Math.sin(angle));
    }
    return corners;
  }

  /** The tiles of one zoom. */
  private final class Sheet {
    private final int zoom;
    private final double side;
    private final Map<TileId, VectorTile> tiles = new LinkedHashMap<>();

    Sheet(int zoom) {
      this.zoom = zoom;
      side = 1 << zoom;
      area("earth", "earth", corners(bounds));
      for (Disc hill : Seoul.HILLS) {
        area("landuse", "park", outline(hill));
      }
      River river = world.river();
      for (int i = 0; i + 1 < river.size(); i++) {
        area("water", "river", reach(river, i));
        area("water", "river", bend(river, i + 1));
      }
      area("water", "river", tail(river, 0, 1));
      area("water", "river", tail(river, river.size() - 1, river.size() - 2));
      for (StreetLines.Street line : lines) {
        if (line.kind() != Kind.SIDE || zoom >= SIDE_STREETS_FROM) {
          street(line);
        }
      }
      for (District district : Seoul.DISTRICTS) {
        name(district);
      }
    }

    private double[] corners(double[] box) {
      double left = column(box[0]);
      double right = column(box[2]);
      double top = row(box[3]);
      double bottom = row(box[1]);
      return new double[] {left, top, right, top, right, bottom, left, bottom};
    }

    private VectorTile tile(int x, int y) {
      return tiles.computeIfAbsent(new TileId(zoom, x, y), _ -> new VectorTile());
    }

    private void name(District district) {
      double x = column(district.x()) * side;
      double y = row(district.y()) * side;
      int[] place = {units(x - Math.floor(x)), units(y - Math.floor(y))};
      Map<String, String> texts =
          Map.of("kind", "neighbourhood", "name", district.name(), "name:ko", district.korean());
      tile((int) x, (int) y).add("places", texts, Shape.POINT, place);
    }

    /** An area, cut along the tiles' edges. */
    private void area(String layer, String kind, double[] corners) {
      double[] box = box(corners);
      for (int x = (int) (box[0] * side); x <= (int) (box[2] * side); x++) {
        for (int y = (int) (box[1] * side); y <= (int) (box[3] * side); y++) {
          int[] places = new int[corners.length];
          for (int i = 0; i < corners.length; i += 2) {
            places[i] = units(corners[i] * side - x);
            places[i + 1] = units(corners[i + 1] * side - y);
          }
          int[] inside = Cut.square(places, -BUFFER, VectorTile.EXTENT + BUFFER);
          if (inside.length >= 6) {
            tile(x, y).add(layer, Map.of("kind", kind), Shape.POLYGON, inside);
          }
        }
      }
    }

    /** A street: each tile gets the pieces of it that touch the tile. */
    private void street(StreetLines.Street line) {
      Map<TileId, List<Integer>> open = new TreeMap<>((a, b) -> Long.compare(key(a), key(b)));
      int[] at = line.crossings();
      double edge = (double) BUFFER / VectorTile.EXTENT;
      for (int i = 0; i + 1 < at.length; i++) {
        double left = Math.min(west[at[i]], west[at[i + 1]]) * side - edge;
        double right = Math.max(west[at[i]], west[at[i + 1]]) * side + edge;
        double top = Math.min(north[at[i]], north[at[i + 1]]) * side - edge;
        double bottom = Math.max(north[at[i]], north[at[i + 1]]) * side + edge;
        for (int x = (int) left; x <= (int) right; x++) {
          for (int y = (int) top; y <= (int) bottom; y++) {
            TileId id = new TileId(zoom, x, y);
            List<Integer> piece = open.computeIfAbsent(id, _ -> new ArrayList<>());
            if (!piece.isEmpty() && piece.getLast() != i) {
              piece(line, id, piece);
              piece.clear();
            }
            if (piece.isEmpty()) {
              piece.add(i);
            }
            piece.add(i + 1);
          }
        }
      }
      open.forEach((id, piece) -> piece(line, id, piece));
    }

    private static long key(TileId id) {
      return (long) id.x() << 32 | id.y();
    }

    private void piece(StreetLines.Street line, TileId id, List<Integer> piece) {
      int[] places = new int[2 * piece.size()];
      int count = 0;
      for (int i : piece) {
        places[count++] = units(west[line.crossings()[i]] * side - id.x());
        places[count++] = units(north[line.crossings()[i]] * side - id.y());
      }
      Map<String, String> texts =
          switch (line.kind()) {
            case SIDE -> Map.of("kind", "minor_road");
            case MAIN -> Map.of("kind", "major_road");
            case BRIDGE -> Map.of("kind", "major_road", "is_bridge", "true");
          };
      tile(id.x(), id.y()).add("roads", texts, Shape.LINE, places);
    }
  }

  private static double[] box(double[] corners) {
    double[] xs = new double[corners.length / 2];
    double[] ys = new double[corners.length / 2];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = corners[2 * i];
      ys[i] = corners[2 * i + 1];
    }
    return new double[] {
      Arrays.stream(xs).min().orElseThrow(),
      Arrays.stream(ys).min().orElseThrow(),
      Arrays.stream(xs).max().orElseThrow(),
      Arrays.stream(ys).max().orElseThrow()
    };
  }

  private static int units(double ofTile) {
    return (int) Math.round(ofTile * VectorTile.EXTENT);
  }
}
