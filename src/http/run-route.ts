import type { Platform } from '../platform.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyContext, OfTenant, Route, RouteInput } from './route.ts';

/** Where a write's answer is kept with what it writes. */
export interface AnswerStore {
  /** @throws when the answer may not be kept, and so nothing may be written. */
  store(tx: ScopedDb, answer: unknown): Promise<void>;
}

/**
 * Answers a checked request: by the route's `handler`, or by its `prepare` and then its `write` in a transaction, which
 * also stores the answer in `answers`, if given.
 */
export function runRoute(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  answers: AnswerStore | null = null,
): unknown {
  return route.handler ? route.handler(ctx, input) : prepareAndWrite(route, ctx, input, answers);
}

async function prepareAndWrite(
  { id, prepare, write, oneStatement }: Route,
  ctx: AnyContext,
  input: RouteInput,
  answers: AnswerStore | null,
): Promise<unknown> {
  if (!write) throw new Error(`Route ${id} has neither a handler nor a write.`);
  const prepared = await prepare?.(ctx, input);
  const db = 'db' in ctx ? ctx.db : openTenant(ctx.platform, id, prepared);
  if (oneStatement && answers === null) return write({ ...ctx, db }, input, prepared);
  return db.transaction(async (tx) => {
    const answer = await write({ ...ctx, db: tx }, input, prepared);
    await answers?.store(tx, answer);
    return answer;
  });
}

function openTenant(platform: Platform, routeId: string, prepared: unknown): ScopedDb {
  if (!isOfTenant(prepared)) throw new Error(`The preparation of ${routeId} names no tenant.`);
  return platform.scoped(wholeTenant(prepared.tenantId));
}

function isOfTenant(prepared: unknown): prepared is OfTenant {
  return typeof prepared === 'object' && prepared !== null && 'tenantId' in prepared;
}
