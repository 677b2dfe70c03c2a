/** Limits of request bodies (docs/specification/conventions.md#bodies), and the error over one. */
import { AppError } from '../errors/app-error.ts';
import { PAYLOAD_TOO_LARGE } from '../errors/platform-errors.ts';

/** The largest body of a route that states no limit of its own (`maxBodyBytes`). */
export const MAX_BODY_BYTES = 1024 * 1024;
/**
 * The limit of routes that accept filters or content: pages, mail, forms, records, flows, conversations, and what other
 * systems send.
 */
export const CONTENT_BODY_BYTES = 10 * 1024 * 1024;

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
