/** Imports suppressions from a CSV file, such as an export of another system, while the file arrives. */
import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { type CsvRow, readCsvRows } from '../../../http/csv-rows.ts';
import type { Upload, UploadRules } from '../../../http/upload.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { isAddress, normalizeAddress } from '../../../mail/address.ts';
import { textOfCell } from '../../../reports/csv.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { id, integer, json, moment } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { createRecord, getRecord } from '../../../resources/records.ts';
import { defineResource } from '../../../resources/resource.ts';
import { insertSuppressions, type NewSuppression } from '../queries.ts';
import { MAX_DESCRIPTION, SuppressionType } from './resource.ts';

/** Limits of the uploaded file (docs/specification/subscribers.md#import). */
export const IMPORT_UPLOAD: UploadRules = {
  contentTypes: ['text/csv'],
  maxBytes: 4 * 1024 ** 3,
  isText: true,
};
/** Maximum number of errors that are stored for a file. */
const MAX_ERRORS = 1000;

const COLUMNS = ['recipient', 'type', 'description'];

const RowError = Type.Object({
  column: Type.Optional(Type.String({ description: 'Column at fault; absent for the whole row.' })),
  message: Type.String(),
});
type RowError = Static<typeof RowError>;

const ImportErrors = Type.Array(
  Type.Object(
    {
      line: Type.Integer({ description: 'First line of the row; the header is line 1.' }),
      ...RowError.properties,
    },
    { title: 'SuppressionImportFault' },
  ),
  { description: `At most ${MAX_ERRORS}.` },
);

const count = integer(Type.Integer(), {});

const fields = {
  id,
  created_at: moment,
  total: count,
  created: count,
  failed: count,
  errors: json(ImportErrors, { declared: true }),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    suppression_imports: TableOf<typeof fields>;
  }
}

const imports = defineResource({
  table: 'suppression_imports',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  guard: requireDefaultAdmin,
  fields,
});

/** Result of an import. */
export const SuppressionImport = Type.Object(
  {
    status: Type.Literal('completed', { description: 'The upload returns when the import is done.' }),
    total: Type.Integer({ description: 'Rows without the header.' }),
    created: Type.Integer(),
    updated: Type.Literal(0, { description: 'Always 0: existing suppressions stay unchanged.' }),
    unchanged: Type.Integer({ description: 'Rows of recipients already suppressed.' }),
    failed: Type.Integer(),
    errors: ImportErrors,
  },
  { title: 'SuppressionImport' },
);

/** Counts and errors of the rows read so far. */
interface Tally {
  total: number;
  created: number;
  failed: number;
  readonly errors: Static<typeof ImportErrors>;
}

/**
 * Suppresses the recipients of a file in batches. The batches of an aborted upload stay, and a repeated upload leaves
 * them unchanged.
 * @throws AppError FORBIDDEN; INVALID_REQUEST for a header without `recipient`; errors of reading an upload.
 */
export async function readImport(ctx: MemberContext, { bytes, charset }: Upload): Promise<Tally> {
  requireDefaultAdmin(ctx.caller);
  const { jobBatchSize } = ctx.platform.config;
  const tally: Tally = { total: 0, created: 0, failed: 0, errors: [] };
  const batch = new Map<string, NewSuppression>();
  const write = async () => {
    tally.created += await insertSuppressions(ctx.db, [...batch.values()], ctx.now);
    batch.clear();
  };
  for await (const row of readCsvRows(bytes, { required: ['recipient'], known: COLUMNS, charset })) {
    tally.total += 1;
    const read = readRow(row);
    if ('message' in read) {
      tally.failed += 1;
      if (tally.errors.length < MAX_ERRORS) tally.errors.push({ line: row.line, ...read });
    } else if (!batch.has(read.recipient)) batch.set(read.recipient, read);
    if (batch.size >= jobBatchSize) await write();
  }
  await write();
  return tally;
}

/** Stores the result of an import. */
export async function storeImport(ctx: MemberContext, tally: Tally): Promise<{ import_id: string }> {
  const { id: importId } = await createRecord(ctx, imports, { ...tally });
  return { import_id: importId };
}

/** Returns the result of an import. @throws AppError NOT_FOUND. */
export async function getImport(
  { caller, db }: MemberContext,
  importId: string,
): Promise<Static<typeof SuppressionImport>> {
  if (!readsShared(caller)) throw new AppError(NOT_FOUND);
  const { total, created, failed, errors } = await getRecord(db, imports, importId);
  const unchanged = total - created - failed;
  return { status: 'completed', total, created, updated: 0, unchanged, failed, errors };
}

/** Parses a row. Returns a suppression, or the first error of the row. */
function readRow(row: CsvRow): NewSuppression | RowError {
  if ('fault' in row) return { column: row.column, message: row.fault };
  const recipient = normalizeAddress(textOfCell(row.cell('recipient')).trim());
  const type = row.cell('type').trim() || 'unsubscribe';
  const description = textOfCell(row.cell('description'));
  if (!isAddress(recipient)) return rowError('recipient', 'must be a valid email address');
  if (!SuppressionType.enum.some((known) => known === type))
    return rowError('type', `must be one of ${SuppressionType.enum.join(', ')}`);
  if (description.length > MAX_DESCRIPTION)
    return rowError('description', `must be at most ${MAX_DESCRIPTION} characters`);
  if (description.includes('\0')) return rowError('description', 'must not contain the character U+0000');
  return { recipient, type, description };
}

function rowError(column: string, message: string): RowError {
  return { column, message: `${column} ${message}` };
}

/** Retention of import results. */
export const importRetention = defineRetention({
  description: 'results of suppression imports',
  keptHours: 30 * 24,
  table: 'suppression_imports',
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: true,
});
