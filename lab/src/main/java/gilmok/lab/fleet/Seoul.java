package gilmok.lab.fleet;

import java.util.List;

/** The geography of Seoul: its districts, hills, high-rise quarters and bridges. */
final class Seoul {
  private Seoul() {}

  /**
   * A district.
   *
   * @param korean its name in Korean
   * @param angle by how much its streets are turned from east, in degrees
   * @param block the length of a block of buildings, in metres
   */
  record District(String name, String korean, double lat, double lon, double angle, double block) {
    double x() {
      return FlatMap.x(lon);
    }

    double y() {
      return FlatMap.y(lat);
    }
  }

  /** A circular area; its radius in metres. */
  record Disc(String name, double lat, double lon, double radius) {
    boolean holds(double x, double y) {
      return Math.hypot(x - FlatMap.x(lon), y - FlatMap.y(lat)) < radius;
    }
  }

  /**
   * A bridge over the Han, by its middle.
   *
   * @param length from bank to bank, in metres
   */
  record Bridge(String name, double lat, double lon, double length) {}

  static final List<District> DISTRICTS =
      List.of(
          new District("Jongno", "종로", 37.5735, 126.9850, 4, 90),
          new District("Jung", "중구", 37.5620, 126.9960, 12, 90),
          new District("Yongsan", "용산", 37.5350, 126.9710, -20, 95),
          new District("Hannam", "한남", 37.5345, 127.0020, 25, 85),
          new District("Seongdong", "성동", 37.5560, 127.0400, 30, 95),
          new District("Gwangjin", "광진", 37.5450, 127.0830, 8, 100),
          new District("Dongdaemun", "동대문", 37.5760, 127.0450, -25, 90),
          new District("Jungnang", "중랑", 37.5980, 127.0920, 15, 95),
          new District("Seongbuk", "성북", 37.5930, 127.0200, 35, 85),
          new District("Gangbuk", "강북", 37.6330, 127.0270, -12, 85),
          new District("Dobong", "도봉", 37.6620, 127.0370, -8, 95),
          new District("Nowon", "노원", 37.6500, 127.0680, -15, 105),
          new District("Eunpyeong", "은평", 37.6080, 126.9270, 20, 85),
          new District("Seodaemun", "서대문", 37.5740, 126.9370, -30, 85),
          new District("Mapo", "마포", 37.5540, 126.9200, 40, 90),
          new District("Sangam", "상암", 37.5760, 126.8960, 33, 110),
          new District("Yangcheon", "양천", 37.5220, 126.8630, 2, 100),
          new District("Gangseo", "강서", 37.5520, 126.8430, 28, 105),
          new District("Guro", "구로", 37.4950, 126.8700, -18, 95),
          new District("Geumcheon", "금천", 37.4600, 126.9000, 10, 95),
          new District("Yeongdeungpo", "영등포", 37.5150, 126.9030, -35, 95),
          new District("Yeouido", "여의도", 37.5235, 126.9270, 42, 130),
          new District("Dongjak", "동작", 37.4990, 126.9500, 22, 85),
          new District("Gwanak", "관악", 37.4790, 126.9450, 3, 85),
          new District("Seocho", "서초", 37.4900, 127.0120, 17, 115),
          new District("Gangnam", "강남", 37.5060, 127.0430, 17, 110),
          new District("Gaepo", "개포", 37.4880, 127.0650, 17, 115),
          new District("Songpa", "송파", 37.5030, 127.1120, -22, 110),
          new District("Banpo", "반포", 37.5030, 126.9990, 8, 105),
          new District("Apgujeong", "압구정", 37.5240, 127.0320, 22, 105),
          new District("Jamsil", "잠실", 37.5130, 127.0870, -20, 120),
          new District("Myeonmok", "면목", 37.5810, 127.0860, 5, 90),
          new District("Sindorim", "신도림", 37.5070, 126.8800, -28, 95),
          new District("Gangdong", "강동", 37.5400, 127.1380, -5, 100));

  /** Areas without streets and customers. */
  static final List<Disc> HILLS =
      List.of(
          new Disc("Namsan", 37.5512, 126.9882, 750),
          new Disc("Gwanaksan", 37.4440, 126.9640, 3_000),
          new Disc("Bukhansan", 37.6390, 126.9820, 3_600),
          new Disc("Bugaksan", 37.5960, 126.9790, 1_300),
          new Disc("Inwangsan", 37.5850, 126.9580, 800),
          new Disc("Ansan", 37.5770, 126.9470, 700),
          new Disc("Achasan", 37.5620, 127.1010, 1_300),
          new Disc("Umyeonsan", 37.4680, 127.0100, 1_300),
          new Disc("Daemosan", 37.4720, 127.0790, 1_000),
          new Disc("Suraksan", 37.6900, 127.0850, 2_500),
          new Disc("Buramsan", 37.6560, 127.0960, 1_300),
          new Disc("Haneul Park", 37.5680, 126.8860, 800),
          new Disc("Seoul Forest", 37.5444, 127.0374, 500),
          new Disc("Olympic Park", 37.5206, 127.1214, 650),
          new Disc("Seoul National Cemetery", 37.4995, 126.9745, 650),
          new Disc("Yongsan Park", 37.5280, 126.9830, 800),
          new Disc("Gimpo Airport", 37.5587, 126.7906, 2_300));

  /** Areas where high buildings reflect the satellites' signals; offices are there too. */
  static final List<Disc> HIGH_RISE =
      List.of(
          new Disc("Teheran-ro", 37.5045, 127.0480, 1_400),
          new Disc("Gangnam station", 37.4979, 127.0276, 700),
          new Disc("Yeouido", 37.5235, 126.9260, 1_000),
          new Disc("Gwanghwamun", 37.5700, 126.9800, 900),
          new Disc("Jamsil", 37.5130, 127.1010, 800),
          new Disc("Gasan", 37.4790, 126.8820, 800),
          new Disc("Sangam", 37.5790, 126.8900, 600));

  /** The bridges from the sea upstream; their middles also define the course of the river. */
  static final List<Bridge> BRIDGES =
      List.of(
          new Bridge("Haengju", 37.5985, 126.8097, 1_300),
          new Bridge("Banghwa", 37.5886, 126.8265, 1_200),
          new Bridge("Gayang", 37.5715, 126.8625, 1_200),
          new Bridge("World Cup", 37.5558, 126.8853, 1_050),
          new Bridge("Seongsan", 37.5522, 126.8911, 1_050),
          new Bridge("Yanghwa", 37.5433, 126.9035, 950),
          new Bridge("Seogang", 37.5387, 126.9253, 1_150),
          new Bridge("Mapo", 37.5335, 126.9360, 1_150),
          new Bridge("Wonhyo", 37.5265, 126.9445, 1_150),
          new Bridge("Hangang", 37.5177, 126.9589, 950),
          new Bridge("Dongjak", 37.5098, 126.9813, 1_150),
          new Bridge("Banpo", 37.5151, 126.9963, 1_100),
          new Bridge("Hannam", 37.5269, 127.0129, 850),
          new Bridge("Dongho", 37.5361, 127.0207, 850),
          new Bridge("Seongsu", 37.5367, 127.0348, 950),
          new Bridge("Yeongdong", 37.5316, 127.0570, 950),
          new Bridge("Cheongdam", 37.5250, 127.0635, 950),
          new Bridge("Jamsil", 37.5245, 127.0915, 1_000),
          new Bridge("Olympic", 37.5342, 127.1035, 1_000),
          new Bridge("Cheonho", 37.5425, 127.1132, 900),
          new Bridge("Gwangjin", 37.5450, 127.1147, 900),
          new Bridge("Gangdong", 37.5780, 127.1610, 950));
}
