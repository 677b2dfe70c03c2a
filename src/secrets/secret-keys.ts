/**
 * Which keys the secrets of a database are sealed with. Each has a row with a value that it alone opens: a process
 * that lacks one of them is refused, instead of failing at webhooks, mail and links later.
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

/** A key's id, and a value that this key alone opens. */
export type KeyCheck = Pick<SecretKeyRow, 'key_id' | 'check_value'>;

/** What is sealed, and what it is sealed under. */
const CHECK = 'secret-key';

/** SECRET_KEY does not belong to the database or backup. The message is one line for the operator. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SecretKeyError';
  }
}

/**
 * Sees that all keys are among those of this process; `of` says what they are the keys of ("database").
 * @throws SecretKeyError when one is not.
 */
export function requireKeys(secrets: SecretBox, known: readonly KeyCheck[], of: string): void {
  const isOurs = ({ check_value }: KeyCheck) =>
    openedOrNull(() => secrets.open(check_value, CHECK)) === CHECK;
  if (known.every(isOurs)) return;
  if (known.some(isOurs))
    throw new SecretKeyError(
      `SECRET_KEY_PREVIOUS is missing or wrong: some secrets of this ${of} are sealed with another key than SECRET_KEY. Set it until "tessera check" says that all are sealed anew.`,
    );
  throw notTheKey(of);
}

function notTheKey(of: string): SecretKeyError {
  return new SecretKeyError(
    `SECRET_KEY is not the one of this ${of}: its secrets are sealed with another. Set the key that it had.`,
  );
}

/** The keys that values of the database may be sealed with. */
export async function listKeys(all: EveryTenantDb): Promise<KeyCheck[]> {
  return all.query.selectFrom('secret_keys').select(['key_id', 'check_value']).orderBy('noted_at').execute();
}

/**
 * Refuses keys that are not the database's, and notes the present one, so that processes with another are refused from
 * now on. A database from before keys were noted is judged by what is sealed in it.
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
    if (found !== null && !secrets.keyIds.includes(found)) throw notTheKey('database');
  }
  await all.transaction(async (tx) => {
    // Of processes that start at once with different keys, all but one are refused.
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

/** Takes the present key for the only one: what other keys sealed is given up. For an operator who has lost them. */
export async function forgetOtherKeys({ database, secrets, clock }: KeyHolder): Promise<void> {
  const all = database.everyTenant('secret-keys');
  const check_value = secrets.seal(CHECK, CHECK);
  await all.query
    .insertInto('secret_keys')
    .values({ key_id: secrets.keyId, check_value, noted_at: clock() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await all.query.deleteFrom('secret_keys').where('key_id', '<>', secrets.keyId).execute();
}

/** What of the platform this takes. */
interface KeyHolder {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly clock: () => Date;
}
