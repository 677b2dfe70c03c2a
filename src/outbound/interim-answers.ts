/**
 * Leaves `100 Continue` out of what a connection receives. Some receivers send it although nobody asked, undici takes it for a broken
 * answer, and the delivery that the receiver has taken would be sent again. Other interim answers, such as 103, undici passes over.
 */
import type { Socket } from 'node:net';

const CONTINUE = 'HTTP/1.1 100';
/** An interim answer has no body, and few headers; a longer one is left to the parser, which refuses it. */
const MAX_HEAD = 4096;

/** Has `read` of a socket leave out interim answers `100` before the answer to each request. */
export function skipContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  let isAwaited = true;
  let written = socket.bytesWritten;
  let held: Buffer | null = null;
  socket.read = (size?: number) => {
    // A request went out since.
    if (socket.bytesWritten !== written) isAwaited = true;
    written = socket.bytesWritten;
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk) || !isAwaited) return chunk;
      const all: Buffer = held === null ? chunk : Buffer.concat([held, chunk]);
      const left = withoutContinue(all);
      held = left;
      if (left !== null && left.length > 0 && !mayBeContinue(left)) {
        isAwaited = false;
        held = null;
        return left;
      }
    }
  };
}

/** What stands behind the whole interim answers at the beginning of some bytes. */
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

/** True for the beginning of an interim answer that has not arrived whole. */
function mayBeContinue(bytes: Buffer): boolean {
  if (bytes.length > MAX_HEAD) return false;
  return (
    isContinue(bytes) || (bytes.length <= CONTINUE.length && CONTINUE.startsWith(bytes.toString('latin1')))
  );
}
