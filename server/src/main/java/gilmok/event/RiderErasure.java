package gilmok.event;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an erasure of riders leaves of an encoded record. Of a position, an action, a log line and
 * of what was quarantined: nothing. Of a delivery's event and an entry of the audit: the record
 * with the pseudonym in the rider's place ({@link RenamedTexts}), and without the place at which
 * the rider was.
 *
 * <p>Not thread-safe: one for each thread that erases.
 */
public final class RiderErasure {
  /** What is left of a record of which nothing is left. */
  private static final byte[] NOTHING = {};

  private static final String NAMES = "(?i)(?:id|rider|user|driver|device)";

  /** The name of a member that may have a rider's id or a phone's, in what nobody could use. */
  private static final Pattern SENDERS_NAME = Pattern.compile(NAMES);

  /** Such a member whose value is a number, or a parameter of a form. */
  private static final Pattern SENDER =
      Pattern.compile(NAMES + "[a-z_-]*\"?\\s*[:=]\\s*\"?([^\"&,}\\s]{1,400})");

  /** A place in JSON without white space. */
  private static final Pattern PLACE = Pattern.compile(",\"l(?:at|on)\":[-+.0-9eE]+");

  private static final String EVENT = ",\"event\":{";

  /** An id of fewer characters can be any value of a record that nobody could use. */
  private static final int ANYWHERE_CHARS_MIN = 4;

  private final ErasedRiders riders;
  private final EventView view = new EventView();
  private final QuarantinedView quarantined = new QuarantinedView();

  public RiderErasure(ErasedRiders riders) {
    this.riders = riders;
  }

  /**
   * What is left of a record.
   *
   * @return null if the record is not about these riders and stays as it is; no bytes if nothing of
   *     it is left; else the record that takes its place
   */
  public byte @Nullable [] left(byte[] bytes, int offset, int length) {
    try {
      view.wrap(bytes, offset, length);
    } catch (DamagedEvent damaged) {
      // Whose it is cannot be told from its fields.
      return isAbout(new String(bytes, offset, length, StandardCharsets.UTF_8)) ? NOTHING : null;
    }
    return switch (view.kind()) {
      case POSITION, ACTION, LOG_LINE -> riders.pseudonym(view.riderId()) == null ? null : NOTHING;
      case QUARANTINED -> isQuarantined(bytes, offset, length) ? NOTHING : null;
      case DELIVERY, AUDIT -> renamed();
    };
  }

  /** Whether what was quarantined is about them, by what was sent. */
  private boolean isQuarantined(byte[] bytes, int offset, int length) {
    quarantined.wrap(bytes, offset, length);
    return isAbout(new String(quarantined.raw(), StandardCharsets.UTF_8))
        || isAbout(quarantined.reason());
  }

  /** Whether bytes that nobody could use are about them: who has sent them, or a text in them. */
  public boolean isAbout(String sent) {
    byte[] json = sent.getBytes(StandardCharsets.UTF_8);
    if (JsonTexts.anyValue(json, 0, json.length, this::isSender)) {
      return true;
    }
    Matcher sender = SENDER.matcher(sent);
    while (sender.find()) {
      if (riders.pseudonym(sender.group(1)) != null
          || riders.pseudonym(decoded(sender.group(1))) != null) {
        return true;
      }
    }
    return false;
  }

  private boolean isSender(String member, String text) {
    boolean isAny = text.length() >= ANYWHERE_CHARS_MIN || SENDERS_NAME.matcher(member).find();
    return isAny && riders.pseudonym(text) != null;
  }

  private static String decoded(String parameter) {
    try {
      return URLDecoder.decode(parameter, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException notEncoded) {
      return parameter;
    }
  }

  private byte @Nullable [] renamed() {
    EventField json = EventField.ATTRIBUTES;
    byte[] left = renamed(view.bytes(), view.offset(json), view.length(json));
    if (left == null) {
      return null;
    }
    String id = String.valueOf(view.text(EventField.ID));
    return JsonRecord.encode(view.kind(), id, new JsonBuffer().raw(left, 0, left.length));
  }

  /** The same of JSON in a text; the same object where they are not in it. */
  public String renamed(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    byte[] left = renamed(bytes, 0, bytes.length);
    return left == null ? json : new String(left, StandardCharsets.UTF_8);
  }

  /**
   * The JSON of a delivery's event or an entry of the audit after it; null where they are not in
   * it.
   */
  public byte @Nullable [] renamed(byte[] json, int offset, int length) {
    byte[] left = JsonTexts.changed(json, offset, offset + length, new RenamedTexts(riders));
    if (left == null) {
      return null;
    }
    String text = new String(left, StandardCharsets.UTF_8);
    int event = text.lastIndexOf(EVENT);
    return event < 0
        ? left
        : (text.substring(0, event) + PLACE.matcher(text.substring(event)).replaceAll(""))
            .getBytes(StandardCharsets.UTF_8);
  }
}
