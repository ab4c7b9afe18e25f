package gilmok.lab.missions;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The vocabulary of generated texts: some hundred words of each language. Immutable. */
final class Words {
  private static final String KOREAN =
      "배달 주문 라이더 보상 추가 금액 주말 평일 점심 저녁 새벽 심야 피크 시간 시간대 지역 강남 강북 송파 마포 서초 관악 영등포 성동 용산 종로 은평 "
          + "노원 강서 구로 분당 판교 수원 인천 부산 해운대 대구 대전 광주 완료 수락 거절 취소 건수 목표 달성 지급 정산 계좌 세금 공제 보험 안전 교육 "
          + "헬멧 오토바이 자전거 도보 자동차 날씨 비 눈 폭염 한파 우천 할증 기상 특보 이벤트 미션 참여 대상 기간 조건 유의사항 문의 고객센터 앱 버전 최신 "
          + "업데이트 알림 설정 동의 개인정보 위치 권한 배차 추천 단건 묶음 픽업 전달 매장 사장님 고객 별점 평가 친절 감사 신규 가입 추천인 코드 입력 "
          + "첫 연속 출석 일일 주간 월간 순위 상위 등급 브론즈 실버 골드 다이아 혜택 쿠폰 주유 정비 할인 제휴 카드 포인트 적립 사용 만료 예정 선착순 한정 "
          + "중복 제외 부정 적발 회수 변경 가능 공지 확인 필수 준수 신호 과속 금지 횡단보도 정차 주차";
  private static final String PARTICLES = "을 를 이 가 은 는 에 에서 으로 와 의 도 만 까지 부터 마다";
  private static final String ENDINGS =
      "합니다. 됩니다. 지급됩니다. 확인해 주세요. 받을 수 있습니다. 제외됩니다. 적용됩니다. 참여할 수 있어요! 드려요! 바랍니다.";
  private static final String ENGLISH =
      "delivery order rider reward bonus extra amount weekend weekday lunch dinner dawn midnight "
          + "peak hour window district north south river station complete accept decline cancel "
          + "count target reach payout settlement account tax deduction insurance safety training "
          + "helmet motorcycle bicycle walking car weather rain snow heat cold surcharge alert "
          + "event mission join eligible period condition notice contact support app version "
          + "latest update push setting consent privacy location permission dispatch suggested "
          + "single stacked pickup dropoff store owner customer rating review friendly thanks new "
          + "signup referral code enter first streak daily weekly monthly ranking top tier bronze "
          + "silver gold diamond benefit coupon fuel repair discount partner card point earn use "
          + "expire soon limited each only during before after within between every other half "
          + "double triple guaranteed minimum maximum distance kilometre minute area zone map "
          + "heavy light fragile cold-chain night shift morning evening holiday festival parade "
          + "stadium concert campus market harbour bridge tunnel bypass detour closed open "
          + "crowded quiet fast careful steady please remember follow keep wear check charge";

  private final List<String> korean = List.of(KOREAN.split(" "));
  private final List<String> particles = List.of(PARTICLES.split(" "));
  private final List<String> endings = List.of(ENDINGS.split("(?<=[.!]) "));
  private final List<String> english = List.of(ENGLISH.split(" "));

  /** A Korean text with a number of words. */
  String korean(Random random, int words) {
    List<String> said = new ArrayList<>();
    for (int i = 1; i <= words; i++) {
      String word = any(random, korean);
      said.add(
          i % 8 == 0 || i == words
              ? word + any(random, particles) + " " + any(random, endings)
              : random.nextInt(3) == 0 ? word : word + any(random, particles));
    }
    return String.join(" ", said);
  }

  /** An English text with a number of words. */
  String english(Random random, int words) {
    List<String> said = new ArrayList<>();
    for (int i = 1; i <= words; i++) {
      String word = any(random, english);
      said.add(i % 9 == 0 || i == words ? word + "." : word);
    }
    return String.join(" ", said);
  }

  private static String any(Random random, List<String> of) {
    return of.get(random.nextInt(of.size()));
  }
}
