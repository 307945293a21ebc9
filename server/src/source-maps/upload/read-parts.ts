import { ApiError } from '../../platform/errors.ts';

interface Part {
  /** Name of the form's field. */
  name: string;
  fileName: string;
  content: Buffer;
}

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const DISPOSITION = /^content-disposition:(.*)$/im;
const NAME = /;\s*name="([^"]{0,100})"/i;
const FILE_NAME = /;\s*filename="([^"]{0,200})"/i;
const MAX_HEAD_BYTES = 4 * 1024;

/**
 * Reads the files of a form (RFC 7578). Other parts are left out.
 * @throws ApiError `bad_request`
 */
export function readParts(body: Buffer, contentType: string): Part[] {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw malformed();
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const parts: Part[] = [];
  // The first delimiter has no line break before it, and nothing before that counts.
  let at = body.indexOf(delimiter.subarray(2)) + delimiter.length - 2;
  if (at < delimiter.length - 2) throw malformed();
  while (body.toString('latin1', at, at + 2) !== '--') {
    const headEnd = body.indexOf('\r\n\r\n', at);
    const end = headEnd === -1 ? -1 : body.indexOf(delimiter, headEnd + 2);
    if (end === -1 || headEnd - at > MAX_HEAD_BYTES) throw malformed();
    const [, disposition = ''] = DISPOSITION.exec(body.toString('utf8', at, headEnd)) ?? [];
    const [name, fileName] = [NAME.exec(disposition)?.[1], FILE_NAME.exec(disposition)?.[1]];
    if (name !== undefined && fileName !== undefined)
      parts.push({ name, fileName, content: body.subarray(headEnd + 4, end) });
    at = end + delimiter.length;
  }
  return parts;
}

function malformed(): ApiError {
  return new ApiError('bad_request', 'The body is not a complete form (multipart/form-data).');
}
