/** The error for a request body over its route's limit. */
import { AppError } from '../errors/app-error.ts';
import { PAYLOAD_TOO_LARGE } from '../errors/platform-errors.ts';

const KIB = 1024;
const UNITS = ['KiB', 'MiB', 'GiB'];

/** Returns the error for a body of more than `maxBytes`; its message states that limit. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(PAYLOAD_TOO_LARGE, { message: `The body must be at most ${sizeText(maxBytes)}.` });
}

/** A size in the largest unit of which it has at least one. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${Math.floor(bytes / KIB ** power)} ${UNITS[power - 1] ?? 'bytes'}`;
}
