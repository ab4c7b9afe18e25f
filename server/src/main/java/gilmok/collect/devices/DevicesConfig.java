package gilmok.collect.devices;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * Bounds of what is known of phones.
 *
 * @param devicesMax how many devices can be tied or have commands waiting, and how many are
 *     remembered by what they speak
 * @param commandsMax how many commands can wait for one device
 * @param commandKeep how long a command waits for its phone
 */
public record DevicesConfig(int devicesMax, int commandsMax, Duration commandKeep) {
  /** Reads the keys {@code devices.*}. */
  public static DevicesConfig from(Settings settings) {
    return new DevicesConfig(
        settings.number("devices.max", 100_000, 1, 1_000_000),
        settings.number("devices.commands-max", 16, 1, 100),
        settings.duration(
            "devices.command-keep", "7 d", Duration.ofMinutes(1), Duration.ofDays(365)));
  }
}
