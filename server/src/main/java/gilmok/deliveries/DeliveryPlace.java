package gilmok.deliveries;

import org.jspecify.annotations.Nullable;

/**
 * Where something is picked up or dropped off.
 *
 * @param lat degrees, -90 to 90
 * @param lon degrees, -180 to 180
 * @param address for people
 * @param phone whom to call there; null when nobody said
 */
public record DeliveryPlace(double lat, double lon, String address, @Nullable String phone) {}
