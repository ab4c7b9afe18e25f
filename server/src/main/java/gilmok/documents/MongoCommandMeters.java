package gilmok.documents;

import com.mongodb.ServerAddress;
import com.mongodb.event.CommandEvent;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonValue;

/**
 * The metrics of MongoDB's commands: by command, collection and server, as one server of several
 * that does all the work is seen in no total. The number of labels is bounded. Thread-safe.
 *
 * <p>Only the event of a command's start has its collection. The synchronous driver starts and ends
 * a command on one thread, so that thread remembers it.
 */
final class MongoCommandMeters implements CommandListener {
  /** More combinations of labels than these share one. */
  static final int COMBINATIONS_MAX = 256;

  private static final String OTHER = "other";
  private static final String NONE = "none";

  /** The commands that the product sends for requests; the label has no other values. */
  private static final Set<String> COMMANDS =
      Set.of("find", "findAndModify", "insert", "update", "delete", "getMore", "aggregate");

  private static final ThreadLocal<String> COLLECTION = ThreadLocal.withInitial(() -> NONE);

  private final Meters meters;
  private final Map<Labels, Command> known = new ConcurrentHashMap<>();
  private final Command others;

  private record Labels(String command, String collection, ServerAddress server) {}

  private record Command(Histogram seconds, Counter failures) {
    static Command of(Meters meters, String command, String collection, String server) {
      String[] labels = {"command", command, "collection", collection, "server", server};
      return new Command(
          meters.seconds(
              "gilmok_documents_mongo_command_seconds",
              "From a command's sending to its answer, by command, collection and server.",
              labels),
          meters.counter(
              "gilmok_documents_mongo_command_failures_total",
              "Commands that were not answered, or answered with an error.",
              labels));
    }
  }

  MongoCommandMeters(Meters meters) {
    this.meters = meters;
    others = Command.of(meters, OTHER, OTHER, OTHER);
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    String command = event.getCommandName();
    COLLECTION.set(COMMANDS.contains(command) ? collection(command, event) : NONE);
  }

  private static String collection(String command, CommandStartedEvent event) {
    String field = command.equals("getMore") ? "collection" : command;
    BsonValue name = event.getCommand().get(field);
    return name != null && name.isString() ? name.asString().getValue() : NONE;
  }

  @Override
  public void commandSucceeded(CommandSucceededEvent event) {
    of(event).seconds.record(event.getElapsedTime(TimeUnit.NANOSECONDS));
  }

  @Override
  public void commandFailed(CommandFailedEvent event) {
    Command command = of(event);
    command.seconds.record(event.getElapsedTime(TimeUnit.NANOSECONDS));
    command.failures.increment();
  }

  private Command of(CommandEvent event) {
    String name = event.getCommandName();
    Labels labels =
        new Labels(
            COMMANDS.contains(name) ? name : OTHER,
            COLLECTION.get(),
            event.getConnectionDescription().getServerAddress());
    Command command = known.get(labels);
    return command == null ? added(labels) : command;
  }

  private synchronized Command added(Labels labels) {
    Command command = known.get(labels);
    if (command == null && known.size() < COMBINATIONS_MAX) {
      command = Command.of(meters, labels.command, labels.collection, labels.server.toString());
      known.put(labels, command);
    }
    return command == null ? others : command;
  }
}
