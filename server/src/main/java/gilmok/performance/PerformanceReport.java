package gilmok.performance;

import gilmok.event.CsvCell;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Performance as an answer: of one rider by days, of several by riders. Pure functions.
 *
 * @param days by rider, for each day in order
 */
record PerformanceReport(PerformanceQuestion question, List<Map<String, Indicators>> days) {
  /** As JSON. */
  byte[] json() {
    String rider = question.whose().riderId();
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"from\":\"").ascii(question.from().toString());
    out.ascii("\",\"to\":\"").ascii(question.to().toString()).put('"');
    if (rider != null) {
      out.ascii(",\"riderId\":").string(rider);
      out.ascii(",\"days\":")
          .list(
              new ArrayList<>(byDate(rider).entrySet()),
              (one, json) -> {
                json.ascii("{\"date\":\"").ascii(one.getKey()).put('"');
                one.getValue().writeMembers(json);
                json.put('}');
              });
    } else {
      out.ascii(",\"items\":")
          .list(
              new ArrayList<>(byRider().entrySet()),
              (one, json) -> {
                json.ascii("{\"riderId\":").string(one.getKey());
                one.getValue().writeMembers(json);
                json.put('}');
              });
    }
    Indicators total = new Indicators();
    days.forEach(day -> day.values().forEach(total::add));
    JsonBuffer members = new JsonBuffer();
    total.writeMembers(members);
    out.ascii(",\"total\":{").raw(members.bytes(), 1, members.size() - 1);
    return out.ascii("}}").copy();
  }

  /** As CSV (RFC 4180): a row for each rider and day. */
  byte[] csv() {
    StringBuilder rows = new StringBuilder("date,riderId").append(Indicators.csvHead());
    rows.append("\r\n");
    for (int day = 0; day < days.size(); day++) {
      String date = question.from().plusDays(day).toString();
      days.get(day)
          .forEach(
              (rider, indicators) -> {
                if (!indicators.isEmpty()) {
                  rows.append(date)
                      .append(',')
                      .append(CsvCell.quoted(rider))
                      .append(indicators.csv());
                  rows.append("\r\n");
                }
              });
    }
    return rows.toString().getBytes(StandardCharsets.UTF_8);
  }

  private Map<String, Indicators> byDate(String rider) {
    Map<String, Indicators> dates = new LinkedHashMap<>();
    for (int day = 0; day < days.size(); day++) {
      Indicators indicators = days.get(day).get(rider);
      if (indicators != null && !indicators.isEmpty()) {
        dates.put(question.from().plusDays(day).toString(), indicators);
      }
    }
    return dates;
  }

  private Map<String, Indicators> byRider() {
    Map<String, Indicators> riders = new TreeMap<>();
    for (Map<String, Indicators> day : days) {
      day.forEach(
          (rider, indicators) ->
              riders.computeIfAbsent(rider, _ -> new Indicators()).add(indicators));
    }
    return riders;
  }
}
