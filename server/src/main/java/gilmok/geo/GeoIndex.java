package gilmok.geo;

import gilmok.geo.Cell.InnerNode;
import gilmok.geo.Cell.LeafNode;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where everyone is, and who is near or in a box: an index that takes every move while it is asked.
 * Points are in 1e-7 degrees, distances in metres on the sphere of {@link Distance}.
 *
 * <p>One thread, the writer, moves and removes; any threads search at the same time, each with a
 * {@link SearchResult} of its own. Nobody waits for anybody. A search sees every move that was done
 * before it began, none twice, and of those that come meanwhile some; who stays within what is
 * asked for is never missing, however often they move, unless the limit leaves them out or {@link
 * SearchResult#isComplete} says so.
 *
 * <p>Moving allocates nothing but when cells are divided, merged or resized. A spot costs about 40
 * bytes besides its object: 16 for what it inherits, the rest for its place in a leaf.
 */
// The cells are a PR quadtree (H. Samet, The Design and Analysis of Spatial Data Structures,
// 1990, 2.6.2): a square is divided in four when it holds too many, and merged when it holds few.
// At the last division a square is one point, and its leaf grows: so it may hold everybody.
//
// A search takes cells from a queue, the nearest first (G. R. Hjaltason and H. Samet, Distance
// Browsing in Spatial Databases, ACM TODS 24, 1999). It ends when the next cell is beyond the
// radius or the farthest of the limit found so far. A cell's distance is haversine(latitudes
// between) + cosine of here * least cosine in the cell * haversine(longitudes between, the short
// way round). As each of these is at most that of any point in the cell, so is the sum: also over
// the poles and the antimeridian. It is a little too short, which costs a look at a cell in vain
// and nothing else.
//
// Without locks. Within its cell a spot is moved by two stores: its point, which is the truth,
// and the copy in its leaf, by which readers turn down what is too far. Readers take from a leaf
// only which spot to look at, and read its point once. Between cells the writer, each with
// release,
//   1. puts the spot among the moves begun, 2. into its new leaf, 3. sets its point, 4. takes
//   it out of its old leaf, 5. says that the move is done;
// a reader, each with acquire, reads how many moves are done, walks, and reads how many are
// begun. A reader that missed a spot came to the new leaf before 2, so before 5, and the number
// done it had read does not count this move; and to the old leaf after 4, so after 1, and the
// number begun that it reads counts it. So who was missed is among the moves between the two
// numbers, and the reader looks at those. The same holds for who was met in both leaves, so a
// spot is looked for in what was found only when it is among those moves. The last spot of a
// leaf, which takes the slot of one that leaves, can be met in both slots: it is put among the
// moves too, before 4. When the reader was so slow that moves are forgotten already, it walks
// again, some times at most.
//
// A division, merging or resizing puts new cells in the place of old ones with one store. Readers
// that have the old ones go on in them: they hold who was there then, and who has left since is
// among the moves. A reader asks a fork for each quarter once, so it sees each place in one form.
public final class GeoIndex<T extends IndexedPoint> {
  private static final int MERGED_MAX = LeafNode.SPOTS_MAX / 2;
  private static final int WALKS_MAX = 16;

  private final InnerNode root = new InnerNode(null, 0, 0);
  private final MoveLog moves = new MoveLog();
  private volatile int size;

  /** Holds nothing yet. */
  public GeoIndex() {}

  /** How many spots are in it. */
  public int size() {
    return size;
  }

  /** Moves a spot, or takes it in. The writer's. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  public void move(T spot, int latE7, int lonE7) {
    check(latE7, lonE7);
    long point = IndexedPoint.point(latE7, lonE7);
    LeafNode leaf = (LeafNode) spot.leaf;
    if (leaf != null && leaf.covers(latE7, lonE7)) {
      spot.point(point);
      leaf.move(spot.slot, point);
      return;
    }
    int slot = spot.slot;
    moves.begin(spot);
    forkAround(leaf, latE7, lonE7).leafFor(latE7, lonE7).add(spot, point);
    spot.point(point);
    if (leaf == null) {
      size++;
    } else {
      takeOut(leaf, slot);
    }
    moves.end();
  }

  /** Takes a spot out, if it is in. The writer's. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  public void remove(T spot) {
    LeafNode leaf = (LeafNode) spot.leaf;
    if (leaf != null) {
      spot.leaf = null;
      size--;
      takeOut(leaf, spot.slot);
      moves.end();
    }
  }

  /**
   * Finds who is near a point, nearest first.
   *
   * @param limit how many at most, at least 1; as many as {@code found} has room for
   * @param accept which are wanted; asked in no order, only for those near enough
   */
  public void nearest(
      int latE7,
      int lonE7,
      double radiusMetres,
      int limit,
      Predicate<? super T> accept,
      SearchResult<T> found) {
    check(latE7, lonE7);
    if (!(radiusMetres >= 0)) {
      throw new IllegalArgumentException("a radius of " + radiusMetres);
    }
    double reach = Math.nextUp(Distance.ofMetres(radiusMetres));
    search(Box.EARTH, latE7, lonE7, reach, limit, accept, found);
  }

  /**
   * Finds who is in a box, its edges in it, those nearest to its middle first. Where west is above
   * east the box lies over the antimeridian.
   *
   * @param limit how many at most, at least 1; as many as {@code found} has room for
   * @param accept which are wanted; asked in no order
   */
  public void within(Box box, int limit, Predicate<? super T> accept, SearchResult<T> found) {
    check(box.south(), box.west());
    check(box.north(), box.east());
    double everywhere = Distance.ofMetres(Double.MAX_VALUE);
    search(box, box.middleLat(), box.middleLon(), everywhere, limit, accept, found);
  }

  private void search(
      Box box,
      int lat,
      int lon,
      double reach,
      int limit,
      Predicate<? super T> accept,
      SearchResult<T> found) {
    int walks = 0;
    do {
      found.begin(limit, reach);
      new GeoSearch<>(box, lat, lon, moves, accept, found).run(root);
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
    IndexedPoint last = leaf.spot(leaf.size() - 1);
    if (last != null && leaf.size() - 1 != slot) {
      moves.begin(last);
    }
    leaf.remove(slot);
    InnerNode innerNode = leaf.place();
    if (leaf.capacity() > LeafNode.SPOTS_MAX && leaf.size() < leaf.capacity() / 4) {
      innerNode.set(leaf.resized(leaf.capacity() / 2));
    }
    if (leaf.size() <= MERGED_MAX / 4) {
      merge(innerNode);
    }
  }

  private static void merge(InnerNode few) {
    InnerNode innerNode = few;
    int spots = innerNode.spots(MERGED_MAX);
    while (innerNode.parent != null && spots <= MERGED_MAX) {
      innerNode.parent.set(innerNode.merged(innerNode.parent, spots));
      innerNode = innerNode.parent;
      spots = innerNode.spots(MERGED_MAX);
    }
  }

  private static void check(int latE7, int lonE7) {
    if (Math.abs((long) latE7) > Distance.LAT_E7_MAX
        || Math.abs((long) lonE7) > Distance.LON_E7_MAX) {
      throw new IllegalArgumentException("no point on the Earth: " + latE7 + ", " + lonE7);
    }
  }
}
