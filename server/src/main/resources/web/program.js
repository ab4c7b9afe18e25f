// WebGL 2 programs with instanced quads: what the riders' and the trails' layers share.

/** A linked program with the places of its uniforms. */
export function link(gl, vertexSource, fragmentSource, attributes) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getShaderInfoLog(shader));
    }
    gl.attachShader(program, shader);
  }
  attributes.forEach((name, index) => gl.bindAttribLocation(program, index, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(gl.getProgramInfoLog(program));
  }
  const uniforms = {};
  for (let i = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) - 1; i >= 0; i--) {
    const { name } = gl.getActiveUniform(program, i);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

/** The map's matrix for points given relative to an origin; multiplied in doubles, then rounded. */
export function matrixAt(matrix, [x, y]) {
  const moved = new Float32Array(16);
  for (let row = 0; row < 4; row++) {
    moved[row] = matrix[row];
    moved[row + 4] = matrix[row + 4];
    moved[row + 8] = matrix[row + 8];
    moved[row + 12] = matrix[row] * x + matrix[row + 4] * y + matrix[row + 12];
  }
  return moved;
}

/** Floats that live on both sides: written here, uploaded once a frame, only what changed. */
export class InstanceBuffer {
  /** @param layout how many floats each attribute has, in order */
  constructor(layout, capacity) {
    this.layout = layout;
    this.stride = layout.reduce((sum, size) => sum + size, 0);
    this.data = new Float32Array(capacity * this.stride);
    this.touchAll();
  }

  get capacity() {
    return this.data.length / this.stride;
  }

  /** Makes room for that many instances, twice as much as before at least. */
  reserve(count) {
    if (count > this.capacity) {
      const grown = new Float32Array(Math.max(count, this.capacity * 2) * this.stride);
      grown.set(this.data);
      this.data = grown;
      this.touchAll();
    }
  }

  touch(instance) {
    this.from = Math.min(this.from, instance);
    this.to = Math.max(this.to, instance + 1);
  }

  touchAll() {
    this.from = 0;
    this.to = this.capacity;
    this.isNew = true;
  }

  /** To be called when the context is new. */
  create(gl) {
    this.buffer = gl.createBuffer();
    this.vertices = gl.createVertexArray();
    this.touchAll();
  }

  /** Brings what changed to the card. At most one upload a frame. */
  upload(gl) {
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    if (this.isNew) {
      gl.bufferData(gl.ARRAY_BUFFER, this.data, gl.DYNAMIC_DRAW);
    } else if (this.from < this.to) {
      const start = this.from * this.stride;
      gl.bufferSubData(gl.ARRAY_BUFFER, start * 4, this.data, start, this.to * this.stride - start);
    }
    this.isNew = false;
    this.from = Infinity;
    this.to = 0;
  }

  /** Draws instances as quads of two triangles; the corner comes from gl_VertexID. */
  draw(gl, first, count) {
    if (count <= 0) {
      return;
    }
    gl.bindVertexArray(this.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let offset = first * this.stride;
    this.layout.forEach((size, index) => {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, this.stride * 4, offset * 4);
      gl.vertexAttribDivisor(index, 1);
      offset += size;
    });
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
    gl.bindVertexArray(null);
  }
}
