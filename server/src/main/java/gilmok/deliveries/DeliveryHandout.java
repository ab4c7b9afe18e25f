package gilmok.deliveries;

import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import java.io.IOException;
import java.util.List;

/** The deliveries that a rider has, with all their events. Thread-safe; blocks. */
public record DeliveryHandout(DeliveryStore store) {
  private static final int PAGE = 500;

  /** Gives them, the newest first. */
  public void write(String riderId, JsonLines out) throws IOException, InterruptedException {
    DeliveryStore.Filter theirs = new DeliveryStore.Filter(null, riderId, null, null, null, null);
    JsonBuffer json = new JsonBuffer();
    String before = null;
    List<Delivery> page = store.list(theirs, before, PAGE);
    while (!page.isEmpty()) {
      for (Delivery one : page) {
        json.clear();
        DeliveryJson.whole(one, json);
        out.line(json);
        before = one.id();
      }
      page = store.list(theirs, before, PAGE);
    }
  }
}
