/**
 * Idempotency-Key on every POST for 24 h (decisions section 4). A committed marker claims the key; what a member's
 * call writes and its stored answer then commit in one transaction, so that after a crash either both exist or neither
 * does and the marker's lease lets the call be made again. Calls that write nothing, and those of public and operator
 * routes, whose marker belongs to no tenant, have their answer stored after it was made. Answers may hold secrets: they
 * are stored sealed.
 */
import { createHmac } from 'node:crypto';
import { NIL } from 'uuid';
import { AppError } from '../errors/app-error.ts';
import { IDEMPOTENCY_CONFLICT, invalidRequest } from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { deriveKey } from '../secrets/derived-key.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyContext, Route, RouteInput } from './route.ts';
import { type AnswerStore, runRoute } from './run-route.ts';
import type { Identity } from './surface.ts';

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

/** What makes a call one that is made once. */
export interface KeyedCall {
  /** The Idempotency-Key as it was sent. */
  readonly key: string;
  /** Method and address. */
  readonly url: string;
  readonly identity: Identity;
}

/** Runs the route once per key and body; a repeat gets the first answer. @throws AppError IDEMPOTENCY_CONFLICT. */
export async function runOnce(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  { key, url, identity }: KeyedCall,
): Promise<unknown> {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalidRequest([
      { field: 'Idempotency-Key', message: `must have 1 to ${MAX_KEY_LENGTH} characters` },
    ]);
  }
  const owner = { tenant_id: identity.tenantId ?? NO_TENANT, caller: identity.caller, key };
  const marker = new Marker(ctx.platform, owner, ctx.now);
  const earlier = await marker.claim(fingerprint(ctx.platform, `${url}\n${identity.unit}`, input));
  if (earlier !== null) return JSON.parse(earlier);
  let answer: unknown;
  try {
    answer = await runRoute(route, ctx, input, marker);
  } catch (error) {
    await marker.remove();
    throw error;
  }
  // What was done is done: when the answer cannot be stored, the caller still gets it.
  await marker.storeLate(answer);
  return answer;
}

/** The claim of one call on its key. It is known by the end of its lease: a call that came later has another. */
class Marker implements AnswerStore {
  readonly #platform: Platform;
  readonly #owner: KeyOwner;
  readonly #keys: ScopedDb;
  readonly #now: Date;
  readonly #leasedUntil: Date;
  #isStored = false;

  constructor(platform: Platform, owner: KeyOwner, now: Date) {
    this.#platform = platform;
    this.#owner = owner;
    this.#keys = platform.scoped(wholeTenant(owner.tenant_id));
    this.#now = now;
    this.#leasedUntil = new Date(now.getTime() + LEASE_MS);
  }

  /** Takes the key, or returns the answer that an equal call left. @throws AppError IDEMPOTENCY_CONFLICT. */
  async claim(print: Buffer): Promise<string | null> {
    const sealed = await claim(this.#keys, this.#owner, print, {
      now: this.#now,
      leasedUntil: this.#leasedUntil,
    });
    return sealed === null ? null : this.#platform.secrets.open(sealed, this.#sealedUnder);
  }

  /** Stores the answer in the transaction of the call's effects. @throws AppError when the lease was lost. */
  async store(tx: ScopedDb, answer: unknown): Promise<void> {
    // A transaction reaches one tenant's rows, and a visitor's or an operator's marker is of none.
    if (tx.tenantId !== this.#owner.tenant_id) return;
    if (!(await this.#write(tx, answer))) throw new AppError(IDEMPOTENCY_CONFLICT);
    this.#isStored = true;
  }

  /** Stores the answer after the effects, unless it was stored with them. Never rejects. */
  async storeLate(answer: unknown): Promise<void> {
    if (this.#isStored) return;
    await this.#write(this.#keys, answer).catch((error: unknown) =>
      this.#platform.observe({ event: 'background.failed', task: 'store the answer of a call', error }),
    );
  }

  /**
   * The call came to nothing: its caller may mend the request and use the key again. An answer that was committed
   * stays, whatever became of the connection that should have told so. When the marker cannot be removed either, its
   * lease ends by itself, and the first error is the one to tell.
   */
  async remove(): Promise<void> {
    await this.#keys.query
      .deleteFrom('idempotency_keys')
      .where('caller', '=', this.#owner.caller)
      .where('key', '=', this.#owner.key)
      .where('leased_until', '=', this.#leasedUntil)
      .where('answer', 'is', null)
      .execute()
      .catch(() => {});
  }

  /** False when the lease ended and another call has taken the key. */
  async #write(db: ScopedDb, answer: unknown): Promise<boolean> {
    const { numUpdatedRows } = await db.query
      .updateTable('idempotency_keys')
      .set({ status: 200, answer: this.#platform.secrets.seal(JSON.stringify(answer), this.#sealedUnder) })
      .where('caller', '=', this.#owner.caller)
      .where('key', '=', this.#owner.key)
      .where('leased_until', '=', this.#leasedUntil)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  get #sealedUnder(): string {
    const { tenant_id, caller, key } = this.#owner;
    return `idempotency ${tenant_id} ${caller} ${key}`;
  }
}

/** Takes the key, or returns the sealed answer that an equal call left. */
async function claim(
  keys: ScopedDb,
  owner: KeyOwner,
  print: Buffer,
  { now, leasedUntil }: { readonly now: Date; readonly leasedUntil: Date },
): Promise<string | null> {
  const marker = {
    fingerprint: print,
    status: null,
    answer: null,
    leased_until: leasedUntil,
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

const fingerprintKey = oncePerPlatform(({ config }) => deriveKey(config.secretKey, 'idempotency'));

/**
 * What makes two calls the same: address, Active unit and body. Under a key: a body may hold a password, which nobody
 * who reads the database shall be able to guess at.
 */
function fingerprint(platform: Platform, place: string, { body }: RouteInput): Buffer {
  return createHmac('sha256', fingerprintKey(platform))
    .update(`${place}\n${JSON.stringify(body ?? null)}`)
    .digest();
}
