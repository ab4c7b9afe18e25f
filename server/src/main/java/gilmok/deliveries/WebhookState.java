package gilmok.deliveries;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one event for a partner, for lists. Immutable.
 *
 * @param sequence the event's sequence
 * @param type the event's type, as {@code delivery.accepted}; empty when it cannot be read
 * @param failures how often sending it has failed
 * @param error why it last failed, or why it waits; null when nothing is wrong
 * @param atMillis when it was sent or given up, or is tried next, epoch ms
 * @param history the attempts that are kept, the oldest first
 */
public record WebhookState(
    String deliveryId,
    int sequence,
    String type,
    State state,
    int failures,
    @Nullable String error,
    long atMillis,
    List<WebhookAttempt> history) {
  public WebhookState {
    history = List.copyOf(history);
  }

  /** How often it was sent: the failures, the success, and what was redelivered, as far as kept. */
  public int attempts() {
    return Math.max(failures + (state == State.TOLD ? 1 : 0), history.size());
  }

  /** The states of an event for a partner. An event that was given up is a dead letter. */
  public enum State {
    WAITING,
    SET_ASIDE,
    TOLD
  }

  /**
   * A page of a list.
   *
   * @param next the id of the last delivery that was looked at, where more may follow; else null
   */
  public record Page(List<WebhookState> states, @Nullable String next) {}

  /** The one entry for all webhooks of a delivery that cannot be read. */
  static WebhookState unreadable(
      String deliveryId, @Nullable State wanted, long atMillis, Throwable damaged) {
    State state = wanted == null ? State.WAITING : wanted;
    String error = UnreadableDeliveries.error(damaged);
    return new WebhookState(deliveryId, 1, "", state, 0, error, atMillis, List.of());
  }

  /**
   * What is known of one delivery's webhooks for one partner.
   *
   * @param settledThrough the sequence of the last event that was sent, given up or not wanted
   * @param dueMillis when the next one is tried, epoch ms; 0 when nothing is due
   * @param failures how often sending the next one has failed
   * @param error why
   * @param deadLetters the events that were given up, without their history
   */
  record Known(
      Delivery delivery,
      int settledThrough,
      long dueMillis,
      int failures,
      @Nullable String error,
      List<WebhookState> deadLetters,
      List<WebhookAttempt> history) {

    /**
     * The states of its webhooks, the highest sequence first; only those of one state, or all for
     * null. An event waits if the partner subscribes to it; it is told if an attempt says so.
     */
    List<WebhookState> states(Partner partner, @Nullable State wanted) {
      List<WebhookState> all = new ArrayList<>();
      if (dueMillis != 0 && (wanted == null || wanted == State.WAITING)) {
        addWaiting(partner, all);
      }
      if (wanted == null || wanted == State.SET_ASIDE) {
        deadLetters.forEach(one -> all.add(one.with(of(one.sequence))));
      }
      if (wanted == null || wanted == State.TOLD) {
        addTold(all);
      }
      all.sort(Comparator.comparingInt(WebhookState::sequence).reversed());
      return all;
    }

    private void addWaiting(Partner partner, List<WebhookState> all) {
      boolean isNext = true;
      for (DeliveryEvent event : delivery.events()) {
        String type = event.step().eventType();
        if (event.sequence() > settledThrough && partner.wants(type)) {
          all.add(
              new WebhookState(
                  delivery.id(),
                  event.sequence(),
                  type,
                  State.WAITING,
                  isNext ? failures : 0,
                  isNext ? error : null,
                  dueMillis,
                  of(event.sequence())));
          isNext = false;
        }
      }
    }

    private void addTold(List<WebhookState> all) {
      for (DeliveryEvent event : delivery.events()) {
        int sequence = event.sequence();
        if (sequence < 1 || sequence > settledThrough || isDeadLetter(sequence)) {
          continue;
        }
        List<WebhookAttempt> attempts = of(sequence);
        WebhookAttempt success = null;
        for (WebhookAttempt one : attempts) {
          success = one.isSuccess() ? one : success;
        }
        if (success != null) {
          int failed = (int) attempts.stream().filter(one -> !one.isSuccess()).count();
          all.add(
              new WebhookState(
                  delivery.id(),
                  sequence,
                  event.step().eventType(),
                  State.TOLD,
                  failed,
                  null,
                  success.endMillis(),
                  attempts));
        }
      }
    }

    private boolean isDeadLetter(int sequence) {
      return deadLetters.stream().anyMatch(one -> one.sequence == sequence);
    }

    private List<WebhookAttempt> of(int sequence) {
      return history.stream().filter(one -> one.sequence() == sequence).toList();
    }
  }

  private WebhookState with(List<WebhookAttempt> attempts) {
    return new WebhookState(deliveryId, sequence, type, state, failures, error, atMillis, attempts);
  }
}
