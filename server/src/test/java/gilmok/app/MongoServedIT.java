package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A whole server with its deliveries in MongoDB. */
@Tag("engine")
final class MongoServedIT extends DeliveryRig {
  @RegisterExtension static final TestDatabase DATABASE = new TestDatabase();

  @Override
  String[] settings() {
    return DATABASE.settings();
  }

  @Test
  void aDelivery_fromOrderToDoor_isInMongoAndNotInTheFolder() throws Exception {
    String id = assigned("1");
    assertThat(step(id, "complete", "").status()).isEqualTo(409);
    act("r-1", id, "pickup", "");
    awaitActions();
    assertThat(step(id, "complete", "").at("/status")).isEqualTo("COMPLETED");
    assertThat(events(id))
        .containsExactly("created/1", "accepted/2", "assigned/3", "picked_up/4", "completed/5");
    assertThat(call("POST", "/v1/deliveries", order("1")).status()).isEqualTo(409);
    assertThat(
            DATABASE
                .server()
                .database(DATABASE.name())
                .getCollection("deliveries")
                .countDocuments())
        .isEqualTo(1);
    assertThat(data.resolve("documents.db")).doesNotExist();

    restart();
    assertThat(delivery(id).path("version").asInt()).isEqualTo(5);
    assertThat(server.metric("gilmok_documents_mongo_connections_max")).isEqualTo(64);
  }
}
