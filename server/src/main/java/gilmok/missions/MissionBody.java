package gilmok.missions;

import gilmok.collect.json.Fields;
import gilmok.collect.json.JsonDocument;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import gilmok.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of missions, progress and profiles. Each can be any JSON object; only fields
 * that the server uses are checked.
 *
 * <p>Not thread-safe: one for each body.
 */
final class MissionBody {
  /** Most bytes of the JSON that riders see of a mission. */
  static final int SHOWN_BYTES_MAX = 64 << 10;

  /** Most riders that one mission can name. */
  static final int RIDERS_MAX = 100_000;

  /** The member that says when a progress was settled. */
  static final String SETTLED_AT = "settledAt";

  static final String RIDERS = "riders";
  static final Set<String> OURS = Set.of("id", "from", "to", RIDERS, "goal", "urgent");
  private static final int ID_CHARS_MAX = 64;
  private static final int RIDER_CHARS_MAX = 128;

  private final JsonDocument document = new JsonDocument();
  private final Fields fields = new Fields(document);

  /** The result of reading a body. */
  sealed interface Read<T> {
    /** A valid body. */
    record Good<T>(T value) implements Read<T> {}

    /** A wrong body and the answer that refuses it. */
    record Refused<T>(Answer answer) implements Read<T> {}
  }

  /** Why a text cannot be a mission's id; null when it can. */
  static @Nullable String whyNoId(String id) {
    String why = whyNoName(id, ID_CHARS_MAX);
    return why == null && id.indexOf('/') >= 0 ? "must not hold a slash" : why;
  }

  /** Reads a mission's body. */
  Read<Mission> mission(String id, byte[] bytes, int offset, int length) {
    int root = document.read(bytes, offset, length);
    if (root == JsonDocument.NONE) {
      return new Read.Refused<>(Answer.unreadable(document.errorReason()));
    }
    fields.begin();
    String why = whyNoId(id);
    if (why != null) {
      fields.wrong("id", why);
    }
    isObject(root);
    Mission mission = fields.isGood() ? mission(id, root) : null;
    return mission == null
        ? new Read.Refused<>(Answer.invalid(fields.field(), fields.reason()))
        : new Read.Good<>(mission);
  }

  /** Reads a mission; null when something is wrong, which {@code faults} then say. */
  @Nullable Mission mission(String id, byte[] bytes, int length, Fields faults) {
    if (mission(id, bytes, 0, length) instanceof Read.Good<Mission>(Mission mission)) {
      return mission;
    }
    faults.wrong(fields.field(), fields.reason());
    return null;
  }

  /** Reads a progress or a profile: the object's text without white space. */
  Read<String> object(byte[] bytes, int offset, int length) {
    int root = document.read(bytes, offset, length);
    if (root == JsonDocument.NONE) {
      return new Read.Refused<>(Answer.unreadable(document.errorReason()));
    }
    fields.begin();
    isObject(root);
    if (!fields.isGood()) {
      return new Read.Refused<>(Answer.invalid(fields.field(), fields.reason()));
    }
    JsonBuffer out = new JsonBuffer();
    document.copy(root, out);
    return new Read.Good<>(out.toString());
  }

  /** Reads a progress. It must not say when it was settled: the server sets that. */
  Read<String> progress(byte[] bytes, int offset, int length) {
    Read<String> read = object(bytes, offset, length);
    boolean isTold = document.member(0, SETTLED_AT) != JsonDocument.NONE;
    return read instanceof Read.Good<String> && isTold
        ? new Read.Refused<>(Answer.invalid(SETTLED_AT, "is said by settling alone; leave it out"))
        : read;
  }

  private void isObject(int root) {
    String fault = document.fault(root);
    if (fault != null) {
      fields.wrong("body", fault);
    } else if (!document.isObject(root)) {
      fields.wrong("body", Reason.NOT_AN_OBJECT);
    }
  }

  private @Nullable Mission mission(String id, int root) {
    onlyOnce(root);
    String given = fields.text(root, "", "id", ID_CHARS_MAX);
    if (given != null && !given.equals(id)) {
      fields.wrong("id", "is not that of the path");
    }
    Long from = fields.time(root, "", "from");
    Long to = fields.time(root, "", "to");
    if (from != null && to != null && to <= from) {
      fields.wrong("to", "not after from");
    }
    List<String> riders = riders(root);
    byte[] shown = shown(id, root);
    if (shown.length > SHOWN_BYTES_MAX) {
      fields.wrong("body", "over " + SHOWN_BYTES_MAX + " bytes without riders");
    }
    if (!fields.isGood()) {
      return null;
    }
    return new Mission(
        id,
        from == null ? Mission.ALWAYS : from,
        to == null ? Mission.FOR_EVER : to,
        List.copyOf(riders),
        new HashSet<>(riders),
        document.number(document.member(root, "goal")),
        document.isTrue(document.member(root, "urgent")),
        shown);
  }

  /** Refuses duplicate members, as JSON readers differ in which one they take. */
  private void onlyOnce(int root) {
    for (int member = document.first(root);
        member != JsonDocument.NONE;
        member = document.next(member)) {
      for (String name : OURS) {
        if (document.isNamed(member, name) && document.member(root, name) != member) {
          fields.wrong(name, Reason.GIVEN_TWICE);
        }
      }
    }
  }

  private List<String> riders(int root) {
    int list = document.member(root, RIDERS);
    List<String> riders = new ArrayList<>();
    if (document.isNull(list)) {
      return riders;
    }
    if (!document.isArray(list)) {
      fields.wrong(RIDERS, "not an array");
      return riders;
    }
    for (int rider = document.first(list);
        rider != JsonDocument.NONE && fields.isGood();
        rider = document.next(rider)) {
      String id = document.text(rider);
      String why = id == null ? Reason.NOT_A_STRING : whyNoRider(id);
      if (why != null || id == null) {
        fields.wrong(RIDERS + "[" + riders.size() + "]", String.valueOf(why));
      } else if (riders.size() == RIDERS_MAX) {
        fields.wrong(RIDERS, "over " + RIDERS_MAX);
      } else {
        riders.add(id);
      }
    }
    if (riders.isEmpty()) {
      fields.wrong(RIDERS, "names nobody; leave it out to open the mission to all");
    }
    return riders;
  }

  /** Why a text cannot be a rider's id; null when it can. */
  static @Nullable String whyNoRider(String id) {
    return whyNoName(id, RIDER_CHARS_MAX);
  }

  private static @Nullable String whyNoName(String id, int charsMax) {
    if (id.isBlank()) {
      return Reason.EMPTY;
    }
    if (id.codePointCount(0, id.length()) > charsMax) {
      return Reason.TOO_LONG;
    }
    return id.chars().anyMatch(Character::isISOControl) ? Reason.CONTROL_CHARACTER : null;
  }

  /** The object with the id first and without the riders, who are not shown to each other. */
  private byte[] shown(String id, int root) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"id\":").string(id);
    for (int member = document.first(root);
        member != JsonDocument.NONE;
        member = document.next(member)) {
      if (!document.isNamed(member, "id") && !document.isNamed(member, RIDERS)) {
        out.put(',').string(document.name(member)).put(':');
        document.copy(member, out);
      }
    }
    out.put('}');
    return out.copy();
  }

  /** A stored mission; null when it is unreadable, which no put of this version causes. */
  static @Nullable Mission kept(MissionStore.Kept kept) {
    byte[] bytes = kept.json().getBytes(StandardCharsets.UTF_8);
    Read<Mission> read = new MissionBody().mission(kept.id(), bytes, 0, bytes.length);
    return read instanceof Read.Good<Mission>(Mission mission) ? mission : null;
  }
}
