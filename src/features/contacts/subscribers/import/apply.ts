/** Writes the rows of a part in an open transaction: in sets of rows, each with a few statements. */

import { AppError, type Issue } from '../../../../errors/app-error.ts';
import type { MemberContext } from '../../../../http/context.ts';
import type { RecordChange } from '../../../../long-operations/changes.ts';
import { getSubscriberSettings, type SubscriberSettings } from '../../../email-settings/api.ts';
import { findGroupIssues, type Groups, listGroupsOf } from '../../subscriber-groups/index.ts';
import { type SubscriberChange, toChange, writeChanges } from '../changes.ts';
import { lockSubscribers, type StoredSubscriber } from '../locked-subscribers.ts';
import { mergedBody, type SubscriberBody } from '../merged-body.ts';
import { findSettingIssues } from '../service.ts';
import { type ReadRow, readRows, subscriberKey } from './row-reader.ts';
import { columnOf, type Part } from './rows.ts';
import type { ImportErrors, ImportMode } from './schema.ts';

/** Context of an import; `db` is the open transaction. */
export type ImportContext = Pick<MemberContext, 'platform' | 'caller' | 'db' | 'now'>;

/** The change of a row. */
type RowChange = SubscriberChange & { readonly line: number };

type RowError = Omit<ImportErrors[number], 'line'>;

/** Result of applying rows. */
export interface RowResults {
  readonly created: number;
  readonly updated: number;
  /** One error for each failed row, sorted by line. */
  readonly errors: ImportErrors;
  readonly changes: readonly RecordChange[];
}

/** How rows are applied. */
export interface ImportOptions {
  readonly mode: ImportMode;
  /** A list that all rows join. */
  readonly listId: string | null;
  /** The unit of rows without a unit. */
  readonly ownerId: string;
}

const KINDS = ['lists', 'audiences'] as const;
const NO_GROUPS: Groups = { lists: [], audiences: [] };
/** Largest number of reported issues of a row; the first one usually causes the others. */
const MAX_ISSUES = 5;
/** Length of a row's error message, in characters. */
const MAX_MESSAGE_CHARS = 500;
const EXISTING_ADDRESS: RowError = {
  column: 'email',
  message: 'email is the address of an existing subscriber',
};

/**
 * Writes the valid rows. A later row of an address changes the result of an earlier one.
 * @throws AppError DUPLICATE_EMAIL if another transaction has just created one of the subscribers: the caller must roll
 *   back and retry.
 */
export async function applyRows(
  ctx: ImportContext,
  { mode, listId, ownerId }: ImportOptions,
  part: Part,
): Promise<RowResults> {
  const settings = await getSubscriberSettings(ctx.db);
  const addedLists = await findAddedLists(ctx, listId);
  const definitions = settings.subscriber_additional_fields;
  const { read, errors } = readRows(part, { caller: ctx.caller, ownerId, definitions });
  const mayUpdate = mode === 'upsert';
  const keys = new Set<string>();
  const written: RecordChange[] = [];
  let [created, updated] = [0, 0];
  for (const rows of toSets(read)) {
    // Checked without a query, as all rows of a file may have the same address.
    const taken = mayUpdate ? [] : rows.filter(({ key }) => keys.has(key));
    errors.push(...taken.map(({ line }) => ({ line, ...EXISTING_ADDRESS })));
    const remaining = taken.length === 0 ? rows : rows.filter(({ key }) => !keys.has(key));
    const { changes, failed } = await prepareSet(ctx, remaining, {
      settings,
      mayUpdate,
      columns: part.columns,
    });
    written.push(...toRecordChanges(changes, await writeChanges(ctx, changes, addedLists)));
    for (const { ownerId, addressKey } of changes) keys.add(subscriberKey(ownerId, addressKey));
    errors.push(...failed);
    created += changes.filter(({ current }) => current === null).length;
    updated += changes.filter(({ current }) => current !== null).length;
  }
  return { created, updated, errors: errors.sort((a, b) => a.line - b.line), changes: written };
}

function toRecordChanges(
  changes: readonly RowChange[],
  written: readonly { readonly id: string; readonly version: number }[],
): RecordChange[] {
  const created = new Set(changes.filter(({ current }) => current === null).map(({ id }) => id));
  return written.map(({ id, version }) => ({
    key: id,
    before: created.has(id) ? null : version - 1,
    after: version,
  }));
}

/** Splits rows into sets without duplicate addresses, in the order of the rows. */
function toSets(rows: readonly ReadRow[]): ReadRow[][] {
  const sets: ReadRow[][] = [];
  const occurrences = new Map<string, number>();
  for (const row of rows) {
    const times = occurrences.get(row.key) ?? 0;
    occurrences.set(row.key, times + 1);
    const set = sets[times];
    if (set === undefined) sets.push([row]);
    else set.push(row);
  }
  return sets;
}

/** Returns the list to which all subscribers are added; empty if it was deleted since the upload. */
async function findAddedLists({ db }: ImportContext, listId: string | null): Promise<string[]> {
  if (listId === null) return [];
  const issues = await findGroupIssues(db, { lists: [listId], audiences: [] }, NO_GROUPS);
  return issues.length === 0 ? [listId] : [];
}

/** Returns the changes of the valid rows, and the errors of the others. */
async function prepareSet(
  { db, now }: ImportContext,
  rows: readonly ReadRow[],
  {
    settings,
    mayUpdate,
    columns,
  }: {
    readonly settings: SubscriberSettings;
    readonly mayUpdate: boolean;
    readonly columns: readonly string[];
  },
): Promise<{ readonly changes: RowChange[]; readonly failed: ImportErrors }> {
  if (rows.length === 0) return { changes: [], failed: [] };
  const found = await findSubscribers(db, rows);
  const failed: ImportErrors = [];
  const candidates: RowChange[] = [];
  for (const row of rows) {
    const current = found.get(row.key) ?? null;
    const result = current !== null && !mayUpdate ? EXISTING_ADDRESS : bodyOf(row.fields, current, now);
    if ('issues' in result) failed.push({ line: row.line, ...toRowError(result.issues, columns) });
    else if ('message' in result) failed.push({ line: row.line, ...result });
    else candidates.push({ ...toChange(row, result.body, current), line: row.line });
  }
  const issuesOf = await groupIssues(db, candidates);
  const changes = candidates.filter((change) => {
    const issues = [...issuesOf(change), ...findSettingIssues(change.provided, settings)];
    if (issues.length > 0) failed.push({ line: change.line, ...toRowError(issues, columns) });
    return issues.length === 0;
  });
  return { changes, failed };
}

/** Completes a row with the stored subscriber, or returns its issues. */
function bodyOf(
  fields: ReadRow['fields'],
  current: StoredSubscriber | null,
  now: Date,
): { readonly body: SubscriberBody } | { readonly issues: readonly Issue[] } {
  try {
    return { body: mergedBody(fields, current, now) };
  } catch (error) {
    if (error instanceof AppError && error.issues !== undefined) return { issues: error.issues };
    throw error;
  }
}

/** Joins issues to one message, with the column of the first. */
function toRowError(issues: readonly Issue[], columns: readonly string[]): RowError {
  const texts = issues.map(({ field, message }) => (field === undefined ? message : `${field} ${message}`));
  const message = texts.slice(0, MAX_ISSUES).join('; ').slice(0, MAX_MESSAGE_CHARS).toWellFormed();
  const [first] = issues;
  return first?.field === undefined ? { message } : { column: columnOf(columns, first.field), message };
}

async function findSubscribers(
  db: ImportContext['db'],
  rows: readonly ReadRow[],
): Promise<Map<string, StoredSubscriber>> {
  const addresses = rows.flatMap(({ ownerId, addressKey }) =>
    addressKey === '' ? [] : [{ ownerId, addressKey }],
  );
  const found = await lockSubscribers(db, addresses);
  return new Map(found.map((each) => [subscriberKey(each.owner_bu_id, each.address_key), each]));
}

/**
 * Checks the groups of all changes with one query, and share-locks them. Returns a lookup of the issues of a change.
 */
async function groupIssues(
  db: ImportContext['db'],
  changes: readonly SubscriberChange[],
): Promise<(change: SubscriberChange) => Issue[]> {
  const named = (kind: keyof Groups) => [...new Set(changes.flatMap(({ body }) => body[kind]))];
  const groups = { lists: named('lists'), audiences: named('audiences') };
  const invalid = new Map(
    (await findGroupIssues(db, groups, NO_GROUPS)).map(({ field, message }) => [field, message]),
  );
  const messages = new Map(
    KINDS.flatMap((kind) =>
      groups[kind].flatMap((id, index) => {
        const message = invalid.get(`${kind}[${index}]`);
        return message === undefined ? [] : [[`${kind} ${id}`, message] as const];
      }),
    ),
  );
  if (messages.size === 0) return () => [];
  // Current groups are allowed, even if the caller cannot see them.
  const current = await listGroupsOf(
    db,
    changes.flatMap(({ current }) => current?.id ?? []),
  );
  return ({ id, body }) =>
    KINDS.flatMap((kind) =>
      body[kind].flatMap((groupId, index) => {
        const message = current.get(id)?.has(groupId) ? undefined : messages.get(`${kind} ${groupId}`);
        return message === undefined ? [] : [{ field: `${kind}[${index}]`, message }];
      }),
    );
}
