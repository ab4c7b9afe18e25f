package gilmok.ops;

import gilmok.event.JsonBuffer;
import gilmok.observe.SlowRequest;
import gilmok.observe.SlowRequest.Part;
import java.util.List;

/** Writes slow requests as JSON; times in seconds. Stateless. */
final class SlowRequestsJson {
  private static final double NANOS = 1e9;

  private SlowRequestsJson() {}

  /** A route with its slowest requests, of which there is one at least. */
  static void route(List<SlowRequest> slowest, JsonBuffer out) {
    out.ascii("{\"route\":").string(slowest.getFirst().route());
    out.ascii(",\"slowest\":").list(slowest, SlowRequestsJson::request).put('}');
  }

  /** One request. */
  static void request(SlowRequest request, JsonBuffer out) {
    out.ascii("{\"at\":").number(request.at().toEpochMilli());
    out.ascii(",\"route\":").string(request.route());
    out.ascii(",\"status\":").number(request.status());
    out.ascii(",\"key\":").string(request.key());
    out.ascii(",\"seconds\":");
    Numbers.write(request.nanos() / NANOS, out);
    out.ascii(",\"bytes\":").number(request.bytes());
    out.ascii(",\"parts\":").list(request.parts(), SlowRequestsJson::part);
    out.ascii(",\"unexplainedSeconds\":");
    Numbers.write(request.unexplainedNanos() / NANOS, out);
    out.ascii(",\"isUnexplained\":").ascii(Boolean.toString(request.isUnexplained())).put('}');
  }

  private static void part(Part part, JsonBuffer out) {
    out.ascii("{\"name\":").string(part.name()).ascii(",\"seconds\":");
    Numbers.write(part.nanos() / NANOS, out);
    out.put('}');
  }
}
