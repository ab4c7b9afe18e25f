package gilmok.baseline;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;

/** The same for Micronaut's serialisation, whose code is generated while this compiles. */
@Serdeable
public record SerdeEntry(
    @JsonProperty("_id") String id,
    String riderId,
    long at,
    Kind kind,
    long amount,
    String currency,
    String deliveryId,
    Long distance) {}
