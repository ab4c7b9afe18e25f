package gilmok.collect;

import gilmok.collect.dialect.PhoneCommand;
import java.util.List;
import java.util.function.Predicate;

/**
 * What collecting asks and tells about the phones that send. Called on event loops, by several at
 * once: it must not block.
 */
public interface Phones {
  /** The rider that a device is of; the device itself when it is tied to none. */
  String riderOf(String device);

  /** A device has spoken in that dialect. */
  void heard(String device, String dialect);

  /**
   * Takes commands that wait for a device; they count as sent.
   *
   * @param max how many at most
   * @param canCarry whether its dialect can tell it that; what it cannot is not sent
   */
  List<PhoneCommand> take(String device, int max, Predicate<PhoneCommand> canCarry);

  /** The encoded positions of the other riders of a device's group. */
  List<byte[]> friends(String device);
}
