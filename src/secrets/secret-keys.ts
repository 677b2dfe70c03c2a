/**
 * Keys with which the secrets of a database are encrypted. Each has a row with a value that only this key decrypts. A
 * process that lacks one of them does not start; otherwise webhooks, mail and links would fail later.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Time } from '../db/tables.ts';
import { findSealingKey, type SealedColumn } from './sealed-columns.ts';
import { openedOrNull, type SecretBox } from './secret-box.ts';

interface SecretKeyRow {
  key_id: string;
  check_value: string;
  noted_at: Time;
}

declare module '../db/tables.ts' {
  interface Tables {
    secret_keys: SecretKeyRow;
  }
}

/** Id of a key, and a value that only this key decrypts. */
export type KeyCheck = Pick<SecretKeyRow, 'key_id' | 'check_value'>;

/** Plaintext and record id of the check values. */
const CHECK = 'secret-key';

/** Thrown when SECRET_KEY does not belong to the database or backup. The message is one line for the operator. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretKeyError';
  }
}

/**
 * Requires that this process has all `known` keys; `of` names their owner in messages ("database").
 * @throws SecretKeyError if one is missing.
 */
export function requireKeys(secrets: SecretBox, known: readonly KeyCheck[], of: string): void {
  const isDecryptable = ({ check_value }: KeyCheck) =>
    openedOrNull(() => secrets.open(check_value, CHECK)) === CHECK;
  if (known.every(isDecryptable)) return;
  if (known.some(isDecryptable))
    throw new SecretKeyError(
      `SECRET_KEY_PREVIOUS is missing or wrong: some secrets of this ${of} are encrypted with another key than SECRET_KEY. Set it until "tessera check" reports that all secrets are encrypted with SECRET_KEY.`,
    );
  throw wrongKey(of);
}

function wrongKey(of: string): SecretKeyError {
  return new SecretKeyError(
    `SECRET_KEY is not the one of this ${of}: its secrets are encrypted with another key. Set the original key.`,
  );
}

/** Returns the keys with which values of the database may be encrypted. */
export async function listKeys(all: EveryTenantDb): Promise<KeyCheck[]> {
  return all.query.selectFrom('secret_keys').select(['key_id', 'check_value']).orderBy('noted_at').execute();
}

/**
 * Checks the keys of this process against the database, and registers the current one, so that processes with other
 * keys are refused. A database without registered keys is checked by its encrypted values.
 * @throws SecretKeyError
 */
export async function checkSecretKeys(
  database: Database,
  secrets: SecretBox,
  columns: readonly SealedColumn[],
  now: Date,
): Promise<void> {
  const all = database.everyTenant('secret-keys');
  const known = await listKeys(all);
  requireKeys(secrets, known, 'database');
  if (known.some(({ key_id }) => key_id === secrets.keyId)) return;
  if (known.length === 0) {
    const found = await findSealingKey(all, columns);
    if (found !== null && !secrets.keyIds.includes(found)) throw wrongKey('database');
  }
  await all.transaction(async (tx) => {
    // If processes start together with different keys, all but one are refused.
    await tx.raw(sql`lock table secret_keys in share row exclusive mode`);
    requireKeys(secrets, await listKeys(tx), 'database');
    const check_value = secrets.seal(CHECK, CHECK);
    await tx.query
      .insertInto('secret_keys')
      .values({ key_id: secrets.keyId, check_value, noted_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/**
 * Makes the current key the only one. Values of other keys become unreadable; for operators who have lost those keys.
 */
export async function forgetOtherKeys({ database, secrets, clock }: KeyContext): Promise<void> {
  const all = database.everyTenant('secret-keys');
  const check_value = secrets.seal(CHECK, CHECK);
  await all.query
    .insertInto('secret_keys')
    .values({ key_id: secrets.keyId, check_value, noted_at: clock() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await all.query.deleteFrom('secret_keys').where('key_id', '<>', secrets.keyId).execute();
}

/** The parts of the platform that `forgetOtherKeys` needs. */
interface KeyContext {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: () => Date;
}
