package gilmok.collect;

import gilmok.collect.devices.Devices;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the collector knows of the phones: their devices, and the riders' latest positions. Called
 * on event loops, by several at once: it must not block.
 *
 * @param latest the encoded latest position of a rider
 * @param followup what answers uploads of formats that want more
 */
public record Phones(
    Devices devices, Function<String, byte @Nullable []> latest, UploadFollowup followup) {
  /** The encoded latest positions of the other riders in a device's group. */
  List<byte[]> friends(String device) {
    return devices.friends(device).stream().map(latest).filter(Objects::nonNull).toList();
  }
}
