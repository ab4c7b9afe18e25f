package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import io.netty.channel.Channel;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is said of a user who may not do something. The server refuses in MongoDB's own words; no
 * server that checks rights is at hand.
 */
@Tag("engine")
@Timeout(120)
final class MongoRightsIT {
  private static final int UNAUTHORIZED = 13;

  /** A server whose only user lacks rights. */
  private static final class Refusing extends MemoryBackend {
    private final Set<String> denied;
    private final List<String> actions;

    Refusing(List<String> actions, String... denied) {
      this.actions = actions;
      this.denied = Set.of(denied);
    }

    @Override
    public Document handleCommand(Channel channel, String database, String name, Document query) {
      String command = name.toLowerCase(Locale.ROOT);
      if (denied.contains(command)) {
        throw new MongoServerError(
            UNAUTHORIZED,
            "Unauthorized",
            "not authorized on %s to execute command { %s: \"%s\", ordered: true }"
                .formatted(database, name, query.get(name)));
      }
      if (command.equals("connectionstatus")) {
        Document resource = new Document("db", "gilmok").append("collection", "");
        Document privilege = new Document("resource", resource).append("actions", actions);
        return new Document(
                "authInfo",
                new Document("authenticatedUsers", List.of(new Document("user", "fleet")))
                    .append("authenticatedUserPrivileges", List.of(privilege)))
            .append("ok", 1.0);
      }
      return super.handleCommand(channel, database, name, query);
    }
  }

  private static Accepting accept(Refusing backend) {
    MongoServer server = new MongoServer(backend);
    try {
      return Accepting.of(
          "--mongo-uri=mongodb://127.0.0.1:" + server.bind().getPort() + "/?directConnection=true",
          "--json");
    } finally {
      server.shutdownNow();
    }
  }

  @Test
  void whatIsMissing_isNamed_withoutTrying() {
    Accepting said = accept(new Refusing(List.of("find", "insert", "update", "listIndexes")));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.check("rights"))
        .isEqualTo("fail: missing on gilmok: createCollection, createIndex, remove");
  }

  @Test
  void whatIsDenied_isNamed_andWhatWasMadeIsStillNamed() {
    List<String> all =
        List.of(
            "find", "insert", "update", "remove", "createIndex", "createCollection", "listIndexes");
    Accepting said = accept(new Refusing(all, "dropdatabase"));
    assertThat(said.check("rights")).isEqualTo("pass: all that a server needs on gilmok");
    assertThat(said.check("a scratch database"))
        .startsWith("fail: denied: dropDatabase on gilmok_accept_");
    assertThat(said.check("cleaned up")).startsWith("pass: ");
  }
}
