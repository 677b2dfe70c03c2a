/** Suggestions of the fields that the columns of a file become. */
import { isAddress } from '../../../../mail/address.ts';
import { fieldOfHeader, isIgnoredHeader, isWholeName, withoutAccents } from './header-names.ts';
import { additionalColumn, isAdditionalColumn, isExportedColumn, MAPPED_COLUMNS } from './rows.ts';
import { fieldName } from './sources.ts';

/** A column of a file. */
export interface FileColumn {
  readonly header: string;
  readonly samples: readonly string[];
}

/** Returns the suggested field of each column; null to ignore it. No field is suggested twice. */
export function suggestFields(columns: readonly FileColumn[]): (string | null)[] {
  const taken = new Set<string>();
  const take = (field: string | null) => {
    if (field === null || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  const recognized = columns.map(({ header }) => take(ownField(header) ?? fieldOfHeader(header)));
  const named = columns.map(
    (column, index) => recognized[index] ?? take(nameField(column, taken) ?? addressField(column, taken)),
  );
  return columns.map(({ header }, index) => named[index] ?? take(additionalField(header)));
}

/** Returns the field that has the name of a header. */
function ownField(header: string): string | null {
  const isOwn = MAPPED_COLUMNS.includes(header) || isAdditionalColumn(header) || isExportedColumn(header);
  return isOwn ? header : null;
}

/** Returns the field of a column with whole names; next to first names, these are last names. */
function nameField({ header }: FileColumn, taken: ReadonlySet<string>): string | null {
  if (!isWholeName(header)) return null;
  return ['first_name', 'last_name'].find((field) => !taken.has(field)) ?? null;
}

/** Recognizes addresses by their content if no header means them. */
function addressField({ samples }: FileColumn, taken: ReadonlySet<string>): string | null {
  return !taken.has('email') && samples.length > 0 && samples.every(isAddress) ? 'email' : null;
}

function additionalField(header: string): string | null {
  if (isIgnoredHeader(header)) return null;
  const column = additionalColumn(fieldName(withoutAccents(header)));
  return /[A-Za-z0-9]/.test(withoutAccents(header)) && isAdditionalColumn(column) ? column : null;
}
