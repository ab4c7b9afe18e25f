package gilmok.missions;

import gilmok.event.JsonBuffer;
import gilmok.pieces.Joined;
import java.util.Arrays;

/**
 * One rider's answer in pieces, and its tag. Immutable.
 *
 * @param shelf of which it was made
 * @param joined what all share, what some share, and the rider's own progress, in this order
 * @param tag changes with any of them; without quotation marks, and the same in every coding
 */
record Rendered(Shelf shelf, Joined joined, String tag) {
  static Rendered of(Shelf shelf, String riderId, RiderMissions missions) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("],\"progress\":{");
    int begin = out.size();
    missions.each(
        (id, bytes, offset, length, settledAt) -> {
          if (shelf.shows(id, riderId)) {
            out.ascii(out.size() == begin ? "" : ",").string(id).put(':');
            RiderMissions.write(bytes, offset, length, settledAt, out);
          }
        });
    out.ascii("}}");
    Joined joined = shelf.head(riderId).plus(shelf.tail(Arrays.copyOf(out.bytes(), out.size())));
    return new Rendered(shelf, joined, joined.tag());
  }
}
