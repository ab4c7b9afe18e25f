// Riders' days as lines: what was ridden up to a time is strong, what comes after it is faint. One
// day has the colours of its speeds; two have a colour each.

import { rgb } from "./colours.js";
import { distance, toX, toY } from "./geo.js";
import { InstanceBuffer, link, matrixAt } from "./program.js";

/** Positions nearer than this to the one drawn before are left out: phones that stand scatter. */
const APART_METRES = 3;

/** Colours follow the speed within so many milliseconds: at each light they would else be others. */
const CALM_MILLIS = 40_000;

/** Metres a second at which the colours of speeds meet. */
export const SPEED_STOPS = [0, 4.5, 12.5];

const VERTEX = `#version 300 es
precision highp float;
in vec4 a_path;
in vec4 a_course;
uniform mat4 u_matrix;
uniform vec2 u_viewport;
uniform float u_now, u_width;
out vec2 v_at;
flat out float v_length, v_ridden;
flat out vec2 v_speeds;

void main() {
  vec4 from = u_matrix * vec4(a_path.xy, 0.0, 1.0);
  vec4 to = u_matrix * vec4(a_path.zw, 0.0, 1.0);
  vec2 half_ = u_viewport * 0.5;
  vec2 a = from.xy / from.w * half_;
  vec2 b = to.xy / to.w * half_;
  v_length = distance(a, b);
  vec2 along = v_length > 0.0 ? (b - a) / v_length : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  float reach = u_width * 0.5 + 1.5;
  float side = float(gl_VertexID & 1) * 2.0 - 1.0;
  float end = float(gl_VertexID >> 1);
  v_at = vec2(mix(-reach, v_length + reach, end), side * reach);
  float took = a_course.y - a_course.x;
  v_ridden = v_length * (took > 0.0 ? clamp((u_now - a_course.x) / took, 0.0, 1.0) : step(a_course.x, u_now));
  v_speeds = a_course.zw;
  gl_Position = vec4((a + along * v_at.x + across * v_at.y) / half_, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at;
flat in float v_length, v_ridden;
flat in vec2 v_speeds;
uniform float u_width, u_pixel, u_faint;
uniform vec3 u_colours[3], u_stops, u_ground;
uniform bool u_bySpeed, u_isCasing, u_isRidden;
out vec4 o_colour;

void main() {
  float from = u_isRidden ? 0.0 : v_ridden;
  float to = u_isRidden ? v_ridden : v_length;
  if (u_isRidden ? v_ridden <= 0.0 : v_ridden >= v_length && v_length > 0.0) discard;
  float beyond = v_at.x - clamp(v_at.x, from, to);
  float away = length(vec2(beyond, v_at.y)) - u_width * 0.5;
  float alpha = 1.0 - smoothstep(-0.6 * u_pixel, 0.6 * u_pixel, away);
  vec3 colour = u_colours[0];
  if (u_bySpeed) {
    float speed = mix(v_speeds.x, v_speeds.y, v_length > 0.0 ? clamp(v_at.x / v_length, 0.0, 1.0) : 0.0);
    colour = mix(colour, u_colours[1], smoothstep(u_stops.x, u_stops.y, speed));
    colour = mix(colour, u_colours[2], smoothstep(u_stops.y, u_stops.z, speed));
  }
  colour = u_isCasing ? u_ground : mix(u_ground, colour, u_isRidden ? 1.0 : u_faint);
  o_colour = vec4(colour * alpha, alpha);
}`;

export class DayLayer {
  id = "day";
  type = "custom";
  renderingMode = "2d";

  constructor() {
    this.lines = [];
  }

  /** How many lines of two positions are drawn. */
  get count() {
    return this.lines.reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Draws these days in place of those before. What has been made of a track is kept while it grows.
   *
   * @param tracks each {track, colour, time}: the colour's name, the time in milliseconds
   */
  show(tracks) {
    this.lines = tracks.map(({ track, colour }, i) => {
      const line = this.lines[i]?.track === track && this.lines[i].date === track.date && this.lines[i].rider === track.rider && this.lines[i].taken <= track.size ? this.lines[i] : this.begin(track);
      line.colour = colour;
      this.extend(line);
      return line;
    });
    this.at(tracks.map(({ time }) => time));
  }

  /** Says until when each day was ridden. */
  at(times) {
    this.lines.forEach((line, i) => (line.now = (times[i] - line.track.begin) / 1000));
    this.map?.triggerRepaint();
  }

  begin(track) {
    const line = { track, date: track.date, rider: track.rider, buffer: new InstanceBuffer([4, 4], 1024), count: 0, taken: 0, last: -1, speed: 0, calm: track.speeds[0], origin: null, now: 0 };
    if (this.gl) {
      line.buffer.create(this.gl);
    }
    return line;
  }

  /** Takes the positions that have come since. */
  extend(line) {
    const { track, buffer } = line;
    const { lats, lons, millis, speeds } = track;
    if (line.origin === null && track.size > 0) {
      line.origin = [toX(lons[0]), toY(lats[0])];
    }
    buffer.reserve(line.count + track.size - line.taken);
    const first = line.count;
    for (let i = line.taken; i < track.size; i++) {
      const { last, speed } = line;
      const share = i > 0 ? Math.min(1, (millis[i] - millis[i - 1]) / CALM_MILLIS) : 1;
      line.calm += (speeds[i] - line.calm) * share;
      const isApart = last < 0 || distance(lats[last], lons[last], lats[i], lons[i]) >= APART_METRES;
      const isBorder = (i > 0 && track.isGap(i - 1)) || i + 1 === track.size || track.isGap(i);
      if (!isApart && !isBorder) {
        continue;
      }
      if (last >= 0 && !(i > 0 && track.isGap(i - 1))) {
        const [x, y] = line.origin;
        const path = [toX(lons[last]) - x, toY(lats[last]) - y, toX(lons[i]) - x, toY(lats[i]) - y];
        const course = [(millis[last] - track.begin) / 1000, (millis[i] - track.begin) / 1000, speed, line.calm];
        buffer.data.set([...path, ...course], line.count * buffer.stride);
        line.count++;
      }
      line.last = i;
      line.speed = line.calm;
    }
    line.taken = track.size;
    if (line.count > first) {
      buffer.touch(first);
      buffer.touch(line.count - 1);
    }
  }

  onAdd(map, gl) {
    this.map = map;
    this.create(gl);
    map.on("webglcontextrestored", () => this.create(gl));
  }

  create(gl) {
    this.gl = gl;
    this.linked = link(gl, VERTEX, FRAGMENT, ["a_path", "a_course"]);
    this.lines.forEach(({ buffer }) => buffer.create(gl));
  }

  render(gl, { defaultProjectionData }) {
    const drawn = this.lines.filter(({ count }) => count > 0);
    if (drawn.length === 0) {
      return;
    }
    const { program, uniforms } = this.linked;
    const pixel = this.map.getPixelRatio();
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.CULL_FACE);
    gl.uniform2f(uniforms.u_viewport, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniforms.u_pixel, pixel);
    gl.uniform3fv(uniforms.u_stops, SPEED_STOPS);
    gl.uniform3fv(uniforms.u_ground, rgb("outline"));
    gl.uniform1f(uniforms.u_faint, 0.5);
    // The faint below the strong, and the casings below both: where ways cross, colours stay whole.
    for (const [isRidden, isCasing, width] of [[0, 1, 5], [0, 0, 2.5], [1, 1, 7.5], [1, 0, 4.5]]) {
      gl.uniform1i(uniforms.u_isRidden, isRidden);
      gl.uniform1i(uniforms.u_isCasing, isCasing);
      gl.uniform1f(uniforms.u_width, width * pixel);
      drawn.forEach((line) => this.draw(gl, uniforms, line, defaultProjectionData));
    }
  }

  draw(gl, uniforms, line, { mainMatrix }) {
    const isBySpeed = line.colour === "speed";
    const colours = isBySpeed ? ["speed-0", "speed-1", "speed-2"] : [line.colour, line.colour, line.colour];
    line.buffer.upload(gl);
    gl.uniformMatrix4fv(uniforms.u_matrix, false, matrixAt(mainMatrix, line.origin));
    gl.uniform1i(uniforms.u_bySpeed, +isBySpeed);
    gl.uniform3fv(uniforms["u_colours[0]"], colours.flatMap((name) => rgb(name)));
    gl.uniform1f(uniforms.u_now, line.now);
    line.buffer.draw(gl, 0, line.count);
  }
}
