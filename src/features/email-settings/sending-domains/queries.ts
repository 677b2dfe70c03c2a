import type { ColumnType, Selectable } from 'kysely';
import type { Time } from '../../../db/tables.ts';
import type { JsonColumn } from '../../../resources/field-types.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { DomainStatus } from './schema.ts';

interface SendingDomainTable {
  tenant_id: string;
  domain: string;
  created_at: ColumnType<string, Date, never>;
  vouched: boolean;
  bounces_since: Time | null;
  dkim_selector: string;
  dkim_private_key: string;
  dkim_public_key: string;
  status: JsonColumn<DomainStatus>;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    sending_domains: SendingDomainTable;
  }
}

const PUBLIC_COLUMNS = [
  'domain',
  'created_at',
  'vouched',
  'bounces_since',
  'dkim_selector',
  'dkim_public_key',
  'status',
] as const;

/** A sending domain as it is stored, without its private key. */
export type SendingDomain = Pick<Selectable<SendingDomainTable>, (typeof PUBLIC_COLUMNS)[number]>;

/** A domain to be stored; `sealedPrivateKey` is sealed under its tenant and name. */
export interface NewDomain {
  readonly domain: string;
  readonly now: Date;
  readonly vouched: boolean;
  readonly status: DomainStatus;
  readonly selector: string;
  readonly publicKey: string;
  readonly sealedPrivateKey: string;
}

/** What a check or an operator changes of a domain. */
export type DomainChange = Pick<SendingDomain, 'vouched' | 'status'> & {
  readonly bounces_since: string | Date | null;
};

/** All sending domains, the oldest first. */
export function listDomains(db: ScopedDb): Promise<SendingDomain[]> {
  return db.query
    .selectFrom('sending_domains')
    .select(PUBLIC_COLUMNS)
    .orderBy('created_at')
    .orderBy('domain')
    .execute();
}

/** The sending domain of this name (normal form). */
export function findDomain(db: ScopedDb, domain: string): Promise<SendingDomain | undefined> {
  return db.query
    .selectFrom('sending_domains')
    .select(PUBLIC_COLUMNS)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** The sending domain of this name, kept from changing until the transaction ends. */
export function lockDomain(tx: ScopedDb, domain: string): Promise<SendingDomain | undefined> {
  return tx.query
    .selectFrom('sending_domains')
    .select(PUBLIC_COLUMNS)
    .where('domain', '=', domain)
    .forUpdate()
    .executeTakeFirst();
}

/** Selector and sealed private key of a domain. */
export function findSealedKey(db: ScopedDb, domain: string) {
  return db.query
    .selectFrom('sending_domains')
    .select(['dkim_selector', 'dkim_private_key'])
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** The name of the verified domain whose bounce name leads here for the longest time. */
export function findBouncingDomain(db: ScopedDb) {
  return db.query
    .selectFrom('sending_domains')
    .select('domain')
    .where('bounces_since', 'is not', null)
    .orderBy('bounces_since')
    .orderBy('domain')
    .limit(1)
    .executeTakeFirst();
}

/** Inserts a domain; undefined when the tenant has it already. */
export function insertDomain(tx: ScopedDb, domain: NewDomain): Promise<SendingDomain | undefined> {
  return tx.query
    .insertInto('sending_domains')
    .values({
      tenant_id: tx.tenantId,
      domain: domain.domain,
      created_at: domain.now,
      vouched: domain.vouched,
      bounces_since: domain.vouched ? domain.now : null,
      dkim_selector: domain.selector,
      dkim_public_key: domain.publicKey,
      dkim_private_key: domain.sealedPrivateKey,
      status: JSON.stringify(domain.status),
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'domain']).doNothing())
    .returning(PUBLIC_COLUMNS)
    .executeTakeFirst();
}

/** Writes what a check or an operator has changed. */
export async function updateDomain(tx: ScopedDb, domain: string, change: DomainChange): Promise<void> {
  await tx.query
    .updateTable('sending_domains')
    .set({ ...change, status: JSON.stringify(change.status) })
    .where('domain', '=', domain)
    .execute();
}

/** Deletes a domain; false when there is none. */
export async function deleteDomainRow(tx: ScopedDb, domain: string): Promise<boolean> {
  const { numDeletedRows } = await tx.query
    .deleteFrom('sending_domains')
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
