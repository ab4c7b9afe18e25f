package gilmok.collect;

import gilmok.collect.devices.Devices;
import gilmok.collect.dialect.PhoneCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Tells collecting what is known of phones, and where their friends are. */
public final class FleetPhones implements Phones {
  private final Devices devices;
  private final Function<String, byte @Nullable []> latest;

  /**
   * @param latest the encoded latest position of a rider
   */
  public FleetPhones(Devices devices, Function<String, byte @Nullable []> latest) {
    this.devices = devices;
    this.latest = latest;
  }

  @Override
  public String riderOf(String device) {
    return devices.riderOf(device);
  }

  @Override
  public void heard(String device, String dialect) {
    devices.heard(device, dialect);
  }

  @Override
  public List<PhoneCommand> take(String device, int max, Predicate<PhoneCommand> canCarry) {
    return devices.take(device, max, canCarry);
  }

  @Override
  public List<byte[]> friends(String device) {
    List<byte[]> positions = new ArrayList<>();
    for (String rider : devices.friends(device)) {
      byte[] position = latest.apply(rider);
      if (position != null) {
        positions.add(position);
      }
    }
    return positions;
  }
}
