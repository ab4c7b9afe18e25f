package gilmok.lab;

import java.util.List;

/**
 * A target of fuzzing.
 *
 * @param name the folder of its inputs
 * @param target the class whose {@code fuzzerTestOneInput} is called
 * @param seeds the first inputs
 * @param words the parts of further inputs, separated by spaces; quotation marks in them are
 *     escaped
 */
record Fuzzed(String name, String target, List<String> seeds, String words) {
  static final Fuzzed JSON =
      new Fuzzed(
          "json",
          "gilmok.collect.json.FuzzTarget",
          List.of(
              "p{\"riderId\":\"r-1\",\"at\":\"2008-10-23T02:53:04Z\",\"lat\":39.984702,\"lon\":116.318417,"
                  + "\"accuracy\":4.5,\"speed\":0.0,\"bearing\":359,\"altitude\":-1e2,\"battery\":1,"
                  + "\"provider\":\"gps\",\"deliveryId\":\"d\",\"id\":\"i\",\"attributes\":{\"a\":[1,null]}}",
              "p[{\"riderId\":\"\\ud83d\\ude00길\",\"at\":1224730384000,\"lat\":39.98470200000001,"
                  + "\"lon\":116.318417e0,\"x\":{\"y\":[true,false]}},{},5]",
              "a{\"riderId\":\"r\",\"at\":\"2026-01-01T09:00:00.123+09:00\",\"type\":\"arrived\"}\n{}\nx",
              "d{\"a\":[1,{\"b\":null}],\"\\u0061\":\"x\"}",
              "l{\"riderId\":\"r\",\"at\":1,\"level\":\"warn\",\"message\":\"\\u0001\\n\"}"),
          "riderId at lat lon accuracy speed bearing altitude battery provider"
              + " deliveryId id attributes type level message null true false \\\\u0061"
              + " \\\\ud83d\\\\ude00 2026-01-31T23:59:60Z +09:00 1e-300");

  static final Fuzzed DIALECTS =
      new Fuzzed(
          "dialects",
          "gilmok.collect.dialect.FuzzTarget",
          List.of(
              "oid=r-7&timestamp=1767225600&lat=37.4979&lon=127.0276&speed=36&bearing=270.5&batt=88"
                  + "&cell=450,5,1,2,-70&cell=1,2,3,4&wifi=aa,-60&charge=true&valid=1",
              "odeviceid=r&location=37.4979,127.0276&timestamp=2026-01-31+23:59:59",
              "o[{\"id\":\"r\",\"lat\":1,\"lon\":2,\"timestamp\":1767225600},{\"id\":5},7]",
              "o{\"id\":\"r\",\"lat\":\"1\",\"lon\":2,\"x\":{\"y\":[1,null]},\"x\":\"\\u0061\"}",
              "glat=37.4979&lon=127.0276&alt=38&acc=4.5&dir=12&prov=gps&spd_kph=18&spd=5&aid=a&ser=s"
                  + "&timeoffset=2026-01-01T09:00:00.000+09:00&time=2026-01-01T00:00:00.000Z&desc=%EA",
              "b{\"location\":[{\"uuid\":\"u\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"coords\":{\"latitude\":37.5,"
                  + "\"longitude\":127,\"accuracy\":4.5,\"speed\":-1,\"heading\":359,\"altitude\":38},\"battery\":"
                  + "{\"level\":0.8,\"is_charging\":false},\"extras\":{\"a\":[1]},\"_\":\"&id=d\"},{\"event\":\"heartbeat\"}],"
                  + "\"device_id\":\"d\",\"params\":{\"x\":null}}",
              "t[{\"_type\":\"location\",\"lat\":37.5,\"lon\":127,\"tst\":1767225600,\"tid\":\"ab\",\"acc\":9,\"alt\":38,"
                  + "\"vac\":3,\"vel\":36,\"cog\":90,\"batt\":88,\"_id\":\"i\",\"topic\":\"owntracks/u/d/x\"},"
                  + "{\"_type\":\"dump\",\"configuration\":{\"password\":\"p\"}},{\"_type\":\"lwt\",\"tst\":1}]",
              "v{\"locations\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[127,37.5]},"
                  + "\"properties\":{\"timestamp\":\"2026-01-01T09:00:00-0700\",\"altitude\":38,\"speed\":-1,\"course\":90,"
                  + "\"horizontal_accuracy\":5,\"motion\":[\"driving\"],\"battery_level\":0.8,\"device_id\":\"d\"}}],"
                  + "\"current\":{\"type\":\"Feature\",\"properties\":{\"action\":\"visit\"}},\"trip\":{\"mode\":\"car\"}}"),
          "id= deviceid= timestamp= location= lat= lon= & %00 \\\"lat\\\": \\\"lon\\\":"
              + " \\\"id\\\": speed spd_kph attributesDropped \\\"_type\\\":"
              + " \\\"locations\\\": \\\"coords\\\": \\\"properties\\\": \\\"timestamp\\\":"
              + " \\\"device_id\\\": 2026-01-31T23:59:60Z 1e-300");
}
