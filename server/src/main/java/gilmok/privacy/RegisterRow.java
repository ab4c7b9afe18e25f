package gilmok.privacy;

import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row of the register: that a location was collected, seen or given. Immutable.
 *
 * @param id begins with its time ({@link #time}), so that ids are in the order of time
 * @param rider the rider's pseudonym; empty for a row about many riders
 * @param who has seen it: the id of a key; to whom it was given: the id of a key, {@code shop/ID}
 *     or {@code agency/ID}, a sink; who is sent what was collected: sinks, with blanks between
 * @param what what was done, as in {@code trace}
 * @param purposes what for: labels of {@link Use}, with blanks between
 * @param basis on what legal basis
 */
public record RegisterRow(
    String id,
    Kind kind,
    String rider,
    String who,
    String what,
    String purposes,
    String basis,
    Span span,
    String node) {
  private static final int TIME_CHARS = 12;
  private static final int HASH_BYTES = 16;

  /** What happened to a location. */
  public enum Kind {
    COLLECTED("collected"),
    SEEN("seen"),
    GIVEN("given");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name in the API and in the documents. */
    public String label() {
      return label;
    }

    /** The kind of that name; of no other text. */
    static Kind of(String label) {
      for (Kind one : values()) {
        if (one.label.equals(label)) {
          return one;
        }
      }
      throw new IllegalArgumentException("no kind of the register: " + label);
    }
  }

  /**
   * What is done with a location. Immutable.
   *
   * @param what its name, as in {@code trace}
   * @param uses what for
   */
  public record Act(Kind kind, String what, Set<Use> uses) {
    static final Act CUSTOMER = of(Kind.GIVEN, "customer", Use.CUSTOMER);
    static final Act PARTNER = of(Kind.GIVEN, "partner", Use.PARTNER);
    static final Act SINK = of(Kind.GIVEN, "sink", Use.SINK);

    /** An act for one purpose. */
    static Act of(Kind kind, String what, Use use) {
      return new Act(kind, what, Set.of(use));
    }
  }

  /**
   * When and how often.
   *
   * @param fromMillis when it was first done, epoch ms
   * @param toMillis when it was last done
   */
  public record Span(long fromMillis, long toMillis, long count) {
    static Span once(long atMillis) {
      return new Span(atMillis, atMillis, 1);
    }

    Span and(Span other) {
      return new Span(
          Math.min(fromMillis, other.fromMillis),
          Math.max(toMillis, other.toMillis),
          count + other.count);
    }
  }

  /**
   * A row that sums: one id for all that differs in times and count only.
   *
   * @param beginMillis the hour or day that it sums
   */
  static RegisterRow sum(
      long beginMillis, Act act, String rider, String who, Bases bases, Span span, String node) {
    RegisterRow row = of("", act, rider, who, bases, span, node);
    String same =
        String.join("\n", row.kind.label, row.what, rider, who, row.purposes, row.basis, node);
    return of(time(beginMillis) + "-" + hash(same), act, rider, who, bases, span, node);
  }

  /** A row. */
  static RegisterRow of(
      String id, Act act, String rider, String who, Bases bases, Span span, String node) {
    String purposes = Use.labels(act.uses);
    String basis = bases.of(act.uses);
    return new RegisterRow(id, act.kind, rider, who, act.what, purposes, basis, span, node);
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException impossible) { // every JVM has it
      throw new IllegalStateException(impossible);
    }
  }

  /** The beginning of the ids of rows of that time; below all of later ones. */
  static String time(long millis) {
    String hex = Long.toHexString(Math.max(0, millis));
    return "0".repeat(Math.max(0, TIME_CHARS - hex.length())) + hex;
  }

  /** The key that has seen it or was given it; empty where it was none. */
  String key() {
    return kind != Kind.COLLECTED && recipient().isEmpty() ? who : "";
  }

  /** To whom it was given that is no key's: a partner or a sink; else empty. */
  String recipient() {
    boolean isOther = what.equals(Act.PARTNER.what) || what.equals(Act.SINK.what);
    return kind == Kind.GIVEN && isOther ? who : "";
  }

  /** The sinks that are sent what was collected, with blanks between. */
  String sinks() {
    return kind == Kind.COLLECTED ? who : "";
  }

  /** Writes it, with the rider's id where that is still known. */
  void writeJson(@Nullable String riderId, JsonBuffer out) {
    out.ascii("{\"id\":").string(id).ascii(",\"kind\":\"").ascii(kind.label()).put('"');
    text(",\"rider\":", rider, out);
    text(",\"riderId\":", riderId == null ? "" : riderId, out);
    text(",\"key\":", key(), out);
    text(",\"recipient\":", recipient(), out);
    out.ascii(",\"what\":").string(what).ascii(",\"from\":").time(span.fromMillis);
    out.ascii(",\"to\":").time(span.toMillis).ascii(",\"count\":").number(span.count);
    list(",\"purposes\":", purposes, out);
    out.ascii(",\"basis\":").string(basis);
    if (kind == Kind.COLLECTED) {
      list(",\"sinks\":", who, out);
    }
    out.ascii(",\"node\":").string(node).put('}');
  }

  private static void text(String name, String value, JsonBuffer out) {
    if (!value.isEmpty()) {
      out.ascii(name).string(value);
    }
  }

  private static void list(String name, String blanks, JsonBuffer out) {
    List<String> all = blanks.isEmpty() ? List.of() : List.of(blanks.split(" "));
    out.ascii(name).list(all, (one, to) -> to.string(one));
  }
}
