package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import gilmok.cli.Commands;
import gilmok.doctor.DoctorCommand;
import gilmok.documents.MongoServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok doctor} against a MongoDB. */
@Tag("engine")
final class DoctorMongoIT {
  @TempDir Path folder;

  @Test
  void looksAtIndexesAndPlans() throws Exception {
    MongoServer mongo = MongoServer.any();
    String database = mongo.newDatabase();
    try {
      String[] settings = {
        "documents.mongo-uri=" + mongo.uri(), "documents.mongo-database=" + database
      };
      try (RunningServer server = RunningServer.start(folder.resolve("data"), settings)) {
        assertThat(server.uri("")).isNotNull();
        String said = doctor(settings);
        assertThat(said)
            .startsWith("%d%nMACHINE".formatted(said.contains("SCANS") ? 1 : 0))
            .containsPattern("\nMONGODB +FOUND +VERDICT\nconnections +.*1 node may open 67")
            .containsPattern(
                "\n"
                    + "clock +(0\\.\\d s (ahead of|behind) this machine's +well|it does not say"
                    + " +unknown)")
            .containsPattern("deliveries: list by shop +.*index shop.* good")
            .containsPattern("outbox: due for LOG +.*index due_log +good")
            .containsPattern("devices: changed +.*index changed +good")
            .containsPattern("keys: all +COLLSCAN +reads all, as meant")
            .doesNotContain("is not there");
        // MongoDB uses an index for a range of _id, and one of two that fit a query in part. The
        // stand-in for it scans.
        assertThat(said.lines().filter(line -> line.endsWith("SCANS")))
            .allMatch(
                line ->
                    line.matches(
                        "(deliveries: list by time|audit: a page|webhooks: pending"
                            + "|deliveries: all, by id|entries: all, by id"
                            + "|missions: all progress|profiles: all|devices: all, by id"
                            + "|devices: claim|consents: all, by id|register: a page|erasures?: ).*"));
      }
      MongoCollection<Document> deliveries = mongo.database(database).getCollection("deliveries");
      deliveries.dropIndex("due_log");
      assertThat(doctor(settings))
          .startsWith("1\nMACHINE")
          .containsPattern("outbox: due for LOG +COLLSCAN.* SCANS")
          .contains("MongoDB: the index due_log of deliveries is not there");
    } finally {
      mongo.drop(database);
    }
  }

  @Test
  void whoDoesNotAnswer_isSaid() {
    assertThat(
            doctor(
                "documents.mongo-uri=mongodb://127.0.0.1:1/?directConnection=true",
                "documents.mongo-timeout=200ms"))
        .startsWith("1\n")
        .contains("gilmok: MongoDB: ", "; start it, or correct documents.mongo-uri");
  }

  private static String doctor(String... settings) {
    String[] arguments = new String[1 + 2 * settings.length];
    arguments[0] = "doctor";
    for (int i = 0; i < settings.length; i++) {
      arguments[1 + 2 * i] = "--set";
      arguments[2 + 2 * i] = settings[i];
    }
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said, true);
    return Commands.run(out, out, arguments, new DoctorCommand()) + "\n" + said;
  }
}
