package gilmok.geo;

import gilmok.geo.Cell.InnerNode;
import gilmok.geo.Cell.LeafNode;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A spatial index of moving spots. It finds the spots near a point or in a box, and accepts moves
 * while searches run. Points are in 1e-7 degrees, distances in metres on the sphere of {@link
 * Distance}.
 *
 * <p>One thread, the writer, moves and removes spots. Any number of threads search at the same
 * time, each with a {@link SearchResult} of its own; no thread waits for another. A search sees
 * every move that ended before it began and some of the moves that happen meanwhile, and finds no
 * spot twice. A spot that stays within the searched area is never missed, however often it moves,
 * unless the limit leaves it out or {@link SearchResult#isComplete} is false.
 *
 * <p>A spot is a small number that the caller gives. It costs about 30 bytes: 16 in {@link Spots},
 * the rest for its slot in a leaf. A move allocates only when cells are divided, merged or resized.
 */
// The cells are a PR quadtree (H. Samet, The Design and Analysis of Spatial Data Structures,
// 1990, 2.6.2): a square is divided in four when it holds too many, and merged when it holds few.
// After the last division a square is one point, and its leaf grows: it may hold all spots.
//
// A search takes cells from a queue, the nearest first (G. R. Hjaltason and H. Samet, Distance
// Browsing in Spatial Databases, ACM TODS 24, 1999). It ends when the next cell is beyond the
// radius, or farther than the farthest of a full result. A cell's distance is haversine(latitudes
// between) + cosine of here * least cosine in the cell * haversine(longitudes between, the short
// way round). As each of these is at most that of any point in the cell, so is the sum: also over
// the poles and the antimeridian. It is a little too short, which costs at most a visit to a cell
// in vain.
//
// Searches take no locks. Within its cell a spot is moved by two stores: its point, which is
// authoritative, and the copy in its leaf, by which readers reject spots that are too far. Readers
// take from a leaf only which spot to look at, and read the spot's point once. Between cells the
// writer, with release each time,
//   1. adds the spot to the moves begun, 2. adds it to its new leaf, 3. sets its point,
//   4. removes it from its old leaf, 5. counts the move as done;
// a reader, with acquire each time, reads how many moves are done, walks over the cells, and reads
// how many are begun. A reader that missed a spot visited the new leaf before 2, so before 5: the
// number done that it read does not count this move. It visited the old leaf after 4, so after 1:
// the number begun that it reads counts the move. So a missed spot is among the moves between the
// two numbers, and the reader looks at those. The same holds for a spot met in both leaves, so the
// result is searched for duplicates of those moves only. The last spot of a leaf takes the slot of
// one that leaves, and can be met in both slots: it is added to the moves too, before 4. When the
// reader was so slow that some of the moves are no longer kept, it walks again, up to WALKS_MAX
// times.
//
// A division or merge puts new cells in the place of old ones with one store, and a resize puts new
// slots. Readers that have the old ones go on in them: they hold the spots of that moment, and a
// spot that has left
// since is among the moves. A reader reads each quarter of an inner node once, so it sees each
// place in one form.
public final class GeoIndex {
  private static final int MERGED_MAX = LeafNode.SPOTS_MAX / 2;
  private static final int WALKS_MAX = 16;

  private final InnerNode root = new InnerNode(null, 0, 0);
  private final Spots spots = new Spots();
  private final MoveLog moves = new MoveLog();
  private volatile int size;

  /** An empty index. */
  public GeoIndex() {}

  /** The number of spots in it. */
  public int size() {
    return size;
  }

  /**
   * Moves a spot, or adds it if it is new. For the writer only.
   *
   * @param spot a small number that is its own while it is in the index
   * @throws IllegalArgumentException when the point is not on the Earth
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  public void move(int spot, int latE7, int lonE7) {
    check(latE7, lonE7);
    spots.reach(spot);
    long point = PointE7.of(latE7, lonE7);
    LeafNode leaf = (LeafNode) spots.leaf(spot);
    int slot = spots.slot(spot);
    if (leaf != null && leaf.covers(latE7, lonE7)) {
      spots.point(spot, point);
      leaf.move(slot, spot, point);
      return;
    }
    moves.begin(spot);
    forkAround(leaf, latE7, lonE7).leafFor(latE7, lonE7, spots).add(spot, point, spots);
    spots.point(spot, point);
    if (leaf == null) {
      size++;
    } else {
      takeOut(leaf, slot);
    }
    moves.end();
  }

  /** Removes a spot, if it is in the index. For the writer only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  public void remove(int spot) {
    spots.reach(spot);
    LeafNode leaf = (LeafNode) spots.leaf(spot);
    if (leaf != null) {
      int slot = spots.slot(spot);
      spots.takeOut(spot);
      size--;
      takeOut(leaf, slot);
      moves.end();
    }
  }

  /**
   * The point of a spot, to be read by {@link PointE7}; 0 outside of the index. From any thread.
   */
  public long point(int spot) {
    return spots.point(spot);
  }

  /**
   * Finds the spots near a point, nearest first.
   *
   * @param limit the most spots to find, from 1 to the room of {@code found}
   * @param accept selects spots; called in no order, only for spots that are near enough
   */
  public void nearest(
      int latE7,
      int lonE7,
      double radiusMetres,
      int limit,
      IntPredicate accept,
      SearchResult found) {
    check(latE7, lonE7);
    if (!(radiusMetres >= 0)) {
      throw new IllegalArgumentException("a radius of " + radiusMetres);
    }
    double reach = Math.nextUp(Distance.ofMetres(radiusMetres));
    search(Box.EARTH, latE7, lonE7, reach, limit, accept, found);
  }

  /**
   * Finds the spots in a box, edges included, those nearest to its centre first. If west is greater
   * than east, the box crosses the antimeridian.
   *
   * @param limit the most spots to find, from 1 to the room of {@code found}
   * @param accept selects spots; called in no order
   */
  public void within(Box box, int limit, IntPredicate accept, SearchResult found) {
    check(box.south(), box.west());
    check(box.north(), box.east());
    double everywhere = Distance.ofMetres(Double.MAX_VALUE);
    search(box, box.middleLat(), box.middleLon(), everywhere, limit, accept, found);
  }

  private void search(
      Box box, int lat, int lon, double reach, int limit, IntPredicate accept, SearchResult found) {
    int walks = 0;
    do {
      found.begin(limit, reach);
      new GeoSearch(box, lat, lon, spots, moves, accept, found).run(root);
      walks++;
    } while (!found.isComplete() && walks < WALKS_MAX);
  }

  private InnerNode forkAround(@Nullable LeafNode leaf, int lat, int lon) {
    InnerNode innerNode = leaf == null ? root : leaf.place();
    while (innerNode.parent != null && !innerNode.covers(lat, lon)) {
      innerNode = innerNode.parent;
    }
    return innerNode;
  }

  private void takeOut(LeafNode leaf, int slot) {
    if (slot != leaf.size() - 1) {
      moves.begin(leaf.last());
    }
    leaf.remove(slot, spots);
    InnerNode innerNode = leaf.place();
    if (leaf.capacity() > LeafNode.SPOTS_MAX && leaf.size() < leaf.capacity() / 4) {
      leaf.resize(leaf.capacity() / 2);
    }
    if (leaf.size() <= MERGED_MAX / 4) {
      merge(innerNode);
    }
  }

  private void merge(InnerNode few) {
    InnerNode innerNode = few;
    int inside = innerNode.spots(MERGED_MAX);
    while (innerNode.parent != null && inside <= MERGED_MAX) {
      innerNode.parent.set(innerNode.merged(innerNode.parent, inside, spots));
      innerNode = innerNode.parent;
      inside = innerNode.spots(MERGED_MAX);
    }
  }

  private static void check(int latE7, int lonE7) {
    if (Math.abs((long) latE7) > Distance.LAT_E7_MAX
        || Math.abs((long) lonE7) > Distance.LON_E7_MAX) {
      throw new IllegalArgumentException("no point on the Earth: " + latE7 + ", " + lonE7);
    }
  }
}
