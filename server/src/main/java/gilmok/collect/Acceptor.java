package gilmok.collect;

import gilmok.log.Admission;
import gilmok.log.Draft;
import gilmok.log.Ticket;

/**
 * Makes a draft durable and then calls its ticket. The node's log is one; others may follow ({@code
 * collect.ack}).
 */
@FunctionalInterface
public interface Acceptor {
  /** Takes the draft, or says why not; never blocks. */
  Admission append(Draft draft, Ticket ticket);
}
