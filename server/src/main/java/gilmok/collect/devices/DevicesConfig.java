package gilmok.collect.devices;

import gilmok.config.Settings;
import java.time.Duration;

/**
 * The limits for devices.
 *
 * @param devicesMax how many devices can be known: tied, with commands waiting, or only heard
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
