/**
 * Memory for request bodies over the limit of content, which few routes accept. Parsing and writing such a body takes
 * several copies, so few are processed at once: a request waits for memory before its body is read. Tenants take turns.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { reserveMemory } from '../memory/reserve-memory.ts';
import type { Platform } from '../platform.ts';
import { CONTENT_BODY_BYTES } from './body-limit.ts';

/** How long a request waits for memory, in ms. */
const MAX_WAIT_MS = 20_000;
const RETRY_SECONDS = 10;

/**
 * Waits until there is memory for a request's body. The memory is released when the request has ended.
 * @throws AppError RATE_LIMITED if none is free within MAX_WAIT_MS.
 */
export async function reserveBodyMemory(
  platform: Platform,
  maxBodyBytes: number,
  tenantId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { 'content-length': length } = request.headers;
  // A chunked body may have any size.
  const size = length === undefined ? maxBodyBytes : Number(length);
  // Larger bodies are refused before they are read.
  if (size <= CONTENT_BODY_BYTES || size > maxBodyBytes) return;
  const release = await reserveMemory(platform, 'largeBodies', {
    tenantId,
    bytes: size,
    maxWaitMs: MAX_WAIT_MS,
  });
  if (release === null)
    throw new AppError(RATE_LIMITED, {
      message: 'Too many large bodies at once. Send them one after the other.',
      retryAfterSeconds: RETRY_SECONDS,
    });
  reply.raw.once('close', () => release());
  if (reply.raw.destroyed) release();
}
