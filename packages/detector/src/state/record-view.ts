import type { RecordBuffer } from './record-buffer.ts';

/** A number in 64 or in 32 bits, a flag in a byte; or so many numbers in 32 bits each, which are read by index. */
type FieldKind = 'double' | 'float' | 'flag' | number;
type Fields = Readonly<Record<string, FieldKind>>;

type ListName<F extends Fields> = { [Name in keyof F]: F[Name] extends number ? Name : never }[keyof F];
type Values<F extends Fields> = {
  -readonly [Name in Exclude<keyof F, ListName<F>>]: F[Name] extends 'flag' ? boolean : number;
};
type Lists<F extends Fields> = { readonly [Name in ListName<F>]: (index: number) => number } & {
  readonly [Name in ListName<F> & string as `set${Capitalize<Name>}`]: (index: number, value: number) => void;
};

/** Place of a record in a buffer. */
export interface RecordPlace {
  readonly buffer: RecordBuffer;
  /** Beginning of the record in floats, a multiple of two. */
  first: number;
}

/** A view of a record in a buffer. It is moved to another record by `first`. */
class RecordView implements RecordPlace {
  readonly buffer: RecordBuffer;
  first: number;

  constructor(buffer: RecordBuffer, first = 0) {
    this.buffer = buffer;
    this.first = first;
  }
}

export interface ViewClass<F extends Fields> {
  new (buffer: RecordBuffer, first?: number): RecordView & Values<F> & Lists<F>;
  /** Floats that the fields take, a multiple of two. */
  readonly floats: number;
}

/**
 * Returns a class of views of records that begin with some fields, which it has by name: doubles first, flags last. A list
 * `counts` is read by `counts(index)` and written by `setCounts(index, value)`. Indices are not checked.
 */
export function defineView<const F extends Fields>(fields: F): ViewClass<F> {
  class View extends RecordView {}
  const define = (name: string, property: PropertyDescriptor & ThisType<RecordView>) =>
    Object.defineProperty(View.prototype, name, property);
  const namesOf = (kind: FieldKind) => Object.keys(fields).filter((name) => fields[name] === kind);
  let end = 0;
  const place = (bytes: number, length = 1) => (end += bytes * length) / bytes - length;
  for (const name of namesOf('double')) {
    const at = place(8); // as all places, a constant: compiled code has it inline
    define(name, {
      get() {
        return this.buffer.doubles[(this.first >> 1) + at];
      },
      set(value: number) {
        this.buffer.doubles[(this.first >> 1) + at] = value;
      },
    });
  }
  for (const name of namesOf('float')) {
    const at = place(4);
    define(name, {
      get() {
        return this.buffer.floats[this.first + at];
      },
      set(value: number) {
        this.buffer.floats[this.first + at] = value;
      },
    });
  }
  for (const [name, length] of Object.entries(fields)) {
    if (typeof length !== 'number') continue;
    const at = place(4, length);
    define(name, {
      value(index: number) {
        return this.buffer.floats[this.first + at + index];
      },
    });
    define(`set${name.charAt(0).toUpperCase()}${name.slice(1)}`, {
      value(index: number, value: number) {
        this.buffer.floats[this.first + at + index] = value;
      },
    });
  }
  for (const name of namesOf('flag')) {
    const at = place(1);
    define(name, {
      get() {
        return this.buffer.bytes[(this.first << 2) + at] === 1;
      },
      set(value: boolean) {
        this.buffer.bytes[(this.first << 2) + at] = value ? 1 : 0;
      },
    });
  }
  // The class has the fields that were defined above.
  return Object.assign(View, { floats: 2 * Math.ceil(end / 8) }) as unknown as ViewClass<F>;
}
