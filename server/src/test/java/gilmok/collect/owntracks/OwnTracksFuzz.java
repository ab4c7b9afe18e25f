package gilmok.collect.owntracks;

import gilmok.collect.dialect.JsonUploads;
import gilmok.collect.dialect.RecordedCounts;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any bytes must end in events or rejects. */
@Tag("unit")
@Tag("soak")
class OwnTracksFuzz {
  @Test
  void decode_randomUploads_endsInEventsOrRejects() {
    JsonUploads.run(new OwnTracks(), RecordedCounts.bodies("owntracks"));
  }
}
