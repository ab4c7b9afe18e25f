package gilmok.collect.owntracks;

import gilmok.collect.json.JsonDocument;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the positions of friends as OwnTracks' own messages. Both apps tell friends apart by
 * {@code tid} alone ({@code owntracks/http/<tid>}), but many phones send the same one, as it is
 * made of the device's name. So a friend whose {@code tid} is not unique in the answer gets the
 * last characters of the rider's id instead, as many as are needed.
 *
 * <p>Not thread-safe: part of its dialect.
 */
final class Friends {
  private static final int TID_LENGTH = 2;
  private static final double KMH_PER_METRE_A_SECOND = 3.6;

  private final EventView view = new EventView();
  private final JsonDocument attributes = new JsonDocument();
  private final List<Tid> tids = new ArrayList<>();

  /**
   * Writes messages into an array, separated by commas.
   *
   * @param positions encoded; any that is not a position is left out
   * @param isFirst whether the array is still empty
   */
  void write(List<byte[]> positions, boolean isFirst, JsonBuffer out) {
    tids.clear();
    for (byte[] position : positions) {
      view.wrap(position, 0, position.length);
      if (view.kind() == EventKind.POSITION) {
        tids.add(new Tid(position, view.riderId(), given()));
      }
    }
    tellApart();
    boolean first = isFirst;
    for (Tid tid : tids) {
      if (!first) {
        out.put(',');
      }
      first = false;
      view.wrap(tid.position, 0, tid.position.length);
      write(tid, out);
    }
    tids.clear();
  }

  private void write(Tid tid, JsonBuffer out) {
    out.ascii("{\"_type\":\"location\",\"tid\":").string(tid.text);
    out.ascii(",\"lat\":").number(view.lat()).ascii(",\"lon\":").number(view.lon());
    out.ascii(",\"tst\":").number(Math.floorDiv(view.at(), 1000));
    whole("vel", EventField.SPEED, KMH_PER_METRE_A_SECOND, out);
    whole("alt", EventField.ALTITUDE, 1, out);
    whole("cog", EventField.BEARING, 1, out);
    whole("acc", EventField.ACCURACY, 1, out);
    double vac = attributes.number(attribute("vac"));
    if (Math.abs(vac) < Integer.MAX_VALUE) {
      out.ascii(",\"vac\":").number(Math.round(vac));
    }
    out.ascii(",\"topic\":").string("owntracks/gilmok/" + tid.rider).put('}');
  }

  /** Writes a whole number, as the apps accept no other. */
  private void whole(String name, EventField field, double factor, JsonBuffer out) {
    if (view.has(field)) {
      out.ascii(",\"").ascii(name).ascii("\":").number(Math.round(view.number(field) * factor));
    }
  }

  private @Nullable String given() {
    String tid = attributes.text(attribute("tid"));
    return tid == null || tid.isBlank() ? null : tid;
  }

  /** An attribute of the present position. */
  private int attribute(String name) {
    if (!view.has(EventField.ATTRIBUTES)) {
      return JsonDocument.NONE;
    }
    int root =
        attributes.read(
            view.bytes(), view.offset(EventField.ATTRIBUTES), view.length(EventField.ATTRIBUTES));
    return attributes.member(root, name);
  }

  /**
   * Lengthens the texts that are not unique, until all are or the riders' ids have no more
   * characters.
   */
  private void tellApart() {
    boolean changed = true;
    while (changed) {
      changed = false;
      Map<String, Integer> counts = new HashMap<>();
      for (Tid tid : tids) {
        counts.merge(tid.text, 1, Integer::sum);
      }
      for (Tid tid : tids) {
        changed |= counts.getOrDefault(tid.text, 0) > 1 && tid.lengthen();
      }
    }
  }

  /** The {@code tid} of a friend, and how many characters it was lengthened to. */
  private static final class Tid {
    final byte[] position;
    final String rider;
    String text;
    private int length;

    Tid(byte[] position, String rider, @Nullable String given) {
      this.position = position;
      this.rider = rider;
      this.length = given == null ? TID_LENGTH : 0;
      this.text = given == null ? last(rider, TID_LENGTH) : given;
    }

    boolean lengthen() {
      if (length > rider.length()) {
        return false;
      }
      length = Math.max(length + 1, TID_LENGTH);
      text = last(rider, length);
      return true;
    }

    /** The last characters of a text; a surrogate pair is not split. */
    private static String last(String text, int length) {
      int from = Math.max(0, text.length() - length);
      boolean halves = from > 0 && Character.isLowSurrogate(text.charAt(from));
      return text.substring(halves ? from - 1 : from);
    }
  }
}
