package gilmok.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.config.SettingsSources;
import gilmok.redis.RedisConfig;
import gilmok.redis.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code gilmok doctor} says about a real Redis. */
@Tag("engine")
final class RedisDoctorIT {
  @TempDir Path folder;

  private static RedisConfig at(String url) {
    SettingsSources sources = new SettingsSources();
    sources.option("redis.url=" + url);
    return RedisConfig.from(new Settings(sources));
  }

  @Test
  void connections_areComparedWithTheLimit() throws Exception {
    String url;
    try (RedisServer redis = RedisServer.start(folder, "--maxclients", "100")) {
      url = redis.url();
      Check many = RedisDoctor.look(at(url)).getFirst();
      assertThat(many.seen()).matches("\\d open of 100");
      assertThat(many.verdict()).isEqualTo("well");
    }
    Check away = RedisDoctor.look(at(url)).getFirst();
    assertThat(away.verdict()).isEqualTo("look");
    assertThat(away.advice()).contains("redis.url");
  }

  @Test
  void fewLeft_isSaid_andWhatItDoesNotSayIsUnknown() throws Exception {
    try (RedisServer redis = RedisServer.start(folder, "--maxclients", "10")) {
      Check few = RedisDoctor.look(at(redis.url())).getFirst();
      assertThat(few.verdict()).isEqualTo("look");
      assertThat(few.advice()).contains("maxclients");
    }
    try (RedisServer redis = RedisServer.start(folder, "--rename-command", "CONFIG", "")) {
      assertThat(RedisDoctor.look(at(redis.url())).getFirst().verdict()).isEqualTo("unknown");
    }
  }
}
