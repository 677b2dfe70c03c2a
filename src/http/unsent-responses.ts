/**
 * Memory of large responses that clients have not read yet. Each is counted for its credential, its tenant and the
 * process until its last slice is handed to the connection. Over a limit, further responses are refused, so that
 * clients that request much and read nothing cannot fill the memory of the process.
 */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import { shareBytes } from '../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { Counts } from '../work-queue/fair-queue.ts';
import { clientNetwork } from './client-network.ts';
import { isStaticBody } from './static-file.ts';
import type { Identity } from './surface.ts';

/** Responses larger than this, in bytes, are counted and sent in slices of this size. */
const SLICE_BYTES = 64 * 1024;
const MIB = 1024 * 1024;
/**
 * Maximum unsent bytes of large responses, as parts of the share of members or visitors. A credential or tenant without
 * unsent bytes always gets one response.
 */
const LIMITS = { credential: 3 / 16, tenant: 3 / 8 } as const;
/** Time in which fast clients read their responses. */
const RETRY_AFTER_SECONDS = 5;
/** Headers of a body that is not sent. */
const BODY_HEADERS = ['cache-control', 'content-disposition', 'content-encoding', 'etag', 'last-modified'];

/** Keys by which unsent bytes are counted. For visitors, both are the client's network. */
interface BudgetKeys {
  readonly credential: string;
  readonly tenant: string;
}

interface Budget {
  readonly byTenant: Counts;
  readonly byCredential: Counts;
  /** Maximum of all, in bytes. */
  readonly limit: number;
  total: number;
}

const budgets = oncePerPlatform((platform) => {
  const budgets = {
    members: newBudget(shareBytes(platform, 'memberResponses')),
    visitors: newBudget(shareBytes(platform, 'visitorResponses')),
  };
  platform.metrics.gauge(
    'tessera_unsent_answer_bytes',
    'Bytes of large responses that clients have not read yet.',
    async () => budgets.members.total + budgets.visitors.total,
  );
  return budgets;
});

function newBudget(limit: number): Budget {
  return { byTenant: new Counts(), byCredential: new Counts(), limit, total: 0 };
}

/** Checks that the caller may get another large response, before anything is read. @throws AppError RATE_LIMITED. */
export function requireResponseMemory(platform: Platform, request: FastifyRequest): void {
  const budget = budgetOf(platform, request);
  // Usually 0, so that small responses on the hot path cost nothing.
  if (budget.total > 0 && isOver(budget, budgetKeysOf(request), 1)) throw tooManyUnsent();
}

/**
 * Counts a large body and returns it as a stream of slices; any other body is returned unchanged. Returns the error
 * RATE_LIMITED instead when the caller has too many unread responses, except after a write, which is already committed.
 */
export function countUnsent(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): unknown {
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body;
  const size = Buffer.byteLength(body);
  if (size <= SLICE_BYTES || request.method === 'HEAD') return body;
  const budget = budgetOf(platform, request);
  const keys = budgetKeysOf(request);
  // A body that is in memory anyway costs nothing.
  const counted = isStaticBody(body) ? 0 : size;
  if (counted > 0 && !request.routeOptions.config.route?.write && isOver(budget, keys, size)) {
    for (const name of BODY_HEADERS) reply.removeHeader(name);
    return tooManyUnsent();
  }
  change(budget, keys, counted);
  reply.header('content-length', size);
  // Release the request body: it may be as large as the response.
  request.body = undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const slices = slicesOf(bytes, platform.config.stalledWriteSeconds * 1000);
  slices.once('close', () => change(budget, keys, -counted));
  return slices;
}

/** Yields slices as the connection takes them. Fails when a MiB takes longer than `maxMsPerMib` on average. */
function slicesOf(bytes: Buffer, maxMsPerMib: number): Readable {
  const startedAt = performance.now();
  let sent = 0;
  return new Readable({
    highWaterMark: SLICE_BYTES,
    read() {
      if (performance.now() - startedAt > maxMsPerMib * (1 + sent / MIB))
        return this.destroy(new Error('The client reads the response too slowly.'));
      this.push(bytes.subarray(sent, sent + SLICE_BYTES));
      sent += SLICE_BYTES;
      if (sent >= bytes.length) this.push(null);
    },
  });
}

function isOver(
  { byCredential, byTenant, limit, total }: Budget,
  { credential, tenant }: BudgetKeys,
  size: number,
): boolean {
  const [ofCredential, ofTenant] = [byCredential.of(credential), byTenant.of(tenant)];
  return (
    (ofCredential > 0 && ofCredential + size > limit * LIMITS.credential) ||
    (ofTenant > 0 && (ofTenant + size > limit * LIMITS.tenant || total + size > limit))
  );
}

function change(budget: Budget, { credential, tenant }: BudgetKeys, bytes: number): void {
  budget.total += bytes;
  budget.byCredential.add(credential, bytes);
  budget.byTenant.add(tenant, bytes);
}

function budgetOf(platform: Platform, request: FastifyRequest): Budget {
  const { members, visitors } = budgets(platform);
  return identityOf(request)?.tenantId ? members : visitors;
}

function budgetKeysOf(request: FastifyRequest): BudgetKeys {
  const identity = identityOf(request);
  if (identity?.tenantId)
    return { credential: `${identity.tenantId} ${identity.caller}`, tenant: identity.tenantId };
  const network = clientNetwork(request.ip);
  return { credential: network, tenant: network };
}

function identityOf({ tessera, routeOptions }: FastifyRequest): Identity | null {
  return tessera && (routeOptions.config.surface?.identify(tessera) ?? null);
}

function tooManyUnsent(): AppError {
  const message = 'Too many large responses are still unread. Read them before requesting more.';
  return new AppError(RATE_LIMITED, { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
