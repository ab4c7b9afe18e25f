package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class RedisDeskTest {
  @Test
  void redisBytes_areInAndOut() {
    String info =
        "# Stats\r\ntotal_net_input_bytes:100\r\ntotal_net_output_bytes:23\r\n"
            + "total_net_repl_input_bytes:7\r\n";
    assertThat(RedisDesk.bytes(info)).isEqualTo(123);
    assertThat(RedisDesk.bytes("# Stats\r\n")).isNaN();
  }

  @Test
  void loadsOfAnExpiry_areBoundOnBothSides() {
    assertThat(ExpiryPart.loadsMin(10)).isEqualTo(9);
    assertThat(ExpiryPart.loadsMax(10)).isEqualTo(13);
  }
}
