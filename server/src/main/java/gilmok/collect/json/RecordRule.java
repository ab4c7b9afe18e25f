package gilmok.collect.json;

import gilmok.event.Event;

/** What a body's sender may not send, however well it is written. */
@FunctionalInterface
public interface RecordRule {
  /** Everything may be sent. */
  RecordRule NONE = event -> false;

  /** Whether this record is set aside with the field {@code key}. */
  boolean forbids(Event event);
}
