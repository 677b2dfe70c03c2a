/**
 * Turns for large bodies. Parsing and validating one blocks the event loop that all tenants share, so large bodies are
 * processed one at a time: tenants take turns, and after each step the loop is free for others for as long as the step
 * took (docs/decisions/0043-noisy-neighbours.md).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { shareBytes } from '../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { Counts, FairQueue } from '../work-queue/fair-queue.ts';
import { clientNetwork } from './client-network.ts';

/** Smaller bodies take less than a millisecond. */
const LARGE_BYTES = 64 * 1024;
/**
 * Limits of the bodies that wait for a turn, as parts of their share of the memory: per tenant, for all requests
 * without a tenant (such as visitors of public forms), and per client network among these. One body may always wait.
 */
const LIMITS = { perTenant: 1 / 4, publicTotal: 1 / 2, perNetwork: 1 / 8 } as const;
/** Requests without a tenant take turns with tenants as if they were of one. */
const PUBLIC = '';
/** How long a body waits for a turn, in ms. */
const MAX_WAIT_MS = 20_000;
const RETRY_SECONDS = 10;
/** Maximum number of pauses after one step. */
const MAX_PAUSES = 3;

const bodyTurns = oncePerPlatform((platform) => new BodyTurns(shareBytes(platform, 'waitingBodies')));

/**
 * Runs a step of reading a request's body: at once for a small body, in turn for a large one.
 * @throws AppError RATE_LIMITED if too many large bodies are waiting.
 */
export async function inBodyTurn<Result>(
  platform: Platform,
  { tessera: ctx, routeOptions, bodyBytes, ip }: FastifyRequest,
  step: () => Result,
): Promise<Result> {
  if (bodyBytes < LARGE_BYTES) return step();
  const tenantId = (ctx && routeOptions.config.surface?.identify(ctx).tenantId) ?? PUBLIC;
  const targetId = tenantId === PUBLIC ? clientNetwork(ip) : tenantId;
  return bodyTurns(platform).run({ tenantId, targetId }, bodyBytes, step);
}

/** Sender of a body: a tenant, or the network of a client without a tenant. */
interface BodySender {
  readonly tenantId: string;
  readonly targetId: string;
}

/** The turns of one process. */
export class BodyTurns {
  readonly #queue = new FairQueue({ total: 1, perTarget: 1 });
  readonly #waitingBytes = new Counts();
  readonly #waitingByTarget = new Counts();
  /** Maximum of all waiting bodies, in bytes. */
  readonly #limit: number;
  #allWaitingBytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async run<Result>(sender: BodySender, bytes: number, step: () => Result): Promise<Result> {
    const release = await this.#wait(sender, bytes);
    const startedAt = performance.now();
    try {
      return step();
    } finally {
      yieldEventLoop(performance.now() - startedAt).then(() => release());
    }
  }

  async #wait(sender: BodySender, bytes: number) {
    if (this.#isFull(sender, bytes)) throw tooManyBodies();
    this.#count(sender, bytes);
    try {
      const release = await this.#queue.enter({ ...sender, lane: 0, maxWaitMs: MAX_WAIT_MS });
      if (release === null) throw tooManyBodies();
      return release;
    } finally {
      this.#count(sender, -bytes);
    }
  }

  #isFull({ tenantId, targetId }: BodySender, bytes: number): boolean {
    const [ofAll, ofOne] =
      tenantId === PUBLIC ? [LIMITS.publicTotal, LIMITS.perNetwork] : [LIMITS.perTenant, LIMITS.perTenant];
    const exceeds = (waiting: number, part: number) => waiting > 0 && waiting + bytes > part * this.#limit;
    return (
      exceeds(this.#waitingBytes.of(tenantId), ofAll) ||
      exceeds(this.#waitingByTarget.of(targetId), ofOne) ||
      exceeds(this.#allWaitingBytes, 1)
    );
  }

  #count({ tenantId, targetId }: BodySender, bytes: number): void {
    this.#waitingBytes.add(tenantId, bytes);
    this.#waitingByTarget.add(targetId, bytes);
    this.#allWaitingBytes += bytes;
  }
}

/** Waits `ms`, and again for the time by which other work, such as collecting garbage, delayed the end of the wait. */
async function yieldEventLoop(ms: number): Promise<void> {
  let remainingMs = ms;
  for (let round = 0; round < MAX_PAUSES && remainingMs >= 1; round += 1) {
    const startedAt = performance.now();
    await pause(remainingMs);
    remainingMs = performance.now() - startedAt - remainingMs;
  }
}

function tooManyBodies(): AppError {
  return new AppError(RATE_LIMITED, {
    message: 'Too many large bodies at once. Send them one after the other.',
    retryAfterSeconds: RETRY_SECONDS,
  });
}
