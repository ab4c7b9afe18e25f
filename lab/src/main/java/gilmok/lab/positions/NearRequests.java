package gilmok.lab.positions;

import gilmok.lab.Servers;
import gilmok.lab.load.Requests;
import gilmok.lab.load.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The requests of the comparison, to this server and to Redis. Stateless. */
final class NearRequests {
  private NearRequests() {}

  /** A search for nearby riders, to this server. */
  static byte[] near(Crowd crowd) {
    Crowd.Place place = crowd.place();
    return Requests.get("/v1/riders?near=" + place.lat() + "," + place.lon(), Servers.KEY);
  }

  /** Positions, to this server. */
  static byte[] trace(Crowd crowd, int positions) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < positions; i++) {
      body.append(crowd.json()).append('\n');
    }
    String type = "Content-Type: application/x-ndjson";
    return Requests.send("POST", "/v1/traces", Servers.KEY, body.toString(), type);
  }

  /** A search for nearby riders, to Redis. */
  static byte[] search(Crowd crowd) {
    Crowd.Place place = crowd.place();
    List<String> words = new ArrayList<>(List.of("GEOSEARCH", "riders", "FROMLONLAT"));
    words.add(Double.toString(place.lon()));
    words.add(Double.toString(place.lat()));
    words.addAll(List.of("BYRADIUS", "2", "km", "ASC", "COUNT", "10", "WITHDIST"));
    return command(words);
  }

  /** Positions, to Redis. */
  static byte[] add(Crowd crowd, int positions) {
    List<String> words = new ArrayList<>(List.of("GEOADD", "riders"));
    for (int i = 0; i < positions; i++) {
      Crowd.Place place = crowd.place();
      words.add(Double.toString(place.lon()));
      words.add(Double.toString(place.lat()));
      words.add(String.format(Locale.ROOT, "rider-%06d", crowd.rider()));
    }
    return command(words);
  }

  private static byte[] command(List<String> words) {
    StringBuilder text = new StringBuilder("*" + words.size() + "\r\n");
    for (String word : words) {
      text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    return Response.ascii(text.toString());
  }
}
