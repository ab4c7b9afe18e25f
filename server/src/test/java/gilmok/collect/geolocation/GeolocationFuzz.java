package gilmok.collect.geolocation;

import gilmok.collect.dialect.JsonUploads;
import gilmok.collect.dialect.RecordedCounts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any bytes must end in events or rejects. */
@Tag("unit")
@Tag("soak")
class GeolocationFuzz {
  @Test
  void decode_randomUploads_endsInEventsOrRejects() {
    List<String> bodies = new ArrayList<>(RecordedCounts.bodies("geolocation"));
    bodies.addAll(RecordedCounts.bodies("traccar9"));
    JsonUploads.run(new Geolocation(), bodies);
  }
}
