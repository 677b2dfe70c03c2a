/** Upload of a file: rows are staged while they arrive; a job applies them after the last one. */

import { v7 as uuidv7 } from 'uuid';
import { invalidRequest } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { type CsvRow, type CsvRules, readCsvRows } from '../../../../http/csv-rows.ts';
import { readJsonLines } from '../../../../http/json-lines.ts';
import type { Upload, UploadRules } from '../../../../http/upload.ts';
import { startOperation } from '../../../../long-operations/start-operation.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import { isDefaultAdmin, ownerOfNew } from '../../../../resources/ownership.ts';
import { createRecord, findRecord } from '../../../../resources/records.ts';
import {
  getSubscriberSettings,
  insertSuppressions,
  type NewSuppression,
} from '../../../email-settings/api.ts';
import { findGroupIssues, lists } from '../../subscriber-groups/index.ts';
import { subscriberImport } from './jobs.ts';
import { type Mapping, readMapping } from './mapping.ts';
import { deleteParts, insertPart } from './queries.ts';
import { imports } from './resource.ts';
import { isExportedColumn, KNOWN_COLUMNS, type StagedRow } from './rows.ts';
import type { ImportMode, ImportQuery } from './schema.ts';
import { EMAIL_COLUMNS, readSourceRow, type SourceOptions } from './sources.ts';

const [CSV, JSON_LINES] = ['text/csv', 'application/x-ndjson'];

/** Accepted files (docs/specification/subscribers.md#import). */
export const IMPORT_UPLOAD: UploadRules = {
  contentTypes: [CSV, JSON_LINES],
  maxBytes: 4 * 1024 ** 3,
  isText: true,
};

/** Size of a part in characters, to limit the size of statements with long rows. */
const MAX_PART_CHARS = 512 * 1024;

/** Maximum rows of one address in a part. They are written one after the other, which makes the transaction longer. */
const MAX_REPEATS = 20;

/** A staged file. */
export interface StagedFile {
  readonly importId: string;
  readonly parts: number;
  readonly total: number;
}

/**
 * Stages the rows of an upload. A failed upload leaves no rows.
 * @throws AppError INVALID_REQUEST for an unknown list, an invalid mapping or a header without a required column;
 *   FORBIDDEN or BUSINESS_UNIT_REQUIRED; the errors of reading an upload.
 */
export async function stageUpload(
  ctx: MemberContext,
  { list_id: listId, source, suppress, mapping: mappingText }: ImportQuery,
  upload: Upload,
): Promise<StagedFile> {
  ownerOfNew({ kind: 'member', caller: ctx.caller }, undefined, undefined);
  if (suppress !== undefined && source === undefined)
    throw invalidRequest([{ field: 'suppress', message: 'is allowed only with source' }]);
  const mapping = mappingText === undefined ? null : readMapping(mappingText);
  if (mapping !== null && (source !== undefined || upload.mediaType !== CSV))
    throw invalidRequest([{ field: 'mapping', message: 'is allowed only for CSV without source' }]);
  if (listId !== undefined) await requireList(ctx, listId);
  const importId = uuidv7();
  try {
    if (source === undefined) return await stageRows(ctx, importId, readRows(upload, mapping));
    const { subscriber_additional_fields: definitions } = await getSubscriberSettings(ctx.db);
    const rules = { source, definitions, ...(suppress && { suppress }) };
    return await stageRows(ctx, importId, readExport(ctx, upload, rules));
  } catch (error) {
    await deleteParts(ctx.db, importId, ctx.platform.config.jobBatchSize);
    throw error;
  }
}

/** Starts the import of a staged file. @throws AppError FORBIDDEN, BUSINESS_UNIT_REQUIRED. */
export async function queueImport(
  ctx: MemberContext,
  { mode, list_id = null }: { readonly mode: ImportMode; readonly list_id?: string | null },
  { importId, parts, total }: StagedFile,
): Promise<{ import_id: string }> {
  const { owner_bu_id: unitId } = await createRecord(ctx, imports, { mode, list_id }, { key: importId });
  const list = list_id === null ? null : await findRecord(ctx.db, lists, list_id);
  const params = { mode, list_id, parts };
  await startOperation(ctx, subscriberImport, { id: importId, params, title: list?.name, total, unitId });
  return { import_id: importId };
}

async function requireList({ db }: MemberContext, listId: string): Promise<void> {
  const [issue] = await findGroupIssues(db, { lists: [listId], audiences: [] }, { lists: [], audiences: [] });
  if (issue !== undefined) throw invalidRequest([{ field: 'list_id', message: issue.message }]);
}

/** A row with the header of its file. */
interface FileRow {
  readonly columns: readonly string[];
  readonly row: StagedRow;
}

async function* readRows(
  { mediaType, charset, bytes }: Upload,
  mapping: Mapping | null,
): AsyncGenerator<FileRow> {
  if (mediaType === JSON_LINES) {
    for await (const row of readJsonLines(bytes)) yield { columns: [], row };
    return;
  }
  const rules: CsvRules = {
    required: ['email'],
    known: KNOWN_COLUMNS,
    charset,
    isExact: true,
    ...(mapping && { renamed: mapping }),
  };
  for await (const each of readCsvRows(bytes, rules)) yield { columns: each.names, row: toStaged(each) };
}

function toStaged(row: CsvRow): StagedRow {
  const { line, names } = row;
  if ('fault' in row) return { line, fault: row.fault, column: row.column };
  const fault = findFault(names, row.cells);
  if (fault !== null) return { line, ...fault };
  const quoted = row.quoted.filter((index) => isExportedColumn(names[index] ?? ''));
  return { line, cells: row.cells, ...(quoted.length > 0 ? { quoted } : {}) };
}

/**
 * Reads the rows of an export of another system. Suppressions are written before the import starts if the caller may do
 * that; without them the subscribers are inactive in any case.
 */
async function* readExport(
  ctx: MemberContext,
  { mediaType, charset, bytes }: Upload,
  rules: SourceOptions,
): AsyncGenerator<FileRow> {
  if (mediaType !== CSV)
    throw invalidRequest([{ field: 'source', message: 'requires a file of type text/csv' }]);
  const suppressed = new Map<string, NewSuppression>();
  const write = async () => {
    if (isDefaultAdmin(ctx.caller)) await insertSuppressions(ctx.db, [...suppressed.values()], ctx.now);
    suppressed.clear();
  };
  const required = [EMAIL_COLUMNS[rules.source]];
  for await (const each of readCsvRows(bytes, { required, charset, isExact: true, allowsDuplicates: true })) {
    const { line, names } = each;
    const staged = toStaged(each);
    const read = 'cells' in staged ? readSourceRow(names, staged.cells, rules) : null;
    if (read === null) yield { columns: [], row: staged };
    else if (typeof read === 'string') yield { columns: [], row: { line, fault: read } };
    else {
      const { fields, suppression } = read;
      const description = `From ${rules.source}: ${fields.inactive_reason ?? ''}`;
      if (suppression !== null) suppressed.set(suppression.recipient, { ...suppression, description });
      yield { columns: [], row: { line, value: fields } };
    }
    if (suppressed.size >= ctx.platform.config.jobBatchSize) await write();
  }
  await write();
}

/** Finds content that bodies of the API may not have either. */
function findFault(
  names: readonly string[],
  cells: readonly string[],
): { readonly fault: string; readonly column?: string } | null {
  const index = names.findIndex((name, position) => name.includes('\0') || cells[position]?.includes('\0'));
  const column = (names[index] ?? '').replaceAll('\0', '');
  if (index !== -1) return { fault: `${column} must not contain the character U+0000`.trim(), column };
  return names.some((name) => name.endsWith('__proto__'))
    ? { fault: 'must not have a column "__proto__"' }
    : null;
}

async function stageRows(
  { db, platform }: MemberContext,
  importId: string,
  rows: AsyncIterable<FileRow>,
): Promise<StagedFile> {
  let [parts, total, length] = [0, 0, 0];
  let columns: readonly string[] = [];
  const waiting: string[] = [];
  const times = new Map<unknown, number>();
  const write = async () => {
    const content = `{"columns":${JSON.stringify(columns)},"rows":[${waiting.join(',')}]}`;
    await insertPart(db, { importId, part: parts }, content);
    parts += 1;
    length = 0;
    waiting.length = 0;
    times.clear();
  };
  for await (const { columns: names, row } of rows) {
    columns = names;
    const text = JSON.stringify(row);
    total += 1;
    length += text.length;
    waiting.push(text);
    const email = emailIn(names, row);
    const repeats = email === null ? 0 : (times.get(email) ?? 0) + 1;
    times.set(email, repeats);
    const isFull = waiting.length >= platform.config.jobBatchSize || length >= MAX_PART_CHARS;
    if (isFull || repeats >= MAX_REPEATS) await write();
  }
  if (waiting.length > 0) await write();
  return { importId, parts, total };
}

/** Returns the normalized address of a row; null if there is none. */
function emailIn(columns: readonly string[], row: StagedRow): string | null {
  const email =
    'cells' in row
      ? row.cells[columns.indexOf('email')]
      : 'value' in row && typeof row.value === 'object' && Reflect.get(row.value ?? {}, 'email');
  return typeof email === 'string' && email !== '' ? normalizeAddress(email) : null;
}
