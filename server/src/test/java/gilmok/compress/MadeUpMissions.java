package gilmok.compress;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Invented missions as a fleet might write them, about 2.5 kB each: titles, conditions and notes in
 * Korean and English, rules, pictures. The same seed gives the same missions. Texts are made of
 * some hundred words, so words repeat but sentences do not, and gzip compresses them to a third.
 * Not thread-safe.
 */
public final class MadeUpMissions {
  private static final String[] KOREAN =
      """
      길목 배달 라이더 주문 완료 보상 추가 금액 이번 주 주말 저녁 점심 피크 시간 비 오는 날 눈 지역 강남 서초 송파 마포 용산 성동 \
      광진 중구 종로 은평 서대문 관악 동작 영등포 구로 금천 양천 강서 노원 도봉 강북 성북 동대문 중랑 분당 수지 일산 부천 인천 \
      참여 대상 조건 달성 지급 정산 다음 월요일 화요일 수요일 목요일 금요일 토요일 일요일 오전 오후 까지 부터 동안 매일 하루 최대 최소 \
      이상 이하 건당 건수 연속 수락 거절 취소 없이 안전 운행 헬멧 착용 교육 이수 신규 기존 회원 등급 골드 실버 브론즈 자전거 오토바이 \
      자동차 도보 킥보드 장거리 단거리 묶음 한집 프리미엄 이벤트 미션 챌린지 도전 성공 실패 기회 두배 세배 보너스 쿠폰 포인트 현금 \
      세금 공제 유의 사항 확인 바랍니다 합니다 됩니다 있습니다 없습니다 경우 제외 포함 가능 불가 변경 종료 예고 사전 공지 고객 센터 문의 \
      앱 화면 버튼 누르면 자동 신청 별도 필요 단 다만 그리고 또는 및 에서 으로 에게 위해 통해 따라 대해 관련 기준 상점 식당 카페 \
      마트 편의점 약국 꽃집 픽업 도착 출발 지연 예상 평균 속도 거리 킬로미터 분 초 원 만원 천원 오백원 명 선착순 추첨 당첨 발표 개별 \
      연락 문자 알림 동의 개인 정보 보호 약관 부정 행위 적발 회수 제한 정지 본인 계정 타인 양도 금지 복수 중복 수령 일회 한정 특별 \
      여름 겨울 봄 가을 휴가 명절 설날 추석 연휴 새벽 심야 첫 마지막 친구 추천 초대 코드 입력 가입 활동 기간 내 누적 집계 실시간 \
      """
          .split("\\s+");

  private static final String[] ENGLISH =
      """
      rider delivery order complete bonus reward extra this week weekend evening lunch peak hour \
      rain snow day area district join open to all riders who have finished at least most per \
      within before after between Monday Tuesday Wednesday Thursday Friday Saturday Sunday morning \
      night midnight early late every daily total count streak without decline cancel accept rate \
      safe ride helmet training passed new returning member tier gold silver bronze bicycle \
      motorbike car walk scooter long short distance bundle single premium event mission challenge \
      success try again chance double triple coupon points cash tax deducted please note check \
      paid settled next following case except including possible changed ended notice advance \
      customer centre contact app screen button tap automatic apply needed only however and or \
      from into toward for through according about related standard shop restaurant cafe market \
      pharmacy flower pickup arrival departure delay expected average speed kilometre minute \
      second won thousand first come served draw winner announced message alert consent personal \
      data terms fraud found returned limited suspended own account transfer forbidden multiple \
      duplicate once special summer winter spring autumn holiday season dawn last friend invite \
      code enter period running sum counted real time the a of in on with your you we will be is \
      are not must may can when while until during any each more less than if then it \
      """
          .split("\\s+");

  private static final String[] AREAS =
      "gangnam seocho songpa mapo yongsan seongdong gwangjin jung jongno eunpyeong gwanak dongjak"
          .split(" ");
  private static final String[] VEHICLES = "bicycle motorbike car walk scooter".split(" ");
  private static final String[] KINDS = "count streak area weather peak invite".split(" ");

  private final Random random;

  public MadeUpMissions(long seed) {
    random = new Random(seed);
  }

  /** The beginning of an answer: that many missions open to all, in a list that is not closed. */
  public byte[] shared(int missions) {
    StringJoiner all = new StringJoiner(",");
    IntStream.range(0, missions).forEach(number -> all.add(mission(id(number), List.of())));
    return bytes("{\"items\":[" + all);
  }

  /** One more mission of that list, for some riders. */
  public byte[] personal(int number, List<String> riders) {
    return bytes("," + mission(id(number), riders));
  }

  /** The end of that answer: a rider's progress in some of that many missions. */
  public byte[] tail(int missions, int progressed) {
    StringJoiner all = new StringJoiner(",", "],\"progress\":{", "}}");
    random
        .ints(0, missions)
        .distinct()
        .limit(Math.min(progressed, missions))
        .sorted()
        .forEach(number -> all.add("\"" + id(number) + "\":" + progress()));
    return bytes(all.toString());
  }

  /** A mission, a JSON object. */
  public String mission(String id, List<String> riders) {
    int day = below(28) + 1;
    String quoted =
        riders.isEmpty() ? "" : "\"riders\":[\"" + String.join("\",\"", riders) + "\"],";
    return "{\"id\":\"%s\",%s\"kind\":\"%s\",\"title\":%s,\"text\":%s,"
            .formatted(id, quoted, pick(KINDS), texts(4), texts(58))
        + "\"from\":\"2026-11-%02dT%02d:00:00+09:00\",\"to\":\"2026-12-%02dT%02d:59:59+09:00\","
            .formatted(day, below(24), day, below(24))
        + "\"goal\":%d,\"urgent\":%b,\"reward\":{\"amount\":%d,\"currency\":\"KRW\"},"
            .formatted(below(60) + 1, below(8) == 0, (below(100) + 1) * 500)
        + "\"rules\":{\"areas\":%s,\"vehicles\":%s,\"hours\":[%d,%d],\"days\":%s,"
            .formatted(
                some(AREAS), some(VEHICLES), below(12), 12 + below(12), list(3, _ -> below(7) + ""))
        + "\"distanceMax\":%d,\"acceptRateMin\":0.%02d,\"box\":[%s,%s,%s,%s]},"
            .formatted(
                below(20) * 500, below(100), degrees(126), degrees(37), degrees(127), degrees(37))
        + "\"notes\":%s,\"image\":\"https://cdn.fleet.example/missions/%016x%016x.webp\","
            .formatted(list(5, _ -> texts(11 + below(8))), random.nextLong(), random.nextLong())
        + "\"link\":\"fleet://missions/%s?campaign=%08x\",\"order\":%d}"
            .formatted(id, random.nextInt(), below(1_000));
  }

  private String progress() {
    return below(6) == 0
        ? "{\"count\":%d,\"fulfilled\":true,\"settledAt\":\"2026-11-%02dT%02d:%02d:%02d.%03dZ\"}"
            .formatted(below(60), below(28) + 1, below(24), below(60), below(60), below(1_000))
        : "{\"count\":%d,\"updatedAt\":%d}"
            .formatted(below(60), 1_795_000_000_000L + below(1 << 30));
  }

  private String texts(int words) {
    return "{\"ko\":\"%s\",\"en\":\"%s\"}".formatted(text(KOREAN, words), text(ENGLISH, words));
  }

  private String text(String[] words, int count) {
    StringJoiner text = new StringJoiner(" ");
    for (int i = 0; i < count; i++) {
      // As in any language, some words are more frequent than others; numbers are among them.
      int word = (int) (words.length * Math.pow(random.nextDouble(), 1.5));
      text.add(below(9) == 0 ? Integer.toString(below(300)) : words[word]);
    }
    return text + ".";
  }

  private String some(String[] of) {
    return list(1 + below(4), _ -> "\"" + pick(of) + "\"");
  }

  private static String list(int count, IntFunction<String> each) {
    StringJoiner list = new StringJoiner(",", "[", "]");
    IntStream.range(0, count).mapToObj(each).forEach(list::add);
    return list.toString();
  }

  private String pick(String[] of) {
    return of[below(of.length)];
  }

  private String degrees(int whole) {
    return "%d.%05d".formatted(whole, below(100_000));
  }

  private int below(int bound) {
    return random.nextInt(bound);
  }

  private static String id(int number) {
    return "m%02d".formatted(number);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
