import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST } from '../errors/platform-errors.ts';
import { findTargetFaults } from '../outbound/definition-targets.ts';
import { findPatternFaults } from '../patterns/tenant-patterns.ts';
import type { Platform } from '../platform.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyContext } from './context.ts';
import type { OfTenant, Route, RouteInput } from './route.ts';

/** Stores the response of a write in its transaction. If it throws, nothing is written. */
type StoreResponse = (tx: ScopedDb, response: unknown) => Promise<void>;

/** Callbacks around a write. */
export interface WriteHooks {
  /** Runs when the write has its database connection; if it throws, nothing is written. */
  readonly before?: () => void;
  readonly store?: StoreResponse;
}

/**
 * Runs a route for a checked request: its `handler`, or its `prepare` and then its `write` in a transaction. `store`
 * stores the response in that transaction. If the write fails, the route's `abandon` runs.
 */
export function runRoute(route: Route, ctx: AnyContext, input: RouteInput, hooks: WriteHooks = {}): unknown {
  return route.handler ? route.handler(ctx, input) : prepareAndWrite(route, ctx, input, hooks);
}

async function prepareAndWrite(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  hooks: WriteHooks,
): Promise<unknown> {
  const prepared = await prepareRoute(route, ctx, input);
  try {
    return await writePrepared(route, ctx, input, prepared, hooks);
  } catch (error) {
    // Report the original error, not the one from cleanup.
    await route.abandon?.(ctx, input, prepared).catch((failure: unknown) => {
      ctx.platform.observe({ event: 'background.failed', task: `abandon ${route.id}`, error: failure });
    });
    throw error;
  }
}

/**
 * Runs the steps before a route's `write`: checks patterns and addresses of a checked body, then runs `prepare`.
 * @throws AppError 400 with the area's code, and errors of `prepare`.
 */
export async function prepareRoute(route: Route, ctx: AnyContext, input: RouteInput): Promise<unknown> {
  await requirePatterns(route, ctx, input);
  await requireTargets(route, ctx, input);
  return route.prepare?.(ctx, input);
}

/** @throws AppError 400 with the area's code for patterns that are invalid or take too long to compile. */
async function requirePatterns(route: Route, ctx: AnyContext, { body }: RouteInput): Promise<void> {
  const patterns = route.patterns?.(body) ?? [];
  if (patterns.length === 0 || !('db' in ctx)) return;
  const issues = await findPatternFaults(ctx.platform, ctx.db.tenantId, patterns);
  if (issues.length > 0) throw new AppError(route.invalid ?? INVALID_REQUEST, { issues });
}

/** @throws AppError 400 with the area's code for forbidden target addresses. */
async function requireTargets(route: Route, ctx: AnyContext, { body }: RouteInput): Promise<void> {
  const targets = route.targets?.(body) ?? [];
  const issues = await findTargetFaults(ctx.platform.outbound, targets);
  if (issues.length > 0) throw new AppError(route.invalid ?? INVALID_REQUEST, { issues });
}

async function writePrepared(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  prepared: unknown,
  hooks: WriteHooks,
): Promise<unknown> {
  const { id, write, oneStatement } = route;
  if (!write) throw new Error(`Route ${id} has neither a handler nor a write.`);
  const db = 'db' in ctx ? ctx.db : openTenant(ctx.platform, id, prepared);
  if (oneStatement && hooks.store === undefined) return write({ ...ctx, db }, input, prepared);
  const work = async (tx: ScopedDb) => {
    hooks.before?.();
    const response = await write({ ...ctx, db: tx }, input, prepared);
    await hooks.store?.(tx, response);
    return response;
  };
  return transact(route, db, prepared, work);
}

/** Runs the write of a route in the kind of transaction that the route needs. */
function transact<T>(
  { changesTables }: Pick<Route, 'changesTables'>,
  db: ScopedDb,
  prepared: unknown,
  work: (tx: ScopedDb) => Promise<T>,
): Promise<T> {
  const changes = typeof changesTables === 'function' ? changesTables(prepared) : changesTables;
  return changes ? db.changeTables(work) : db.transaction(work);
}

function openTenant(platform: Platform, routeId: string, prepared: unknown): ScopedDb {
  if (!isOfTenant(prepared)) throw new Error(`The prepare of ${routeId} must return a tenantId.`);
  return platform.scoped(wholeTenant(prepared.tenantId));
}

function isOfTenant(prepared: unknown): prepared is OfTenant {
  return typeof prepared === 'object' && prepared !== null && 'tenantId' in prepared;
}
