package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rider's id can be any text: that of a shop, a word of ours, the beginning of another's id. */
@Tag("unit")
final class RiderErasureTest {
  private static RiderErasure of(String id, String... phones) {
    return new RiderErasure(new RiderAlias(id, "p-x", List.of(phones)));
  }

  @Test
  void inAnEvent_whatIsNoRider_staysWhateverItIsCalled() {
    for (String id : List.of("1007", "rider", "COMPLETED", "delivery.picked_up", "by", "event")) {
      String json =
          """
          {"id":"%1$s","type":"%1$s","data":{"orderId":"%1$s","shopId":"%1$s","agencyId":"%1$s",\
          "customerId":"%1$s","status":"%1$s","pickup":{"address":"%1$s"},"riderId":"r-8"},\
          "event":{"type":"%1$s","by":"rider:r-8","lat":1.5,"riderId":"r-8","source":"%1$s"}}"""
              .formatted(id);
      assertThat(of(id).renamed(json)).isSameAs(json);
      assertThat(of(id).renamed(json.replace("r-8", id)))
          .isEqualTo(json.replace("r-8", "p-x").replace(",\"lat\":1.5", ""));
    }
  }

  @Test
  void inTheAudit_aTargetIsTheRider_onlyOfWhatIsDoneToRiders() {
    String entry = "{\"keyName\":\"r\",\"action\":\"%s\",\"target\":\"1007\",\"after\":%s}";
    String partner = entry.formatted("partner.changed", "{\"id\":\"1007\",\"action\":\"rider.x\"}");
    assertThat(of("1007").renamed(partner)).isSameAs(partner);
    String consent = entry.formatted("consent.changed", "{\"state\":\"granted\"}");
    assertThat(of("1007").renamed(consent)).isEqualTo(consent.replace("1007", "p-x"));
    String device = entry.formatted("device.tied", "{\"riderId\":\"r-7\",\"groups\":[\"g\"]}");
    assertThat(of("r-7", "1007").renamed(device))
        .isEqualTo(device.replace("1007", "p-x").replace("r-7", "p-x"));
    String key = entry.formatted("key.created", "{\"name\":\"of r-70: r-700\",\"rider\":\"r-70\"}");
    assertThat(of("r-70").renamed(key))
        .isEqualTo(key.replace("\"r-70\"", "\"p-x\"").replace("of r-70", "of p-x"));
  }

  @Test
  void whatNobodyCouldUse_isTheirs_byWhoSentIt() {
    for (String sent :
        List.of(
            "{\"riderId\":\"r-7\",\"lat\":97}",
            "{\"user_id\" : \"r-7\"",
            "{\"driver\":7}",
            "id=r-7&lat=97",
            "deviceid=r%2D7",
            "{\"tid\":\"ph\"}")) {
      assertThat(of("r-7", "ph", "7").isAbout(sent)).as(sent).isTrue();
      assertThat(of("r", "p", "70").isAbout(sent)).as(sent).isFalse();
    }
    String others = "{\"riderId\":\"r-70\",\"lat\":97,\"note\":\"r-7\",\"mode\":\"7\"}";
    assertThat(of("r-7", "7").isAbout(others)).isFalse();
    assertThat(of("lat", "note").isAbout(others)).isFalse();
    assertThat(of("rider \"7\"").isAbout("{\"kurier\":\"rider \\\"7\\\"\"}"))
        .as("an id of some length, wherever it is")
        .isTrue();
  }
}
