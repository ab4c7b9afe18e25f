package gilmok.deliveries.relay;

import gilmok.background.BackgroundLoops;
import gilmok.config.Settings;
import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.RecentDeliveries;
import gilmok.deliveries.SqliteDeliveries;
import gilmok.deliveries.SqliteOutbox;
import gilmok.deliveries.SqlitePartners;
import gilmok.deliveries.Step;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.documents.SqliteConfig;
import gilmok.documents.SqliteDatabase;
import gilmok.observe.Meters;
import gilmok.trace.Tracer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Deliveries in a real database, relays over them, and partners over real HTTP. */
final class SqliteFleet implements AutoCloseable {
  final PartnerServer server = new PartnerServer();
  final SqliteDatabase database;
  final SqliteDeliveries deliveries;
  final SqliteOutbox outbox;
  final SqlitePartners partners;
  final Orders orders = new Orders(3);
  final InstantSource clock = InstantSource.system();
  private final Meters meters = new Meters();
  private final List<Running> relays = new ArrayList<>();

  /** A relay and its own meters. */
  record Running(Relay relay, Meters meters) {
    double metric(String line) {
      return new String(meters.scrape(), StandardCharsets.UTF_8)
          .lines()
          .filter(one -> one.startsWith(line + " "))
          .mapToDouble(one -> Double.parseDouble(one.substring(one.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  SqliteFleet(Path folder) throws Exception {
    database = SqliteDatabase.open(folder, SqliteConfig.DEFAULTS, meters);
    UnreadableDeliveries unreadable = new UnreadableDeliveries(meters, clock);
    RecentDeliveries recent = new RecentDeliveries();
    deliveries = new SqliteDeliveries(database, clock, unreadable, recent);
    outbox = new SqliteOutbox(database, clock, unreadable, recent);
    partners = new SqlitePartners(database);
  }

  /** Settings with pauses so short that a test waits only seconds. */
  static Map<String, String> quick() {
    Map<String, String> settings = new HashMap<>();
    settings.put("relay.private-networks", "127.0.0.0/8");
    settings.put("relay.retry-min", "5 ms");
    settings.put("relay.retry-max", "40 ms");
    settings.put("relay.poll-interval", "20 ms");
    return settings;
  }

  Running start(String node, boolean isShared, Map<String, String> settings) throws Exception {
    Meters own = new Meters();
    RelayConfig config = RelayConfig.from(new Settings(settings));
    Relay relay =
        new Relay(
            new RelayContext(
                () -> config,
                outbox,
                partners,
                node,
                isShared,
                own,
                Tracer.NONE,
                clock,
                new Random(1)),
            (_, _) -> true,
            BackgroundLoops.unwatched());
    relay.start();
    Running running = new Running(relay, own);
    relays.add(running);
    return running;
  }

  void stop(Running running, Duration patience) throws InterruptedException {
    relays.remove(running);
    running.relay().drain(patience);
    running.meters().close();
  }

  void shop(String id) throws Exception {
    partners.put(Orders.shop(id, server.url("/" + id)));
  }

  /** Makes the stored shop unreadable. */
  void damageShop(String id) throws Exception {
    database.write(
        session -> {
          PreparedStatement damage =
              session.prepare("UPDATE partners SET events = x'00ff7b' WHERE id = ?");
          damage.setString(1, id);
          return damage.executeUpdate();
        });
  }

  Delivery create(String shop, @Nullable String agency) throws Exception {
    Delivery first = orders.delivery(shop, agency, clock.millis());
    deliveries.create(List.of(new DeliveryStore.Wish(first, null)));
    hint(first);
    return first;
  }

  /** Takes a delivery of that shop through all its steps. */
  Delivery whole(String shop) throws Exception {
    Delivery delivery = create(shop, "a1");
    for (Step step : Orders.WAY) {
      delivery = Orders.moved(deliveries, delivery, step, clock.millis());
      hint(delivery);
    }
    return delivery;
  }

  private void hint(Delivery delivery) {
    relays.forEach(running -> running.relay().changed(delivery));
  }

  @Override
  public void close() throws IOException {
    try {
      for (Running running : List.copyOf(relays)) {
        stop(running, Duration.ZERO);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    server.close();
    database.close();
    meters.close();
  }
}
