package gilmok.accept;

import gilmok.documents.MongoDocuments;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What MongoDB lets our user do. No state. */
final class MongoRights {
  static final String ADVICE =
      "grant the user what is named: the role readWrite of the database has all that a server needs,"
          + " and dbAdmin the index builds; the scratch database needs both, too, for this command";

  /** What a server's commands need in its database. */
  private static final Set<String> NEEDED =
      Set.of(
          "find", "insert", "update", "remove", "createIndex", "createCollection", "listIndexes");

  private static final Pattern DENIED =
      Pattern.compile(
          "not (?:authorized|allowed) on (\\S+) to execute command \\{ ?\"?(\\w+)\"?:"
              + " ?\"?([\\w.-]*)");

  private MongoRights() {}

  /** A failure with what was denied in front, if that is what it is about. */
  static String named(String message) {
    Matcher denied = DENIED.matcher(message);
    return denied.find()
        ? "denied: %s on %s.%s".formatted(denied.group(2), denied.group(1), denied.group(3))
        : message;
  }

  /** The same step; its failure names what was denied. */
  static Findings.Step naming(Findings.Step step) {
    return () -> {
      try {
        return step.run();
      } catch (IOException failed) {
        throw new IOException(named(String.valueOf(failed.getMessage())), failed);
      }
    };
  }

  /**
   * Compares the user's privileges with what a server needs, without trying anything.
   *
   * @return what they are, in words
   * @throws IOException when some are missing, or the server does not say
   */
  static String compare(MongoDocuments documents, String database)
      throws IOException, InterruptedException {
    BsonDocument command =
        new BsonDocument("connectionStatus", new BsonInt32(1))
            .append("showPrivileges", BsonBoolean.TRUE);
    BsonDocument info =
        documents.ask(() -> documents.runOfServer(command)).getDocument("authInfo", none());
    if (info.getArray("authenticatedUsers", new BsonArray()).isEmpty()) {
      return "";
    }
    Set<String> missing = new TreeSet<>(NEEDED);
    for (BsonValue one : info.getArray("authenticatedUserPrivileges", new BsonArray())) {
      if (isOf(one.asDocument().getDocument("resource", none()), database)) {
        one.asDocument()
            .getArray("actions", new BsonArray())
            .forEach(action -> missing.remove(action.asString().getValue()));
      }
    }
    if (!missing.isEmpty()) {
      throw new IOException("missing on " + database + ": " + String.join(", ", missing));
    }
    return "all that a server needs on " + database;
  }

  private static boolean isOf(BsonDocument resource, String database) {
    String of = resource.getString("db", new BsonString("-")).getValue();
    String in = resource.getString("collection", new BsonString("-")).getValue();
    return resource.containsKey("anyResource")
        || (List.of("", database).contains(of) && in.isEmpty());
  }

  private static BsonDocument none() {
    return new BsonDocument();
  }
}
