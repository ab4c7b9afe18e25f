package gilmok.lab.fleet;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/** The request formats of the phone apps: each turns fixes into a request. */
enum AppDialect {
  /** The API's own format. */
  TRACES("traces", 500) {
    @Override
    Message message(Phone phone, List<Fix> fixes, String key) {
      StringBuilder json = new StringBuilder(280 * fixes.size());
      char before = '[';
      for (Fix fix : fixes) {
        json.append(before);
        trace(json, phone, fix);
        before = ',';
      }
      json.append(']');
      return post("/v1/traces", JSON, "X-Api-Key", key, json);
    }
  },

  /** OsmAnd's trip recording: all values in the query, the speed in knots. */
  OSMAND("osmand", 1) {
    @Override
    Message message(Phone phone, List<Fix> fixes, String key) {
      StringBuilder path = new StringBuilder(200).append("/osmand?");
      parameters(path, phone, fixes.getFirst(), 1000);
      return new Message("GET", path.toString(), "", "X-Api-Key", key, "");
    }
  },

  /** Traccar Client: the same names in a form. */
  TRACCAR("traccar", 1) {
    @Override
    Message message(Phone phone, List<Fix> fixes, String key) {
      StringBuilder form = new StringBuilder(200);
      parameters(form, phone, fixes.getFirst(), 1);
      return post("/", "application/x-www-form-urlencoded", "X-Api-Key", key, form);
    }
  },

  /** Overland: GeoJSON, with all gathered fixes in one body. */
  OVERLAND("overland", 200) {
    @Override
    Message message(Phone phone, List<Fix> fixes, String key) {
      StringBuilder json = new StringBuilder(340 * fixes.size()).append("{\"locations\":[");
      char before = ' ';
      for (Fix fix : fixes) {
        json.append(before);
        feature(json, phone, fix);
        before = ',';
      }
      json.append("]}");
      return post("/overland", JSON, "Authorization", "Bearer " + key, json);
    }
  },

  /**
   * OwnTracks over HTTP: one position in each request, the speed in km/h, the key as the password.
   */
  OWNTRACKS("owntracks", 1) {
    @Override
    Message message(Phone phone, List<Fix> fixes, String key) {
      Fix fix = fixes.getFirst();
      StringBuilder json = new StringBuilder(200).append("{\"_type\":\"location\",\"lat\":");
      Digits.append(json, fix.lat(), 7).append(",\"lon\":");
      Digits.append(json, fix.lon(), 7).append(",\"tst\":").append(fix.at() / 1000);
      Digits.append(json.append(",\"acc\":"), fix.accuracy(), 0);
      Digits.append(json.append(",\"alt\":"), fix.altitude(), 0);
      Digits.append(json.append(",\"vel\":"), fix.speed() * 3.6, 0);
      if (fix.isMoving()) {
        Digits.append(json.append(",\"cog\":"), fix.bearing(), 0);
      }
      if (fix.delivery() > 0) {
        json.append(",\"deliveryId\":\"").append(delivery(phone, fix)).append('"');
      }
      Digits.append(json.append(",\"batt\":"), 100 * fix.battery(), 0);
      json.append(",\"bs\":1,\"t\":\"t\",\"conn\":\"m\",\"tid\":\"");
      json.append(phone.riderId(), phone.riderId().length() - 2, phone.riderId().length());
      json.append("\"}");
      String user = "rider:" + key;
      String basic = Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
      String device = phone.riderId().substring("rider-".length());
      return post("/pub?u=rider&d=" + device, JSON, "Authorization", "Basic " + basic, json);
    }
  };

  private static final String JSON = "application/json";
  private static final double KNOTS = 1.943844;

  private final String label;
  private final int fixesMax;

  AppDialect(String label, int fixesMax) {
    this.label = label;
    this.fixesMax = fixesMax;
  }

  /** Its name on the command line. */
  String label() {
    return label;
  }

  /** The most fixes in one request. */
  int fixesMax() {
    return fixesMax;
  }

  /**
   * Makes a request.
   *
   * @param fixes at least one, the oldest first
   */
  abstract Message message(Phone phone, List<Fix> fixes, String key);

  private static Message post(
      String path, String type, String header, String credential, StringBuilder body) {
    return new Message("POST", path, type, header, credential, body.toString());
  }

  private static void trace(StringBuilder json, Phone phone, Fix fix) {
    json.append("{\"riderId\":\"").append(phone.riderId()).append("\",\"at\":").append(fix.at());
    Digits.append(json.append(",\"lat\":"), fix.lat(), 7);
    Digits.append(json.append(",\"lon\":"), fix.lon(), 7);
    Digits.append(json.append(",\"accuracy\":"), fix.accuracy(), 1);
    Digits.append(json.append(",\"speed\":"), fix.speed(), 2);
    if (fix.isMoving()) {
      Digits.append(json.append(",\"bearing\":"), fix.bearing(), 0);
    }
    Digits.append(json.append(",\"altitude\":"), fix.altitude(), 1);
    Digits.append(json.append(",\"battery\":"), fix.battery(), 2);
    json.append(",\"provider\":\"gps\"");
    if (fix.delivery() > 0) {
      json.append(",\"deliveryId\":\"").append(delivery(phone, fix)).append('"');
    }
    json.append(",\"attributes\":{\"vehicle\":\"").append(vehicle(phone)).append("\"}}");
  }

  private static void parameters(StringBuilder out, Phone phone, Fix fix, int perSecond) {
    out.append("id=").append(phone.riderId());
    out.append("&timestamp=").append(fix.at() * perSecond / 1000);
    Digits.append(out.append("&lat="), fix.lat(), 7);
    Digits.append(out.append("&lon="), fix.lon(), 7);
    Digits.append(out.append("&accuracy="), fix.accuracy(), 1);
    Digits.append(out.append("&speed="), fix.speed() * KNOTS, 2);
    if (fix.isMoving()) {
      Digits.append(out.append("&bearing="), fix.bearing(), 0);
    }
    Digits.append(out.append("&altitude="), fix.altitude(), 1);
    Digits.append(out.append("&batt="), 100 * fix.battery(), 0);
    out.append("&vehicle=").append(vehicle(phone));
    if (fix.delivery() > 0) {
      out.append("&deliveryId=").append(delivery(phone, fix));
    }
  }

  private static void feature(StringBuilder json, Phone phone, Fix fix) {
    json.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[");
    Digits.append(json, fix.lon(), 7).append(',');
    Digits.append(json, fix.lat(), 7).append("]},\"properties\":{\"timestamp\":\"");
    json.append(Instant.ofEpochMilli(fix.at()));
    Digits.append(json.append("\",\"altitude\":"), fix.altitude(), 0);
    Digits.append(json.append(",\"speed\":"), fix.speed(), 2);
    Digits.append(json.append(",\"course\":"), fix.isMoving() ? fix.bearing() : -1, 0);
    Digits.append(json.append(",\"horizontal_accuracy\":"), fix.accuracy(), 0);
    Digits.append(json.append(",\"battery_level\":"), fix.battery(), 2);
    json.append(",\"battery_state\":\"unplugged\",\"wifi\":\"\",\"motion\":[");
    json.append(fix.isMoving() ? "\"driving\"" : "\"stationary\"");
    json.append(']');
    if (fix.delivery() > 0) {
      json.append(",\"deliveryId\":\"").append(delivery(phone, fix)).append('"');
    }
    json.append(",\"device_id\":\"").append(phone.riderId()).append("\"}}");
  }

  private static String delivery(Phone phone, Fix fix) {
    return phone.riderId() + "-" + fix.delivery();
  }

  private static String vehicle(Phone phone) {
    return phone.rider().vehicle().label();
  }
}
