package gilmok.deliveries.track;

import gilmok.http.Exchange;
import gilmok.http.Refusal;
import org.jspecify.annotations.Nullable;

/** Answers a browser that opens a customer's link. On event loops; must not block. */
@FunctionalInterface
public interface CustomerPage {
  /**
   * Answers with the page, which then asks the same URL for JSON; where the link is refused, with a
   * page that says so.
   *
   * @param refusal why the link is refused; null for one that is valid
   */
  void answer(Exchange exchange, @Nullable Refusal refusal);
}
