/** The DNS records of a sending domain, and what the last check found of each. */
import type { schemas } from '../../../sdk/src/index.ts';

/** Purposes of records, the most important first. */
export const RECORD_KINDS = ['dkim', 'spf', 'dmarc', 'cname', 'mx'] as const;

/** Purpose of a record: `cname` is the one for returned mail. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** State of a record: `valid` if it was found, `invalid` if another is in its place, `pending` if there is none. */
export type RecordState = schemas.DomainStatus[`${RecordKind}_status`];

/** A record to publish, with its purpose and state. */
export interface PublishedRecord extends schemas.DnsRecord {
  readonly kind: RecordKind;
  readonly state: RecordState;
}

const IS_OF_KIND: Readonly<Record<RecordKind, (record: schemas.DnsRecord) => boolean>> = {
  dkim: ({ value }) => value.startsWith('v=DKIM1'),
  spf: ({ value }) => value.startsWith('v=spf1'),
  dmarc: ({ value }) => value.startsWith('v=DMARC1'),
  cname: ({ type }) => type === 'CNAME',
  mx: ({ type }) => type === 'MX',
};

/** Returns the records of a domain, the most important first, with the values that the last check found. */
export function recordsOf(
  { dns_records, status }: schemas.SendingDomain,
  checked: readonly schemas.DnsRecord[] = [],
): PublishedRecord[] {
  return RECORD_KINDS.flatMap((kind) =>
    dns_records.filter(IS_OF_KIND[kind]).map((record) => ({
      ...record,
      kind,
      state: status[`${kind}_status`],
      found: checked.find(IS_OF_KIND[kind])?.found,
    })),
  );
}

/** Returns the purposes of the records in a state, the most important first. */
export function kindsIn(state: RecordState, status: schemas.DomainStatus): RecordKind[] {
  return RECORD_KINDS.filter((kind) => status[`${kind}_status`] === state);
}
