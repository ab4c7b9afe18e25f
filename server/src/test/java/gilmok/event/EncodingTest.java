package gilmok.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class EncodingTest {
  /** Logs contain these bytes: this version and every later one must write and read them so. */
  @Test
  void write_position_isTheseBytes() {
    Event event = Samples.position("rider-000001", 1_224_730_384_000L, 39.984702, 116.318417);
    assertThat(event.number(EventField.ACCURACY, 45, 1)).isNull();
    assertThat(event.number(EventField.ALTITUDE, 150, 0)).isNull();
    assertThat(event.number(EventField.BATTERY, 0.1 + 0.2)).isNull();
    Samples.text(event, EventField.PROVIDER, "gps");
    byte[] bytes = Samples.encoded(event);
    assertThat(HexFormat.of().formatHex(bytes))
        .isEqualTo(
            "11"
                + "9c03"
                + "0c72696465722d303030303031"
                + "80969e271d010000"
                + "6c2ed517"
                + "2ac85445"
                + "115a"
                + "202c01"
                + "80343333333333d33f"
                + "03677073");
    assertThat(Samples.json(bytes))
        .isEqualTo(
            "{\"riderId\":\"rider-000001\",\"at\":\"2008-10-23T02:53:04Z\",\"lat\":39.984702,"
                + "\"lon\":116.318417,\"accuracy\":4.5,\"altitude\":150,"
                + "\"battery\":0.30000000000000004,\"provider\":\"gps\"}");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        1e-300,
        Double.MIN_VALUE,
        37.78583400000001,
        0.1,
        1e-7,
        1e-8,
        89.99999999,
        90,
        -90,
        45.12345678901234,
        -0.0000001
      })
  void write_angle_comesBackAsTheSameDouble(double value) {
    EventView view = view(Samples.position("r", 0, value, -value));
    assertThat(Double.doubleToRawLongBits(view.lat())).isEqualTo(Double.doubleToRawLongBits(value));
    assertThat(Double.doubleToRawLongBits(view.lon()))
        .isEqualTo(Double.doubleToRawLongBits(-value));
  }

  @Test
  void write_randomNumbers_comeBackAsTheSameDoubles() {
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      double digits = Math.rint(random.nextDouble() * Math.pow(10, random.nextInt(18)));
      double value =
          Math.min(
              1e9,
              Math.abs(
                  digits / Math.pow(10, random.nextInt(20))
                      + random.nextInt(2) * Math.ulp(digits)));
      Event event = Samples.position("r", 0, 1, 1);
      event.number(EventField.SPEED, value);
      if (view(event).number(EventField.SPEED) != value) {
        assertThat(view(event).number(EventField.SPEED)).isEqualTo(value);
      }
    }
  }

  @Test
  void isAheadOf_onlyBeyondTenMinutes() {
    EventView view = view(Samples.position("r", 1_000_000, 1, 1));
    assertThat(view.isAheadOf(1_000_000 - 600_000)).isFalse();
    assertThat(view.isAheadOf(1_000_000 - 600_001)).isTrue();
  }

  @Test
  void wrap_otherVersion_isNamed() {
    byte[] bytes = Samples.encoded(Samples.position("r", 0, 1, 1));
    bytes[0] = 0x21;
    assertThatThrownBy(() -> new EventView().wrap(bytes, 0, bytes.length))
        .isInstanceOf(DamagedEvent.class)
        .hasMessage("a record of version 2, kind 1; this build reads version 1, kinds 1 to 6");
  }

  @Test
  void wrap_everyCutAndExtension_isDamage() {
    Event event = Samples.position("r", 0, 1, 0.123456789012345);
    event.number(EventField.SPEED, 1, 0);
    Samples.text(event, EventField.ID, "id");
    byte[] bytes = Samples.encoded(event);
    for (int length = 0; length < bytes.length; length++) {
      int cut = length;
      assertThatThrownBy(() -> new EventView().wrap(bytes, 0, cut))
          .isInstanceOf(DamagedEvent.class);
    }
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> new EventView().wrap(longer, 0, longer.length))
        .isInstanceOf(DamagedEvent.class);
  }

  @Test
  void wrap_randomDamage_isDamageOrReadable() {
    Event event = Samples.position("rider", 0, 1, 1);
    event.number(EventField.SPEED, 1, 0);
    event.number(EventField.ALTITUDE, 0.1 + 0.2);
    Samples.text(event, EventField.ID, "id");
    byte[] whole = Samples.encoded(event);
    Random random = new Random(3);
    EventView view = new EventView();
    JsonBuffer json = new JsonBuffer();
    int readable = 0;
    int damaged = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = whole.clone();
      for (int n = random.nextInt(3); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        view.wrap(bytes, 0, bytes.length);
        json.clear();
        view.writeJson(json);
        readable++;
      } catch (DamagedEvent e) {
        damaged++;
      }
    }
    assertThat(readable).isGreaterThan(1_000);
    assertThat(damaged).isGreaterThan(1_000);
  }

  private static EventView view(Event event) {
    byte[] bytes = Samples.encoded(event);
    return new EventView().wrap(bytes, 0, bytes.length);
  }
}
