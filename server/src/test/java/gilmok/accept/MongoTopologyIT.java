package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import gilmok.observe.Meters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What is said while a primary is away, and of secondaries. There is one server alone here: its
 * wire is cut in place of a step-down, and it answers as its own secondary.
 */
@Tag("engine")
@Timeout(120)
final class MongoTopologyIT {
  private final Meters meters = new Meters();
  private MongoServer server;
  private String database;
  private MongoWire wire;
  private MongoDocuments documents;
  private MongoTopology topology;
  private final Findings findings = new Findings("mongodb");

  @BeforeEach
  void open() throws Exception {
    server = MongoServer.any();
    database = server.newDatabase();
    wire = MongoWire.to(server);
    String uri = "mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true";
    documents =
        new MongoDocuments(
            server.config(
                database, Map.of("documents.mongo-uri", uri, "documents.mongo-timeout", "1 s")),
            meters);
    topology = new MongoTopology(documents, "replica set rs0", List.of("a:1", "b:1"));
  }

  @AfterEach
  void close() throws Exception {
    if (documents != null) {
      documents.close();
      wire.close();
      server.drop(database);
    }
    meters.close();
  }

  @Test
  void primaryAway_forAMoment_whatWasAcknowledgedIsThere_andTheGapIsSaid() throws Exception {
    String said =
        topology.writes(
            findings,
            () -> {
              wire.cut();
              Thread.ofVirtual().start(this::mendLater);
              return "";
            },
            300,
            4_000);
    assertThat(said).containsPattern("^[1-9]\\d* writes acknowledged, 0 missing; ");
    assertThat(findings.figures())
        .extracting(Findings.Figure::operation)
        .containsExactly("longest time without a write, by a step-down");
  }

  private void mendLater() {
    LockSupport.parkNanos(500_000_000);
    wire.mend();
  }

  @Test
  void whoDoesNotStepDown_isSaid() {
    assertThatThrownBy(() -> topology.stepDown(findings))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("it does not step down: ");
  }

  @Test
  void secondaries_eachWriteIsWaitedFor() throws Exception {
    assertThat(topology.stale(findings)).startsWith("20 writes were shown by secondaries");
    assertThat(findings.figures().getFirst().times()).isEqualTo(20);
  }
}
