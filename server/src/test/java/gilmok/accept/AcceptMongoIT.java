package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code gilmok accept --mongo-uri} against the tests' stand-in for MongoDB, or a real one. */
@Tag("engine")
@Timeout(180)
final class AcceptMongoIT {
  @Test
  void contracts_areHeld_andTheScratchDatabaseIsGone() throws Exception {
    MongoServer server = MongoServer.any();
    Accepting said =
        Accepting.of("--mongo-uri=" + server.uri(), "--set=documents.mongo-timeout=30s", "--json");
    for (String contract :
        new String[] {
          "answers",
          "a scratch database",
          "collections and indexes can be made",
          "a delivery is created once",
          "of moves at once, one happens",
          "an event is due until it was told",
          "a lease has one holder",
          "an earning counts once",
          "progress settles once",
          "a changed key is seen",
          "hot operations answer",
          "cleaned up"
        }) {
      assertThat(said.check(contract)).as(contract).startsWith("pass: ");
    }
    assertThat(said.check("a primary that steps down")).startsWith("not tried: ");
    assertThat(said.check("the shard key is used")).startsWith("not tried: ");
    assertThat(said.times("move a delivery")).isPositive();
    assertThat(server.databases()).noneMatch(name -> name.contains("_accept_"));
  }

  @Test
  void whoNeverAnswers_isSaidInTime() throws Exception {
    try (MongoWire wire = MongoWire.to(MongoServer.any())) {
      wire.hold();
      Accepting said =
          Accepting.of(
              "--mongo-uri=mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
              "--set=documents.mongo-timeout=300ms",
              "--json");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.check("answers")).startsWith("fail: MongoDB: ");
      assertThat(said.check("cleaned up")).startsWith("pass: ");
    }
  }
}
