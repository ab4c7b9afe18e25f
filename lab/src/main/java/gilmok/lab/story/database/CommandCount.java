package gilmok.lab.story.database;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** Counts the commands of some names that a client sends: its round trips. Thread-safe. */
final class CommandCount implements CommandListener {
  private final Set<String> names;
  private final LongAdder sent = new LongAdder();

  CommandCount(String... names) {
    this.names = Set.of(names);
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    if (names.contains(event.getCommandName())) {
      sent.increment();
    }
  }

  /** How many were sent so far. */
  long sent() {
    return sent.sum();
  }
}
