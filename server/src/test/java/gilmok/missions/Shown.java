package gilmok.missions;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Helpers to make missions and to read them as a rider does. */
final class Shown {
  private Shown() {}

  /** The value, which must not be null. */
  static <T> T there(@Nullable T value) {
    if (value == null) {
      throw new AssertionError("nothing is there");
    }
    return value;
  }

  /** A mission as it was put. */
  static Mission mission(String id, String json) {
    return there(MissionBody.kept(new MissionStore.Kept(id, json)));
  }

  static String text(RenderedMissions rendered) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    rendered.body().identity().forEach(out::writeBytes);
    return out.toString(StandardCharsets.UTF_8);
  }
}
