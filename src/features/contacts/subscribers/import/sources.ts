/**
 * Reading of exports of other systems (docs/specification/subscribers.md#exports-of-other-systems). Subscribers that
 * the other system does not mail become inactive.
 */
import { isAddress, normalizeAddress } from '../../../../mail/address.ts';
import { type Definitions, kindOf } from '../additional-fields.ts';
import type { BodyFields } from '../merged-body.ts';
import { readValue } from './rows.ts';
import type { ImportSource, SuppressionReason } from './schema.ts';

/** A row of an export. */
export interface SourceRow {
  readonly fields: BodyFields;
  /** The suppression of the address; null if there is none. */
  readonly suppression: { readonly recipient: string; readonly type: SuppressionReason } | null;
}

/** Options of reading an export. */
export interface SourceOptions {
  readonly source: ImportSource;
  /** Reason to suppress all addresses of the file. */
  readonly suppress?: SuppressionReason;
  readonly definitions: Definitions;
}

/** Column of the address, by source. */
export const EMAIL_COLUMNS: Readonly<Record<ImportSource, string>> = {
  listmonk: 'email',
  mailchimp: 'Email Address',
};

/** Columns that only the export of this source has. */
const MARKS: Readonly<Record<ImportSource, readonly string[]>> = {
  listmonk: ['uuid', 'email', 'attributes', 'status'],
  mailchimp: ['Email Address', 'LEID', 'EUID'],
};

/** Returns the source of a file with these columns; null if it is another one. */
export function sourceOf(header: readonly string[]): ImportSource | null {
  const sources = ['listmonk', 'mailchimp'] as const;
  return sources.find((source) => MARKS[source].every((name) => header.includes(name))) ?? null;
}

/** Limits in characters: names of subscribers, reasons, and names of additional fields. */
const MAX_NAME = 200;
const MAX_REASON = 500;
const MAX_FIELD = 64;

/** Ignored columns, without data of the subscriber. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['uuid', 'created_at', 'updated_at'],
  ...['LEID', 'EUID', 'LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'LAST_CHANGED'],
  ...['UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'],
]);

/** Reads a row of an export, or returns its error. */
export function readSourceRow(
  names: readonly string[],
  cells: readonly string[],
  options: SourceOptions,
): SourceRow | string {
  const row = new Map(names.map((name, index) => [name, (cells[index] ?? '').trim()]));
  return options.source === 'listmonk' ? readListmonk(row, options) : readMailchimp(row, options);
}

type Cells = ReadonlyMap<string, string>;

/** Reads a row of listmonk: `uuid, email, name, attributes, status, created_at, updated_at`. */
function readListmonk(row: Cells, options: SourceOptions): SourceRow | string {
  const attributes = readAttributes(row.get('attributes') ?? '');
  if (typeof attributes === 'string') return attributes;
  const status = row.get('status') ?? '';
  const [first = '', ...rest] = (row.get('name') ?? '').split(/\s+/);
  const known = new Set(['email', 'name', 'attributes', 'status']);
  const suppression = options.suppress ?? (status === 'blocklisted' ? 'unsubscribe' : null);
  const reason = status === '' || status === 'enabled' ? null : `${status} in listmonk`;
  return toRow(row.get('email') ?? '', {
    name: [first, rest.join(' ')],
    data: { ...attributes, ...readOthers(row, known, options) },
    suppression,
    reason: reason ?? (suppression === null ? null : `${suppression} in listmonk`),
  });
}

/**
 * Reads a row of Mailchimp's files `subscribed`, `unsubscribed` (with `UNSUB_TIME`) or `cleaned` (with `CLEAN_TIME`).
 */
function readMailchimp(row: Cells, options: SourceOptions): SourceRow {
  const isCleaned = Boolean(row.get('CLEAN_TIME')) || options.suppress === 'bounce';
  const exclusion = isCleaned ? 'bounce' : row.get('UNSUB_TIME') ? 'unsubscribe' : null;
  const suppression = options.suppress ?? exclusion;
  const comment = row.get('UNSUB_REASON_OTHER') || row.get('UNSUB_REASON');
  const summary = isCleaned ? 'cleaned in Mailchimp' : 'unsubscribed in Mailchimp';
  const known = new Set(['Email Address', 'First Name', 'Last Name', 'UNSUB_REASON', 'UNSUB_REASON_OTHER']);
  return toRow(row.get('Email Address') ?? '', {
    name: [row.get('First Name') ?? '', row.get('Last Name') ?? ''],
    data: readOthers(row, known, options),
    suppression,
    reason: suppression === null ? null : comment ? `${summary}: ${comment}` : summary,
  });
}

function toRow(
  email: string,
  {
    name: [first, last],
    data,
    suppression,
    reason,
  }: {
    readonly name: readonly [string, string];
    readonly data: Readonly<Record<string, unknown>>;
    readonly suppression: SuppressionReason | null;
    readonly reason: string | null;
  },
): SourceRow {
  const recipient = normalizeAddress(email);
  return {
    fields: {
      email,
      ...(first === '' ? {} : { first_name: truncate(first, MAX_NAME) }),
      ...(last === '' ? {} : { last_name: truncate(last, MAX_NAME) }),
      ...(reason === null ? {} : { active: false, inactive_reason: truncate(reason, MAX_REASON) }),
      ...(Object.keys(data).length === 0 ? {} : { additional_fields_data: data }),
    },
    suppression: suppression !== null && isAddress(recipient) ? { recipient, type: suppression } : null,
  };
}

/** Reads the JSON in `attributes`. Values keep their types; objects and arrays become JSON text. */
function readAttributes(text: string): Readonly<Record<string, unknown>> | string {
  if (text === '') return {};
  const message = 'attributes is not a JSON object';
  let attributes: unknown;
  try {
    attributes = JSON.parse(text);
  } catch {
    return message;
  }
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return message;
  const members: [string, unknown][] = Object.entries(attributes);
  return Object.fromEntries(
    members.flatMap(([name, value]) => {
      if (value === null) return [];
      return [[fieldName(name), typeof value === 'object' ? JSON.stringify(value) : value]];
    }),
  );
}

/** Reads the cells of all other columns as additional fields. */
function readOthers(
  row: Cells,
  known: ReadonlySet<string>,
  { definitions }: SourceOptions,
): Readonly<Record<string, unknown>> {
  const others = [...row].filter(
    ([name, cell]) => name !== '' && cell !== '' && !known.has(name) && !IGNORED.has(name),
  );
  return Object.fromEntries(
    others.map(([name, cell]) => {
      const field = fieldName(name);
      return [field, readValue(cell, kindOf(definitions, field))];
    }),
  );
}

/** Returns a valid field name: `Phone Number` becomes `phone_number`. */
export function fieldName(name: string): string {
  const isWord = /^\w+$/.test(name) && /[a-z]/.test(name);
  return truncate(isWord ? name : name.replaceAll(/\W+/g, '_').toLowerCase(), MAX_FIELD);
}

function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).toWellFormed();
}
