package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * The place of a pickup or drop-off. Immutable.
 *
 * @param lat degrees, -90 to 90
 * @param lon degrees, -180 to 180
 * @param address for people
 * @param phone the number to call there; null when not given
 */
public record DeliveryPlace(double lat, double lon, String address, @Nullable String phone) {}
