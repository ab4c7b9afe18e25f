package gilmok.app;

import gilmok.Needed;
import gilmok.documents.MongoServer;
import gilmok.documents.MongoWire;
import gilmok.sinks.firehose.MotoServer;
import java.nio.file.Files;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Alerts that page, fired by documents that are away or damaged, and by sinks' destinations. */
@Tag("engine")
@Tag("soak")
@EnabledIfSystemProperty(named = "gilmok.budget", matches = "all")
final class AlertsFireStoresIT extends AlertRig {
  private static final int COMPLETED = 200;

  @Test
  void documentsAreLocked() throws Exception {
    serve("sinks.enabled=files");
    watch();
    String assigned = fleet.assigned("1");
    List<String> underway = new ArrayList<>();
    for (int i = 0; i < COMPLETED; i++) {
      underway.add(fleet.pickedUp("fee-" + i));
    }
    Thread.ofVirtual().start(fleet::load);
    settle();
    Thread.ofVirtual().start(() -> fleet.complete(underway));
    try (Connection sqlite = documents()) {
      fleet.awaitCompleted(COMPLETED / 10);
      // Somewhere between a delivery's end and its entry, so the follower of entries waits, too.
      sqlite.createStatement().execute("BEGIN IMMEDIATE");
      // This one moves a delivery, so the follower waits for the documents; the rest wait behind.
      ask("POST", "/v1/actions", HarmedFleet.pickup(assigned));
      // This one is in the audit.
      ask("POST", "/v1/sinks/files/pause", "");
      awaitPages(
          "GilmokDocumentsAway",
          "GilmokDocumentsBusy",
          "GilmokBusy",
          "GilmokLoopFails",
          "GilmokActionsLag",
          "GilmokStatementsLag",
          "GilmokAuditLag",
          "GilmokSlowFast",
          "GilmokVerySlowFast");
    }
  }

  @Test
  void deliveryIsDamaged() throws Exception {
    serve();
    watch();
    String id = fleet.created("1");
    settle();
    try (Connection sqlite = documents()) {
      sqlite.createStatement().execute("UPDATE deliveries SET document = x'7b'");
    }
    awaitPages(() -> fleet.send("GET", "/v1/deliveries/" + id, ""), "GilmokRequestsBroken");
  }

  @Test
  void mongoIsAway() throws Exception {
    MongoServer mongo = MongoServer.any();
    String database = mongo.newDatabase();
    try (MongoWire wire = MongoWire.to(mongo)) {
      serve(
          "documents.mongo-uri=mongodb://127.0.0.1:" + wire.port() + "/?directConnection=true",
          "documents.mongo-database=" + database,
          "documents.mongo-timeout=2 s");
      watch();
      settle();
      wire.cut();
      awaitPages("GilmokKeysOld", "GilmokConsentsOld", "GilmokMissionsOld", "GilmokShardsUntold");
    } finally {
      mongo.drop(database);
    }
  }

  @Test
  void sinkWasPausedForHours() throws Exception {
    Needed.program("faketime", "faketime");
    // The hours pass at once, when the next server has the time of the machine. faketime itself
    // would stay the server's parent.
    String earlier = "exec env $(faketime -f -2h env | grep -E '^(LD_PRELOAD|FAKETIME)=') \"$@\"";
    serveUnder(List.of("sh", "-c", earlier, "sh"), "sinks.enabled=files");
    watch();
    settle();
    ask("POST", "/v1/sinks/files/pause", "");
    ask("POST", "/v1/actions", HarmedFleet.actions("before"));
    serveAgain("sinks.enabled=files");
    awaitPages("GilmokSinkLagsLong");
  }

  @Test
  void destinationRefusesEverything() throws Exception {
    int proxied = Nginx.freePort();
    try (MotoServer moto = MotoServer.start()) {
      moto.createStream("alerts");
      String proxy =
          """
          server { listen 80; }
          server {
            listen 127.0.0.1:%d;
            client_max_body_size %%s;
            location / { proxy_pass %s; proxy_set_header Host $http_host; }
          }
          """
              .formatted(proxied, moto.endpoint());
      List<String> keys =
          List.of("env", "AWS_ACCESS_KEY_ID=AKIDALERTS", "AWS_SECRET_ACCESS_KEY=of-nobody");
      String before = proxy.formatted("8m");
      try (Nginx _ = Nginx.start(Files.createDirectory(folder.resolve("n1")), before)) {
        serveUnder(
            keys,
            "sinks.enabled=firehose",
            "sinks.firehose.stream=alerts",
            "sinks.firehose.region=" + MotoServer.REGION,
            "sinks.firehose.endpoint=http://127.0.0.1:" + proxied);
        watch();
        ask("POST", "/v1/actions", HarmedFleet.actions("taken"));
        settle();
      }
      // A proxy that takes no body at all: 413.
      String after = proxy.formatted("1");
      try (Nginx _ = Nginx.start(Files.createDirectory(folder.resolve("n2")), after)) {
        ask("POST", "/v1/actions", HarmedFleet.actions("refused"));
        awaitPages("GilmokSinkHeld");
      }
    }
  }
}
