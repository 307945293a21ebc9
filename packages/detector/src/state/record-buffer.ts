/** Views of one buffer. They are replaced when it grows, so they are looked up at each use. */
export class RecordBuffer {
  bytes = new Uint8Array();
  floats = new Float32Array();
  doubles = new Float64Array();

  /** @param floats length, a multiple of two */
  constructor(floats: number) {
    this.resize(floats);
  }

  resize(floats: number): void {
    const bytes = new Uint8Array(floats * Float32Array.BYTES_PER_ELEMENT);
    bytes.set(this.bytes.subarray(0, bytes.length));
    this.bytes = bytes;
    this.floats = new Float32Array(bytes.buffer);
    this.doubles = new Float64Array(bytes.buffer);
  }
}
