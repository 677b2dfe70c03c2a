/**
 * Removes `100 Continue` from the data of a connection. Some receivers send it without being asked. undici treats it as
 * a malformed response, so an accepted delivery would be sent again. undici itself skips other interim responses, such
 * as 103.
 */
import type { Socket } from 'node:net';

const CONTINUE = 'HTTP/1.1 100';
/**
 * Maximum size of an interim response, in bytes: it has no body and few headers. The parser rejects longer ones.
 */
const MAX_HEAD = 4096;

/** Makes `read` of a socket skip interim responses `100` before the response to each request. */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let isAwaited = true;
  let written = socket.bytesWritten;
  let incomplete: Buffer | null = null;
  socket.read = (size?: number) => {
    // Another request has been sent since the last read.
    if (socket.bytesWritten !== written) isAwaited = true;
    written = socket.bytesWritten;
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk) || !isAwaited) return chunk;
      const all: Buffer = incomplete === null ? chunk : Buffer.concat([incomplete, chunk]);
      const left = withoutContinue(all);
      incomplete = left;
      if (left !== null && left.length > 0 && !mayBeContinue(left)) {
        isAwaited = false;
        incomplete = null;
        return left;
      }
    }
  };
}

/** Returns the bytes after complete interim answers at the beginning. */
function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isContinue(rest)) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return rest;
    rest = rest.subarray(end + 4);
  }
  return rest;
}

function isContinue(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 100[ \r]/.test(bytes.toString('latin1', 0, CONTINUE.length + 1));
}

/** True if the bytes begin an incomplete interim answer. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD) return false;
  return (
    isContinue(bytes) || (bytes.length <= CONTINUE.length && CONTINUE.startsWith(bytes.toString('latin1')))
  );
}
