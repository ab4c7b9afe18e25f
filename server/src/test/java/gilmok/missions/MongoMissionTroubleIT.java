package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoOutage;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import gilmok.missions.MissionStore.Due;
import gilmok.missions.MissionStore.Progress;
import gilmok.observe.Meters;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Missions in a MongoDB that becomes unreachable and returns. */
@Tag("engine")
final class MongoMissionTroubleIT {
  private static final List<Due> DUE = List.of(new Due("a", 1), new Due("b", 1));

  @Test
  void databaseThatIsGone_isAnOutage_andTheSameAgainMendsIt() throws Exception {
    MongoServer server = MongoServer.any();
    String database = server.newDatabase();
    try (MongoWire wire = MongoWire.to(server);
        Meters meters = new Meters();
        MongoDocuments documents =
            new MongoDocuments(
                server.config(
                    database,
                    Map.of(
                        "documents.mongo-uri",
                        "mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
                        "documents.mongo-timeout",
                        "2 s")),
                meters)) {
      MissionStore store = new MongoMissions(documents);
      store.putProgress("r", "a", "{}");
      store.putProgress("r", "b", "{}");
      wire.cut();
      assertThatThrownBy(() -> store.settle("r", DUE, 5)).isInstanceOf(MongoOutage.class);
      assertThatThrownBy(() -> store.putProgress("r", "c", "{}")).isInstanceOf(MongoOutage.class);
      wire.mend();
      againUntilItAnswers(store);
      assertThat(store.progress("r", List.of("a", "b", "c")))
          .containsExactlyInAnyOrder(new Progress("a", "{}", 1, 5), new Progress("b", "{}", 1, 5));
    } finally {
      server.drop(database);
    }
  }

  private static void againUntilItAnswers(MissionStore store) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (true) {
      try {
        store.settle("r", DUE, 5);
        return;
      } catch (MongoOutage away) {
        if (System.nanoTime() > end) {
          throw away;
        }
      }
    }
  }
}
