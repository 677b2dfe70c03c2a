/**
 * Idempotency-Key on every POST for 24 h (decisions section 4). A committed marker claims the key; a member's
 * call, its effects and the stored answer then commit in one transaction, so that after a crash either all happened
 * or none did and the marker's lease lets the call be made again. Public and operator routes, and those that call
 * out or wait for a thread, store their answer after their effects. Answers may hold secrets: they are stored sealed.
 */
import { createHash } from 'node:crypto';
import { NIL } from 'uuid';
import { AppError } from '../errors/app-error.ts';
import { IDEMPOTENCY_CONFLICT, invalidRequest } from '../errors/platform-errors.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyContext, Route, RouteInput } from './route.ts';

const MAX_KEY_LENGTH = 255;
/** How long a key is remembered. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** After this a first call that left no answer is taken to have died with its process. */
const LEASE_MS = 60_000;
/** Owns the keys of calls that belong to no tenant (operator and public routes). */
const NO_TENANT = NIL;

export interface IdempotencyKeyRow {
  tenant_id: string;
  caller: string;
  key: string;
  fingerprint: Buffer;
  status: number | null;
  answer: string | null;
  leased_until: string | Date;
  created_at: string | Date;
}

declare module '../db/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeyRow;
  }
}

interface KeyOwner {
  readonly tenant_id: string;
  readonly caller: string;
  readonly key: string;
}

/** Runs the route once per key and body; a repeat gets the first answer. @throws AppError IDEMPOTENCY_CONFLICT. */
export async function runOnce(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  key: string,
  url: string,
): Promise<unknown> {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalidRequest([
      { field: 'Idempotency-Key', message: `must have 1 to ${MAX_KEY_LENGTH} characters` },
    ]);
  }
  const { platform } = ctx;
  const owner = ownerOf(ctx, key);
  const keys = platform.scoped(wholeTenant(owner.tenant_id));
  const sealedUnder = `idempotency ${owner.tenant_id} ${owner.caller} ${key}`;
  const earlier = await claim(keys, owner, fingerprint(url, ctx, input), ctx.now);
  if (earlier !== null) return JSON.parse(platform.secrets.open(earlier, sealedUnder));
  const store = (db: ScopedDb, answer: unknown) =>
    db.query
      .updateTable('idempotency_keys')
      .set({ status: 200, answer: platform.secrets.seal(JSON.stringify(answer), sealedUnder) })
      .where('caller', '=', owner.caller)
      .where('key', '=', key)
      .execute();
  try {
    if (!('db' in ctx) || route.callsOut) {
      const answer = await route.run(ctx, input);
      await store(keys, answer);
      return answer;
    }
    return await ctx.db.transaction(async (db) => {
      const answer = await route.run({ ...ctx, db }, input);
      await store(db, answer);
      return answer;
    });
  } catch (error) {
    // Nothing happened: the caller may mend its request and use the key again. When that cannot be written either,
    // the marker's lease ends by itself, and the first error is the one to tell.
    await keys.query
      .deleteFrom('idempotency_keys')
      .where('caller', '=', owner.caller)
      .where('key', '=', key)
      .execute()
      .catch(() => {});
    throw error;
  }
}

function ownerOf(ctx: AnyContext, key: string): KeyOwner {
  if ('caller' in ctx) return { tenant_id: ctx.caller.tenantId, caller: ctx.caller.membershipId, key };
  const caller = 'operator' in ctx ? 'operator' : `public ${ctx.client.address}`;
  return { tenant_id: NO_TENANT, caller, key };
}

/** Takes the key, or returns the sealed answer that an equal call left. */
async function claim(keys: ScopedDb, owner: KeyOwner, print: Buffer, now: Date): Promise<string | null> {
  const marker = {
    fingerprint: print,
    status: null,
    answer: null,
    leased_until: new Date(now.getTime() + LEASE_MS),
    created_at: now,
  };
  const taken = await keys.query
    .insertInto('idempotency_keys')
    .values({ ...owner, ...marker })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'caller', 'key'])
        .doUpdateSet(marker)
        .where((eb) =>
          eb.or([
            eb('idempotency_keys.created_at', '<', new Date(now.getTime() - IDEMPOTENCY_LIFETIME_MS)),
            eb.and([
              eb('idempotency_keys.status', 'is', null),
              eb('idempotency_keys.fingerprint', '=', print),
              eb('idempotency_keys.leased_until', '<', now),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst();
  if (taken) return null;
  const existing = await keys.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'answer'])
    .where('caller', '=', owner.caller)
    .where('key', '=', owner.key)
    .executeTakeFirst();
  if (!existing?.answer || !existing.fingerprint.equals(print)) throw new AppError(IDEMPOTENCY_CONFLICT);
  return existing.answer;
}

/** What makes two calls the same: address, Active unit and body. */
function fingerprint(url: string, ctx: AnyContext, input: RouteInput): Buffer {
  const unit = 'caller' in ctx ? (ctx.caller.activeUnitId ?? '') : '';
  return createHash('sha256')
    .update(`${url}\n${unit}\n${JSON.stringify(input.body ?? null)}`)
    .digest();
}
