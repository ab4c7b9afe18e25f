// Where riders have come from: each step is a line that grows with its rider's glide and fades.
// Everyone's latest steps are kept in a ring; the chosen rider's are drawn whole and stronger.

import { rgb } from "./colours.js";
import { InstanceBuffer, link, matrixAt } from "./program.js";

const STEPS_MAX = 65_536;
const CHOSEN_STEPS_MAX = 4096;

/** Seconds after which everyone's steps have faded. */
const LIFE = 300;

/** Zooms between which everyone's trails come in. */
const APPEARS = [9.5, 12];

const VERTEX = `#version 300 es
precision highp float;
in vec4 a_path;
in vec2 a_times;
uniform mat4 u_matrix;
uniform vec2 u_viewport;
uniform float u_now, u_width, u_life, u_strength;
out vec2 v_at;
flat out float v_length, v_alpha;

void main() {
  float took = a_times.y - a_times.x;
  float share = took > 0.0 ? clamp((u_now - a_times.x) / took, 0.0, 1.0) : 1.0;
  vec4 from = u_matrix * vec4(a_path.xy, 0.0, 1.0);
  vec4 to = u_matrix * vec4(mix(a_path.xy, a_path.zw, share), 0.0, 1.0);
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
  v_alpha = u_strength * (u_life > 0.0 ? clamp(1.0 - (u_now - a_times.y) / u_life, 0.0, 1.0) : 1.0);
  vec2 place = a + along * v_at.x + across * v_at.y;
  gl_Position = v_alpha > 0.0 && v_length > 0.0 ? vec4(place / half_, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at;
flat in float v_length, v_alpha;
uniform float u_width, u_pixel, u_caps;
uniform vec3 u_colour;
out vec4 o_colour;

void main() {
  float beyond = u_caps > 0.5 ? v_at.x - clamp(v_at.x, 0.0, v_length) : 0.0;
  if (u_caps < 0.5 && (v_at.x < 0.0 || v_at.x > v_length)) discard;
  float away = length(vec2(beyond, v_at.y)) - u_width * 0.5;
  float alpha = v_alpha * (1.0 - smoothstep(-0.6 * u_pixel, 0.6 * u_pixel, away));
  o_colour = vec4(u_colour * alpha, alpha);
}`;

export class TrailsLayer {
  id = "trails";
  type = "custom";
  renderingMode = "2d";

  constructor(fleet) {
    this.fleet = fleet;
    this.ring = new InstanceBuffer([4, 2], STEPS_MAX);
    this.owners = new Array(STEPS_MAX);
    this.latest = new Map();
    this.written = 0;
    this.chosen = null;
    this.chosenSteps = new InstanceBuffer([4, 2], 256);
    this.chosenCount = 0;
    this.beforeFrame = () => {};
    this.isHidden = false;
    fleet.stepped = (id, ...step) => this.add(id, step);
  }

  /** How many steps the chosen rider's trail has. */
  get chosenLength() {
    return this.chosenCount;
  }

  add(id, step) {
    const before = this.latest.get(id);
    if (before !== undefined && this.owners[before] === id) {
      cut(this.ring, before, step);
    }
    const place = this.written % STEPS_MAX;
    this.latest.set(id, place);
    this.ring.data.set(step, place * this.ring.stride);
    this.ring.touch(place);
    this.owners[place] = id;
    this.written++;
    if (id === this.chosen) {
      this.addChosen(step);
    }
  }

  addChosen(step) {
    const steps = this.chosenSteps;
    if (this.chosenCount > 0) {
      cut(steps, this.chosenCount - 1, step);
    }
    if (this.chosenCount === CHOSEN_STEPS_MAX) {
      const half = CHOSEN_STEPS_MAX / 2;
      steps.data.copyWithin(0, half * steps.stride, CHOSEN_STEPS_MAX * steps.stride);
      this.chosenCount = half;
      steps.touchAll();
    }
    steps.reserve(this.chosenCount + 1);
    steps.data.set(step, this.chosenCount * steps.stride);
    steps.touch(this.chosenCount);
    this.chosenCount++;
  }

  /** Whose trail is drawn whole; null for nobody's. */
  choose(id) {
    this.chosen = id;
    this.chosenCount = 0;
    const kept = Math.min(this.written, STEPS_MAX);
    for (let i = this.written - kept; id !== null && i < this.written; i++) {
      const place = i % STEPS_MAX;
      if (this.owners[place] === id) {
        const at = place * this.ring.stride;
        this.addChosen(this.ring.data.subarray(at, at + this.ring.stride));
      }
    }
  }

  clear() {
    this.written = 0;
    this.owners.fill(undefined);
    this.latest.clear();
    this.chosenCount = 0;
  }

  /** Follows the fleet's origin and clock. */
  shift(dx, dy, seconds) {
    for (const buffer of [this.ring, this.chosenSteps]) {
      const { data, stride } = buffer;
      for (let at = 0; at < data.length; at += stride) {
        data[at] += dx;
        data[at + 1] += dy;
        data[at + 2] += dx;
        data[at + 3] += dy;
        data[at + 4] -= seconds;
        data[at + 5] -= seconds;
      }
      buffer.touchAll();
    }
  }

  onAdd(map, gl) {
    this.map = map;
    this.create(gl);
    map.on("webglcontextrestored", () => this.create(gl));
  }

  create(gl) {
    this.linked = link(gl, VERTEX, FRAGMENT, ["a_path", "a_times"]);
    this.ring.create(gl);
    this.chosenSteps.create(gl);
  }

  render(gl, { defaultProjectionData }) {
    this.beforeFrame();
    if (this.isHidden) {
      return;
    }
    const { program, uniforms } = this.linked;
    const pixel = this.map.getPixelRatio();
    const zoom = this.map.getZoom();
    const appeared = Math.max(0, Math.min(1, (zoom - APPEARS[0]) / (APPEARS[1] - APPEARS[0])));
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.CULL_FACE);
    gl.uniformMatrix4fv(uniforms.u_matrix, false, matrixAt(defaultProjectionData.mainMatrix, this.fleet.origin));
    gl.uniform2f(uniforms.u_viewport, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniforms.u_now, this.fleet.clock());
    gl.uniform1f(uniforms.u_pixel, pixel);
    gl.uniform3fv(uniforms.u_colour, rgb("moving"));
    if (appeared > 0) {
      this.ring.upload(gl);
      gl.uniform1f(uniforms.u_caps, 0);
      gl.uniform1f(uniforms.u_life, LIFE);
      gl.uniform1f(uniforms.u_width, (1.2 + appeared) * pixel);
      gl.uniform1f(uniforms.u_strength, 0.42 * appeared);
      this.ring.draw(gl, 0, Math.min(this.written, STEPS_MAX));
    }
    if (this.chosenCount > 0) {
      this.chosenSteps.upload(gl);
      gl.uniform1f(uniforms.u_caps, 1);
      gl.uniform1f(uniforms.u_life, 0);
      gl.uniform1f(uniforms.u_width, 4 * pixel);
      gl.uniform1f(uniforms.u_strength, 1);
      this.chosenSteps.draw(gl, 0, this.chosenCount);
    }
  }
}

/** A step that is still under way when the next begins ends where that begins. */
function cut(buffer, place, [x, y, , , begins]) {
  const at = place * buffer.stride;
  if (buffer.data[at + 5] > begins) {
    buffer.data[at + 2] = x;
    buffer.data[at + 3] = y;
    buffer.data[at + 5] = begins;
    buffer.touch(place);
  }
}
