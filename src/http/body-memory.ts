/**
 * Memory for request bodies over the usual limit, which a few routes accept. Parsing and writing such a body takes
 * several copies, so few are processed at once: a request waits for memory before its body is read. Tenants take turns.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { FairQueue } from '../work-queue/fair-queue.ts';
import { MAX_BODY_BYTES } from './json-body.ts';
import type { Route } from './route.ts';

const MIB = 1024 * 1024;
/** Maximum bytes of large bodies, per process and per tenant. */
const BUDGET = { total: 128 * MIB, perTarget: 64 * MIB } as const;
/** How long a request waits for memory, in ms. */
const MAX_WAIT_MS = 20_000;
const RETRY_SECONDS = 10;

const budget = oncePerPlatform(() => new FairQueue(BUDGET));

/**
 * Waits until there is memory for a request's body. The memory is released when the request has ended.
 * @throws AppError RATE_LIMITED if none is free within MAX_WAIT_MS.
 */
export async function reserveBodyMemory(
  platform: Platform,
  { maxBodyBytes = MAX_BODY_BYTES }: Pick<Route, 'maxBodyBytes'>,
  tenantId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { 'content-length': length } = request.headers;
  // A chunked body may have any size.
  const size = length === undefined ? maxBodyBytes : Number(length);
  // Larger bodies are refused before they are read.
  if (size <= MAX_BODY_BYTES || size > maxBodyBytes) return;
  const entry = { tenantId, targetId: tenantId, lane: 0, size, maxWaitMs: MAX_WAIT_MS };
  const release = await budget(platform).enter(entry);
  if (release === null)
    throw new AppError(RATE_LIMITED, {
      message: 'Too many large bodies at once. Send them one after the other.',
      retryAfterSeconds: RETRY_SECONDS,
    });
  reply.raw.once('close', () => release());
  if (reply.raw.destroyed) release();
}
