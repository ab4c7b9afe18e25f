package gilmok.pages;

import gilmok.http.Refusal;
import java.nio.charset.StandardCharsets;

/**
 * The pages that a customer sees whose link is refused: that it has expired or does not work, and
 * what to do, in English or Korean. They say no more than the status does. Immutable.
 */
final class RefusedLink {
  private final byte[] expired;
  private final byte[] expiredKorean;
  private final byte[] unknown;
  private final byte[] unknownKorean;

  /** Makes the pages, which load files of that version of the {@link Assets}. */
  RefusedLink(String version) {
    String frame =
        new String(Asset.bytes("link.html"), StandardCharsets.UTF_8).replace("{version}", version);
    expired =
        page(
            frame,
            "en",
            "This link has expired",
            "A link shows a delivery for a limited time.",
            "If you still wait for your order, ask the shop for a new link.");
    expiredKorean =
        page(
            frame,
            "ko",
            "만료된 링크입니다",
            "배달 조회 링크는 정해진 시간 동안만 열립니다.",
            "아직 주문을 기다리고 있다면 가게에 새 링크를 요청해 주세요.");
    unknown =
        page(
            frame,
            "en",
            "This link does not work",
            "Perhaps it was not copied to its end. Open it from the message itself.",
            "If that does not help, ask the shop for a new link.");
    unknownKorean =
        page(
            frame,
            "ko",
            "열 수 없는 링크입니다",
            "링크가 끝까지 복사되지 않았을 수 있습니다. 받은 메시지에서 직접 열어 주세요.",
            "그래도 열리지 않으면 가게에 새 링크를 요청해 주세요.");
  }

  private static byte[] page(String frame, String language, String title, String why, String next) {
    String text =
        frame
            .replace("{language}", language)
            .replace("{title}", title)
            .replace("{why}", why)
            .replace("{next}", next);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The page for that refusal. */
  byte[] page(Refusal refusal, boolean korean) {
    if (refusal == Refusal.GONE) {
      return korean ? expiredKorean : expired;
    }
    return korean ? unknownKorean : unknown;
  }
}
