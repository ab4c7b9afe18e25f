package gilmok.collect;

import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventField;
import java.util.function.Predicate;

/**
 * Who may move a delivery by an action: a key that is bound to the rider, or one with {@code
 * operate}. A key that a whole fleet's app shares could name any rider. Immutable.
 */
public final class ActionRule {
  private final RecordRule forShared;

  /**
   * A rule for actions of these types.
   *
   * @param movesDelivery whether an action of that type, about a delivery, moves it
   * @param isOpen whether any key may move deliveries
   */
  public ActionRule(Predicate<String> movesDelivery, boolean isOpen) {
    forShared =
        isOpen
            ? RecordRule.NONE
            : event ->
                event.has(EventField.DELIVERY_ID)
                    && movesDelivery.test(event.text(EventField.TYPE));
  }

  /** What that caller may not send. That a bound key sends its own rider's is checked apart. */
  RecordRule of(Principal caller) {
    return caller.binding() != null || caller.has(Scope.OPERATE) ? RecordRule.NONE : forShared;
  }
}
