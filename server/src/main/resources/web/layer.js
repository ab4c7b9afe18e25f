// All riders as one layer of the map: a quad each, moved, turned and coloured on the card.

import { rgb } from "./colours.js";
import { MOVING_FROM, QUIET_AFTER } from "./fleet.js";
import { link, matrixAt } from "./program.js";

const VERTEX = `#version 300 es
precision highp float;
in vec4 a_path;      // from and to, relative to the origin
in vec2 a_times;     // when the glide begins and ends
in vec2 a_headings;  // from and to, degrees; below -360: none
in vec2 a_state;     // metres a second, when last seen
uniform mat4 u_matrix;
uniform vec2 u_viewport;
uniform float u_now, u_radius, u_halo;
uniform vec3 u_show; // moving, standing, quiet: 1 or 0
uniform vec3 u_moving, u_standing, u_quiet;
out vec2 v_at;
flat out float v_radius, v_nose, v_ring;
flat out vec3 v_colour;
flat out vec2 v_turn;

void main() {
  float length_ = a_times.y - a_times.x;
  float share = length_ > 0.0 ? clamp((u_now - a_times.x) / length_, 0.0, 1.0) : 1.0;
  bool quiet = u_now - a_state.y > ${QUIET_AFTER}.0;
  bool moving = !quiet && a_state.x >= ${MOVING_FROM}.0;
  float shown = quiet ? u_show.z : moving ? u_show.x : u_show.y;
  float radius = u_radius * (quiet ? 0.82 : 1.0) * (u_halo > 0.0 ? 1.22 : 1.0);
  bool turned = a_headings.x > -999.0 && a_headings.y > -999.0;
  float heading = radians(mix(a_headings.x, a_headings.y, share));
  v_turn = vec2(sin(heading), cos(heading));
  v_nose = moving && turned && radius > 3.5 ? 1.0 : 0.0;
  v_ring = quiet ? 1.0 : 0.0;
  v_colour = quiet ? u_quiet : moving ? u_moving : u_standing;
  v_radius = radius;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  float reach = radius * (u_halo > 0.0 ? 3.4 : 2.1) + 4.0;
  v_at = corner * reach;
  vec4 place = u_matrix * vec4(mix(a_path.xy, a_path.zw, share), 0.0, 1.0);
  place.xy += v_at * vec2(2.0, -2.0) / u_viewport * place.w;
  gl_Position = shown > 0.5 || u_halo > 0.0 ? place : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec2 v_at;
flat in float v_radius, v_nose, v_ring;
flat in vec3 v_colour;
flat in vec2 v_turn;
uniform vec3 u_outline, u_chosen;
uniform float u_halo, u_pixel, u_shadow;
out vec4 o_colour;

// A drop: a circle around the rider that runs out into a point where they are heading.
// After Inigo Quilez's signed distance of an uneven capsule.
float drop(vec2 p, float wide, float narrow, float apart) {
  p.x = abs(p.x);
  float b = (wide - narrow) / apart;
  float a = sqrt(1.0 - b * b);
  float k = dot(p, vec2(-b, a));
  if (k < 0.0) return length(p) - wide;
  if (k > a * apart) return length(p - vec2(0.0, apart)) - narrow;
  return dot(p, vec2(a, b)) - wide;
}

void over(inout vec4 below, vec3 colour, float alpha) {
  below = vec4(colour * alpha, alpha) + below * (1.0 - alpha);
}

void main() {
  vec2 ahead = vec2(v_at.x * v_turn.y + v_at.y * v_turn.x, v_at.x * v_turn.x - v_at.y * v_turn.y);
  float round_ = length(v_at) - v_radius;
  float shape = v_nose > 0.5 ? drop(ahead, v_radius, v_radius * 0.16, v_radius * 1.5) : round_;
  float edge = 0.6 * u_pixel;
  float outline = min(1.6 * u_pixel, v_radius * 0.34);
  vec4 colour = vec4(0.0);
  if (u_halo > 0.5) {
    float ring = abs(length(v_at) - v_radius * 2.35) - 1.3 * u_pixel;
    over(colour, v_colour, 0.16 * (1.0 - smoothstep(-edge, edge, length(v_at) - v_radius * 2.35)));
    over(colour, u_chosen, 1.0 - smoothstep(-edge, edge, ring));
  }
  float shade = max(0.0, 1.0 - max(shape - outline, 0.0) / (2.6 * u_pixel));
  over(colour, vec3(0.0), u_shadow * shade * shade);
  over(colour, u_outline, 1.0 - smoothstep(-edge, edge, shape - outline));
  over(colour, v_colour, 1.0 - smoothstep(-edge, edge, shape));
  float hole = 1.0 - smoothstep(-edge, edge, shape + max(1.7 * u_pixel, v_radius * 0.34));
  over(colour, u_outline, v_ring * hole);
  o_colour = colour;
}`;

const ATTRIBUTES = ["a_path", "a_times", "a_headings", "a_state"];

/** Pixels by zoom. */
export function radiusAt(zoom) {
  const stops = [[4, 2], [9, 2.6], [11, 3.8], [13, 5.6], [15, 7.8], [17, 9.5]];
  let i = 1;
  while (i < stops.length - 1 && zoom > stops[i][0]) {
    i++;
  }
  const [[z0, r0], [z1, r1]] = [stops[i - 1], stops[i]];
  return r0 + (r1 - r0) * Math.max(0, Math.min(1, (zoom - z0) / (z1 - z0)));
}

export class RidersLayer {
  id = "riders";
  type = "custom";
  renderingMode = "2d";

  constructor(fleet) {
    this.fleet = fleet;
    this.shown = { moving: true, standing: true, quiet: true };
    this.chosen = null;
    this.beforeFrame = () => {};
    this.isHidden = false;
  }

  onAdd(map, gl) {
    this.map = map;
    this.create(gl);
    map.on("webglcontextrestored", () => this.create(gl));
  }

  create(gl) {
    this.linked = link(gl, VERTEX, FRAGMENT, ATTRIBUTES);
    this.fleet.buffer.create(gl);
  }

  render(gl, { defaultProjectionData }) {
    this.beforeFrame();
    if (this.isHidden) {
      return;
    }
    const { fleet, map } = this;
    const { program, uniforms } = this.linked;
    const pixel = map.getPixelRatio();
    const now = fleet.clock();
    fleet.buffer.upload(gl);
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.disable(gl.DEPTH_TEST);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.CULL_FACE);
    gl.uniformMatrix4fv(uniforms.u_matrix, false, matrixAt(defaultProjectionData.mainMatrix, fleet.origin));
    gl.uniform2f(uniforms.u_viewport, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(uniforms.u_now, now);
    gl.uniform1f(uniforms.u_pixel, pixel);
    gl.uniform1f(uniforms.u_radius, radiusAt(map.getZoom()) * pixel);
    gl.uniform1f(uniforms.u_shadow, 0.2);
    gl.uniform3f(uniforms.u_show, +this.shown.moving, +this.shown.standing, +this.shown.quiet);
    gl.uniform3fv(uniforms.u_moving, rgb("moving"));
    gl.uniform3fv(uniforms.u_standing, rgb("standing"));
    gl.uniform3fv(uniforms.u_quiet, rgb("quiet"));
    gl.uniform3fv(uniforms.u_outline, rgb("outline"));
    gl.uniform3fv(uniforms.u_chosen, rgb("chosen"));
    gl.uniform1f(uniforms.u_halo, 0);
    fleet.buffer.draw(gl, 0, fleet.size);
    const slot = fleet.slots.get(this.chosen);
    if (slot !== undefined) {
      gl.uniform1f(uniforms.u_halo, 1);
      fleet.buffer.draw(gl, slot, 1);
    }
    if (now < fleet.stillUntil) {
      map.triggerRepaint();
    }
  }
}
