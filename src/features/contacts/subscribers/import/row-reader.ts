/** Reads the rows of a part, and finds the unit and address of each row. */
import { AppError } from '../../../../errors/app-error.ts';
import { isAddress, normalizeAddress, sendableAddress } from '../../../../mail/address.ts';
import { ownerOfNew } from '../../../../resources/ownership.ts';
import type { Caller } from '../../../../tenancy/caller.ts';
import type { Definitions } from '../additional-fields.ts';
import type { BodyFields } from '../merged-body.ts';
import { type Part, readCells, readMember, type StagedRow } from './rows.ts';
import type { ImportErrors } from './schema.ts';

/** A valid row. */
export interface ReadRow {
  readonly line: number;
  readonly fields: BodyFields;
  readonly ownerId: string;
  readonly addressKey: string;
  /** Key of the subscriber; unique for a row without an address. */
  readonly key: string;
}

/** Options of reading rows. */
export interface ReadOptions {
  readonly caller: Caller;
  /** Unit of rows without a unit. */
  readonly ownerId: string;
  readonly definitions: Definitions;
}

const INVALID_UNIT = 'business_unit must reference a unit in which you are an editor';

/** Returns the valid rows, and the errors of the others. */
export function readRows(
  { columns, rows }: Part,
  options: ReadOptions,
): { readonly read: ReadRow[]; readonly errors: ImportErrors } {
  const owners = new Map<string, string | null>();
  const read: ReadRow[] = [];
  const errors: ImportErrors = [];
  for (const row of rows) {
    if ('fault' in row) {
      errors.push({ line: row.line, column: row.column, message: row.fault });
      continue;
    }
    const fields = readRow(columns, row, options.definitions);
    if (typeof fields === 'string') {
      errors.push({ line: row.line, message: fields });
      continue;
    }
    const keyed = addSubscriberKey(row.line, fields, options, owners);
    if (keyed === null) errors.push({ line: row.line, column: 'business_unit', message: INVALID_UNIT });
    else read.push(keyed);
  }
  return { read, errors };
}

/** Returns the key of a subscriber in a part. */
export function subscriberKey(ownerId: string, addressKey: string): string {
  return `${ownerId} ${addressKey}`;
}

function readRow(
  columns: readonly string[],
  row: Exclude<StagedRow, { readonly fault: string }>,
  definitions: Definitions,
): BodyFields | string {
  return 'cells' in row ? readCells(columns, row, definitions) : readMember(row.value);
}

function addSubscriberKey(
  line: number,
  fields: BodyFields,
  { caller, ownerId: defaultOwnerId }: ReadOptions,
  owners: Map<string, string | null>,
): ReadRow | null {
  const { business_unit: unit, email } = fields;
  if (typeof unit === 'string' && !owners.has(unit)) owners.set(unit, findOwner(caller, unit));
  const ownerId = typeof unit === 'string' ? owners.get(unit) : defaultOwnerId;
  if (!ownerId) return null;
  const hasAddress = typeof email === 'string' && isAddress(sendableAddress(email));
  const addressKey = hasAddress ? normalizeAddress(email) : '';
  return {
    line,
    fields,
    ownerId,
    addressKey,
    key: hasAddress ? subscriberKey(ownerId, addressKey) : `line ${line}`,
  };
}

function findOwner(caller: Caller, unit: string): string | null {
  try {
    return ownerOfNew({ kind: 'member', caller }, undefined, unit);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
