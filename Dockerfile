# Gilmok in a container. Not built in CI, which has no engine: say so when you report a fault here.
#
#   docker build -t gilmok .
#   docker run -p 8080:8080 -v gilmok:/data gilmok
#
# The admin key is made at the first start: docker exec <container> cat /data/admin.key

FROM maven:3-eclipse-temurin-25 AS build
WORKDIR /src
# The dependencies first, as they change less often than the sources.
COPY pom.xml ./
COPY .mvn .mvn
COPY server/pom.xml server/
COPY lab/pom.xml lab/
RUN mvn -q -B -ntp -pl server dependency:go-offline
COPY server/src/main server/src/main
RUN mvn -q -B -ntp -pl server -Dmaven.test.skip=true -Dspotless.check.skip=true package

FROM eclipse-temurin:25-jre
RUN groupadd --system --gid 10001 gilmok \
 && useradd --system --uid 10001 --gid gilmok --home-dir /data --shell /usr/sbin/nologin gilmok \
 && install -d -o gilmok -g gilmok -m 700 /data
COPY --from=build /src/server/target/gilmok-all.jar /opt/gilmok/gilmok-all.jar
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Alive, not ready: a server that warms up or drains is not to be killed for it. An orchestrator
# asks /health/ready by itself.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/health/live"]
# Exec form: the program is process 1 and hears the signals. -Xmx can be set by JAVA_TOOL_OPTIONS.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=60", "-XX:+UseG1GC", "-XX:+UseTransparentHugePages", "-XX:+ExitOnOutOfMemoryError", \
  "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-Dstdout.encoding=UTF-8", "-Dstderr.encoding=UTF-8", \
  "-jar", "/opt/gilmok/gilmok-all.jar"]
CMD ["serve", "--port", "8080", "--data", "/data"]
