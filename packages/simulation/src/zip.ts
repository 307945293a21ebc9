/** File of a ZIP file, packed before; what it says of itself may be untrue. */
export interface PackedFile {
  name: string;
  packed: Buffer;
  /** Length of the content in bytes. */
  size: number;
  /** CRC-32 of the content. */
  crc: number;
  /** 8: deflated, the default. */
  method?: number;
  /** Length that the headers say; by default that of `packed`. */
  packedSize?: number;
}

/**
 * Makes a ZIP file by the headers of PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
 * @param head bytes before the first file
 */
export function zipPacked(entries: readonly PackedFile[], head: Buffer = Buffer.alloc(0)): Buffer {
  const files: Buffer[] = [head];
  const directory: Buffer[] = [];
  let offset = head.length;
  for (const { name, packed, size, crc, method = 8, packedSize = packed.length } of entries) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packedSize, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, tail, Buffer.from(name));
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed];
    for (const part of local) {
      files.push(part);
      offset += part.length;
    }
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}
