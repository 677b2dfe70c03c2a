/** Reading of a part's rows, with the unit and address of each. */
import { AppError } from '../../../../errors/app-error.ts';
import { isAddress, normalizeAddress, sendableAddress } from '../../../../mail/address.ts';
import { ownerOfNew } from '../../../../resources/ownership.ts';
import type { Caller } from '../../../../tenancy/caller.ts';
import type { Definitions } from '../additional-fields.ts';
import type { BodyFields } from '../merged-body.ts';
import { type Part, readCells, readMember, type StagedRow } from './rows.ts';
import type { ImportErrors } from './schema.ts';

/** A readable row. */
export interface ReadRow {
  readonly line: number;
  readonly given: BodyFields;
  readonly ownerId: string;
  readonly addressKey: string;
  /** Key of the subscriber; unique for a row without an address. */
  readonly place: string;
}

/** Options of reading rows. */
export interface ReadingRules {
  readonly caller: Caller;
  /** Unit of rows without a unit. */
  readonly ownerId: string;
  readonly definitions: Definitions;
}

const NO_UNIT = 'business_unit must reference a unit in which you are an editor';

/** Returns the readable rows, and the errors of the others. */
export function readRows(
  { columns, rows }: Part,
  rules: ReadingRules,
): { readonly read: ReadRow[]; readonly errors: ImportErrors } {
  const owners = new Map<string, string | null>();
  const read: ReadRow[] = [];
  const errors: ImportErrors = [];
  for (const row of rows) {
    if ('fault' in row) {
      errors.push({ line: row.line, column: row.column, message: row.fault });
      continue;
    }
    const given = readRow(columns, row, rules.definitions);
    if (typeof given === 'string') {
      errors.push({ line: row.line, message: given });
      continue;
    }
    const located = locate(row.line, given, rules, owners);
    if (located === null) errors.push({ line: row.line, column: 'business_unit', message: NO_UNIT });
    else read.push(located);
  }
  return { read, errors };
}

/** Returns the key of a subscriber in a part. */
export function placeOf(ownerId: string, addressKey: string): string {
  return `${ownerId} ${addressKey}`;
}

function readRow(
  columns: readonly string[],
  row: Exclude<StagedRow, { readonly fault: string }>,
  definitions: Definitions,
): BodyFields | string {
  return 'cells' in row ? readCells(columns, row, definitions) : readMember(row.value);
}

function locate(
  line: number,
  given: BodyFields,
  { caller, ownerId: usual }: ReadingRules,
  owners: Map<string, string | null>,
): ReadRow | null {
  const { business_unit: unit, email } = given;
  if (typeof unit === 'string' && !owners.has(unit)) owners.set(unit, findOwner(caller, unit));
  const ownerId = typeof unit === 'string' ? owners.get(unit) : usual;
  if (!ownerId) return null;
  const isUsable = typeof email === 'string' && isAddress(sendableAddress(email));
  const addressKey = isUsable ? normalizeAddress(email) : '';
  return {
    line,
    given,
    ownerId,
    addressKey,
    place: isUsable ? placeOf(ownerId, addressKey) : `line ${line}`,
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
