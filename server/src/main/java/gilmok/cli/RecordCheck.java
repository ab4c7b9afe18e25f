package gilmok.cli;

import gilmok.event.EventView;
import gilmok.log.LogReader;

/** Looks whether a record is what its first byte says. Not thread-safe. */
final class RecordCheck {
  private final EventView view = new EventView();

  /**
   * Looks at the record the reader stands on.
   *
   * @throws gilmok.event.DamagedEvent when it is none
   */
  void look(LogReader reader) {
    view.wrap(reader.bytes(), reader.offset(), reader.length());
  }
}
