package gilmok.tee;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.http.SentRequest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TeeRoomTest {
  private static SentRequest sent(int bytes) {
    return new SentRequest("POST", "/", List.of(), new byte[bytes], "connection");
  }

  @Test
  void enter_isBoundedInNumber() {
    TeeRoom room = new TeeRoom(1 << 20, 2);
    assertThat(room.enter(sent(1))).isTrue();
    assertThat(room.enter(sent(1))).isTrue();
    assertThat(room.enter(sent(1))).isFalse();
    room.leave(sent(1));
    assertThat(room.enter(sent(1))).isTrue();
    assertThat(room.requests()).isEqualTo(2);
  }

  @Test
  void enter_isBoundedInBytes() {
    SentRequest half = sent(1_000);
    TeeRoom room = new TeeRoom(2L * half.bytes(), Integer.MAX_VALUE);
    assertThat(room.enter(half)).isTrue();
    assertThat(room.enter(sent(1_001))).isFalse();
    assertThat(room.enter(half)).isTrue();
    assertThat(room.enter(sent(0))).isFalse();
    assertThat(room.bytes()).isEqualTo(2L * half.bytes());
    room.leave(half);
    room.leave(half);
    assertThat(room.bytes()).isZero();
  }
}
