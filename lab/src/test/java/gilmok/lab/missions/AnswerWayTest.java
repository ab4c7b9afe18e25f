package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class AnswerWayTest {
  private final MadeUpMissions made = new MadeUpMissions(100);

  @ParameterizedTest
  @EnumSource
  void answer_ofEachWay_decodesToTheSame(AnswerWay way) throws IOException {
    for (int rider : new int[] {0, 7, 99}) {
      byte[] answer = way.answer(made, rider, way.keep(made, rider));
      assertThat(Packing.gunzip(answer))
          .isEqualTo(AnswerWay.plain(made, rider, made.progress(rider)));
    }
  }

  @Test
  void keep_onlyWhatVaries_isSmall() throws IOException {
    assertThat(AnswerWay.VARIES_1.keep(made, 3).length)
        .isLessThan(AnswerWay.WHOLE_GZIP.keep(made, 3).length / 20);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000, 200_000})
  void gzip_ofRandomBytes_isReadByTheJdk(int length) throws IOException {
    byte[] plain = new byte[length];
    new Random(length).nextBytes(plain);
    assertThat(Packing.gunzip(Packing.gzip(plain, 1))).isEqualTo(plain);
    assertThat(Packing.gunzip(Packing.gzip(plain, 6))).isEqualTo(plain);
  }
}
