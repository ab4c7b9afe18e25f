package gilmok.event;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts riders' pseudonyms into a delivery's event or an entry of the audit, in JSON. What a text
 * may be is told by the name of its member: shops, orders and partners can have the same ids as
 * riders, and a rider's id can be any word.
 *
 * <p>Not thread-safe: one for each record.
 */
final class RenamedTexts implements JsonTexts.Change {
  /** Names of texts that are neither a rider's id nor written by people about riders. */
  private static final Set<String> OTHERS =
      Set.of(
          ("id type kind status state sequence version timestamp at claimedAt recordedAt createdAt"
                  + " updatedAt readyAt dueBy orderId shopId agencyId customerId shop agency"
                  + " currency code sha256 url events phone address comment source traceparent"
                  + " recordId node stream sink key outcome scopes purposes level platform")
              .split(" "));

  /** What has to do with riders or their phones, so that its target may be one. */
  private static final Set<String> OF_RIDERS = Set.of("rider", "consent", "device");

  private final ErasedRiders riders;
  private @Nullable String action;

  RenamedTexts(ErasedRiders riders) {
    this.riders = riders;
  }

  @Override
  public String value(String member, String text) {
    if (OTHERS.contains(member)) {
      return text;
    }
    return switch (member) {
      case "by" -> riders.inAuthor(text);
      case "action" -> {
        action = action == null ? text : action; // an entry's own comes before all others
        yield text;
      }
      case "target" -> isOfRiders() ? riders.inId(text) : text;
      default ->
          member.toLowerCase(Locale.ROOT).contains("rider")
              ? riders.inId(text)
              : riders.within(text);
    };
  }

  private boolean isOfRiders() {
    return action != null
        && action.indexOf('.') > 0
        && OF_RIDERS.contains(action.substring(0, action.indexOf('.')));
  }
}
