/**
 * Idempotency-Key on every POST that writes, for 24 h (docs/specification/conventions.md#repeated-calls). A committed
 * marker claims the key. A member's write and its stored response commit in one transaction: after a crash either both
 * exist or neither does, and the call can be repeated when the marker's lease ends. The lease is renewed while the call
 * runs. Calls that write nothing, and those of public and operator routes (whose marker belongs to no tenant), store
 * their response afterwards. Responses may contain secrets, so they are stored encrypted.
 */

import { createHmac, type KeyObject } from 'node:crypto';
import { NIL } from 'uuid';
import type { Time } from '../db/tables.ts';
import { parseWritten } from '../db/written-json.ts';
import { AppError } from '../errors/app-error.ts';
import {
  IDEMPOTENCY_CONFLICT,
  IDEMPOTENT_ANSWER_NOT_STORED,
  invalidRequest,
} from '../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { deriveKeys } from '../secrets/derived-key.ts';
import type { SealedColumn } from '../secrets/sealed-columns.ts';
import { IDEMPOTENCY_RESPONSES } from '../stored-bytes/kinds.ts';
import { storedBytes } from '../stored-bytes/stored-bytes.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyContext } from './context.ts';
import { JsonText } from './json-text.ts';
import { LargeResponse } from './large-response.ts';
import type { Route, RouteInput } from './route.ts';
import { runRoute, type WriteHooks } from './run-route.ts';
import type { Identity } from './surface.ts';

const MAX_KEY_LENGTH = 255;
/** Larger responses are not stored: a repeat of the call is refused. */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** How long a key is remembered. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** After this time, a call without a response is assumed to have died with its process. */
const LEASE_MS = 60_000;
/** How often the lease of a running call is renewed. */
const RENEW_MS = 20_000;
/** The caller of `operatorSurface`. */
const OPERATOR = 'operator';
/** Owns the keys of calls that belong to no tenant (operator and public routes). */
const NO_TENANT = NIL;

interface IdempotencyKeyRow {
  tenant_id: string;
  caller: string;
  key: string;
  fingerprint: Buffer;
  status: number | null;
  answer: string | null;
  leased_until: Time;
  created_at: Time;
}

declare module '../db/tables.ts' {
  interface Tables {
    idempotency_keys: IdempotencyKeyRow;
  }
}

/** Returns true if calls of the route with the same Idempotency-Key run once. */
export function takesKey({ method, reply, readsOnly, ignoresKey }: Route): boolean {
  return method === 'POST' && reply !== undefined && !readsOnly && !ignoresKey;
}

/** A call with a key; `url` is method and address. */
interface KeyedCall extends Required<Pick<WriteHooks, 'before'>> {
  readonly key: string;
  readonly url: string;
  readonly identity: Identity;
}

/**
 * Runs the route once per key and body; a repeat gets the first response, or an error when that was too large to store.
 * @throws AppError IDEMPOTENCY_CONFLICT, INVALID_REQUEST for a key that is too long or empty.
 */
export async function runOnce(
  route: Route,
  ctx: AnyContext,
  input: RouteInput,
  { key, url, identity, before }: KeyedCall,
): Promise<unknown> {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalidRequest([
      { field: 'Idempotency-Key', message: `must have 1 to ${MAX_KEY_LENGTH} characters` },
    ]);
  }
  const marker = new Marker(ctx, identity, key);
  const earlier = await marker.claim(fingerprints(ctx.platform, `${url}\n${identity.unit}`, input));
  if (earlier !== null) {
    // Concurrent repeats may all have started before the first of them was counted.
    before();
    return parseWritten(earlier);
  }
  const renewal = setInterval(() => void marker.renew(), RENEW_MS);
  let answer: unknown;
  try {
    const store: WriteHooks['store'] = (tx, written) => marker.store(tx, written);
    answer = await runRoute(route, ctx, input, { before, store });
    if (answer instanceof LargeResponse) throw new Error(`${route.id} must declare that it only reads.`);
  } catch (error) {
    await marker.remove();
    throw error;
  } finally {
    clearInterval(renewal);
  }
  // The write is committed: the caller gets the response even if it cannot be stored.
  await marker.storeLate(answer);
  return answer;
}

/** The claim of one call on its key, identified by its time: a later call has another time. */
class Marker {
  readonly #platform: Platform;
  readonly #keys: ScopedDb;
  readonly #key: { readonly caller: string; readonly key: string };
  readonly #now: Date;
  #isStored = false;

  constructor({ platform, now }: AnyContext, { tenantId, caller }: Identity, key: string) {
    this.#platform = platform;
    this.#keys = platform.scoped(wholeTenant(tenantId ?? NO_TENANT));
    this.#key = { caller, key };
    this.#now = now;
  }

  /**
   * Claims the key, or returns the stored response of an equal call.
   * @throws AppError IDEMPOTENCY_CONFLICT, or IDEMPOTENT_ANSWER_NOT_STORED when the equal call's response was not
   * stored.
   */
  async claim(fingerprints: readonly [Buffer, ...Buffer[]]): Promise<string | null> {
    if (await this.#take(fingerprints)) {
      // Read now: the response may be written in a transaction, which must not wait for another connection.
      if (this.#hasQuota) await storedBytes(this.#platform).read(this.#keys, IDEMPOTENCY_RESPONSES);
      return null;
    }
    const existing = await this.#keys.query
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'status', 'answer'])
      .where((eb) => eb.and(this.#key))
      .executeTakeFirst();
    if (!existing?.status || !fingerprints.some((print) => existing.fingerprint.equals(print)))
      throw new AppError(IDEMPOTENCY_CONFLICT);
    if (existing.answer === null) throw new AppError(IDEMPOTENT_ANSWER_NOT_STORED);
    return this.#platform.secrets.open(existing.answer, this.#sealedUnder);
  }

  /** Extends the lease for a call that still runs. Never rejects. */
  async renew(): Promise<void> {
    await this.#keys.query
      .updateTable('idempotency_keys')
      .set({ leased_until: later(this.#platform.clock(), LEASE_MS) })
      .where((eb) => eb.and(this.#own))
      .where('status', 'is', null)
      .execute()
      .catch((error: unknown) =>
        this.#platform.observe({ event: 'background.failed', task: 'renew the lease of a call', error }),
      );
  }

  /** Stores the response in the transaction of the call's writes. @throws AppError when the lease was lost. */
  async store(tx: ScopedDb, answer: unknown): Promise<void> {
    // A transaction reaches one tenant's rows; the marker of a visitor or an operator belongs to none.
    if (tx.tenantId !== this.#keys.tenantId) return;
    if (!(await this.#write(tx, answer))) throw new AppError(IDEMPOTENCY_CONFLICT);
    this.#isStored = true;
  }

  /** Stores the response after the writes, unless it was stored with them. Never rejects. */
  async storeLate(answer: unknown): Promise<void> {
    if (this.#isStored) return;
    await this.#write(this.#keys, answer).catch((error: unknown) =>
      this.#platform.observe({ event: 'background.failed', task: 'store the response of a call', error }),
    );
  }

  /**
   * Releases the key after a failed call, so that its caller can correct the request and use the key again. A committed
   * response stays, even if its connection broke before the commit was confirmed. If the marker cannot be removed
   * either, its lease ends by itself and the caller gets the first error.
   */
  async remove(): Promise<void> {
    await this.#keys.query
      .deleteFrom('idempotency_keys')
      .where((eb) => eb.and(this.#own))
      .where('status', 'is', null)
      .execute()
      .catch(() => {});
  }

  /** Returns true if the key was free or expired, or if an equal call left no response before its lease ended. */
  async #take(fingerprints: readonly [Buffer, ...Buffer[]]): Promise<boolean> {
    const now = this.#now.toISOString();
    const expiry = later(this.#now, -IDEMPOTENCY_LIFETIME_MS);
    const marker = {
      fingerprint: fingerprints[0],
      status: null,
      answer: null,
      leased_until: later(this.#now, LEASE_MS),
      created_at: now,
    };
    const taken = await this.#keys.query
      .insertInto('idempotency_keys')
      .values({ tenant_id: this.#keys.tenantId, ...this.#key, ...marker })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'caller', 'key'])
          .doUpdateSet(marker)
          .where((eb) =>
            eb.or([
              eb('idempotency_keys.created_at', '<', expiry),
              eb.and([
                eb('idempotency_keys.status', 'is', null),
                eb('idempotency_keys.fingerprint', 'in', fingerprints),
                eb('idempotency_keys.leased_until', '<', now),
              ]),
            ]),
          ),
      )
      .returning('key')
      .executeTakeFirst();
    return taken !== undefined;
  }

  /**
   * Returns false when the lease has ended and another call has claimed the key. For a large response, or once the
   * tenant's quota is used up, only a marker without the response is stored.
   */
  async #write(db: ScopedDb, result: unknown): Promise<boolean> {
    const text = result instanceof JsonText ? result.text : JSON.stringify(result);
    const isStorable = Buffer.byteLength(text) <= MAX_RESPONSE_BYTES && !this.#isQuotaUsedUp;
    const answer = isStorable ? this.#platform.secrets.seal(text, this.#sealedUnder) : null;
    const { numUpdatedRows } = await db.query
      .updateTable('idempotency_keys')
      .set({ status: 200, answer })
      .where((eb) => eb.and(this.#own))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (answer !== null) db.afterCommit(() => this.#count(answer.length));
    return true;
  }

  /** The operator is trusted. Responses to visitors must not use up the quota of the operator's. */
  get #hasQuota(): boolean {
    return this.#key.caller !== OPERATOR;
  }

  get #isQuotaUsedUp(): boolean {
    if (!this.#hasQuota) return false;
    return storedBytes(this.#platform).hasReached(this.#keys.tenantId, IDEMPOTENCY_RESPONSES, 1);
  }

  #count(bytes: number): void {
    if (this.#hasQuota)
      storedBytes(this.#platform).add(this.#keys.tenantId, IDEMPOTENCY_RESPONSES, bytes, this.#now);
  }

  get #own() {
    return { ...this.#key, created_at: this.#now.toISOString() };
  }

  get #sealedUnder(): string {
    return responseSealedUnder(this.#keys.tenantId, this.#key.caller, this.#key.key);
  }
}

/** The column of stored responses. */
export const sealedResponses: SealedColumn = {
  table: 'idempotency_keys',
  column: 'answer',
  type: 'text',
  key: { caller: 'text', key: 'text' },
  sealedUnder: ({ tenant_id = '', caller = '', key = '' }) => responseSealedUnder(tenant_id, caller, key),
};

function responseSealedUnder(tenantId: string, caller: string, key: string): string {
  return `idempotency ${tenantId} ${caller} ${key}`;
}

const fingerprintKeys = oncePerPlatform(({ config }) => deriveKeys(config, 'idempotency'));

/**
 * Hashes of the parts that make two calls equal: address, Active unit and body. They are keyed, so that a reader of the
 * database cannot guess a password in the body. The first hash is stored; calls of earlier releases may have another.
 */
function fingerprints(platform: Platform, call: string, { body }: RouteInput): [Buffer, ...Buffer[]] {
  const text = `${call}\n${JSON.stringify(body ?? null)}`;
  const [key, ...before] = fingerprintKeys(platform);
  const print = (each: KeyObject) => createHmac('sha256', each).update(text).digest();
  return [print(key), ...before.map(print)];
}

function later(moment: Date, milliseconds: number): string {
  return new Date(moment.getTime() + milliseconds).toISOString();
}
