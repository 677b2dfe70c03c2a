/** Writes the rows of a part, in the transaction that it is given: sets of rows, each in a few statements. */
import { AppError, type Issue } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { getSubscriberSettings, type SubscriberSettings } from '../../email-settings/index.ts';
import { findGroupIssues, type Groups, listGroupsOf } from '../../subscriber-groups/index.ts';
import { type Change, toChange, writeChanges } from '../changes.ts';
import { type Found, lockSubscribers } from '../found.ts';
import { mergedBody, type SubscriberBody } from '../merged-body.ts';
import { findSettingIssues } from '../service.ts';
import type { ImportRow } from './resource.ts';
import { columnOf, type Part } from './rows.ts';
import { placeOf, type ReadRow, readRows } from './rows-of-part.ts';
import type { ImportErrors } from './schema.ts';

/** What writing needs: `db` is the open transaction. */
export type ImportContext = Pick<MemberContext, 'platform' | 'caller' | 'db' | 'now'>;

/** What a row changes. */
type RowChange = Change & { readonly line: number };

type RowError = Omit<ImportErrors[number], 'line'>;

/** What came of rows. */
export interface Tally {
  readonly created: number;
  readonly updated: number;
  /** One for each row that failed, by line. */
  readonly errors: ImportErrors;
}

const KINDS = ['lists', 'audiences'] as const;
const NO_GROUPS: Groups = { lists: [], audiences: [] };
/** Faults of a row that are told: the first is mostly the cause of the others. */
const MOST_ISSUES = 5;
/** Characters of what is told of a row. */
const MAX_MESSAGE = 500;
const TAKEN: RowError = {
  column: 'email',
  message: 'email is the address of a subscriber who is there already',
};

/**
 * Writes what can be written of the rows. A later row of an address finds what an earlier one has left.
 * @throws AppError DUPLICATE_EMAIL when somebody else has just created one of them: nothing may be kept then, and all is to
 *   be done anew.
 */
export async function applyRows(
  ctx: ImportContext,
  { mode, list_id, owner_bu_id: ownerId }: Pick<ImportRow, 'mode' | 'list_id' | 'owner_bu_id'>,
  part: Part,
): Promise<Tally> {
  const settings = await getSubscriberSettings(ctx.db);
  const joined = await listToJoin(ctx, list_id);
  const definitions = settings.subscriber_additional_fields;
  const { read, errors } = readRows(part, { caller: ctx.caller, ownerId, definitions });
  const mayUpdate = mode === 'upsert';
  const written = new Set<string>();
  let [created, updated] = [0, 0];
  for (const rows of toSets(read)) {
    // Without asking the database, as a file may have nothing but one address.
    const taken = mayUpdate ? [] : rows.filter(({ place }) => written.has(place));
    errors.push(...taken.map(({ line }) => ({ line, ...TAKEN })));
    const others = taken.length === 0 ? rows : rows.filter(({ place }) => !written.has(place));
    const { changes, failed } = await prepareSet(ctx, others, {
      ...{ settings, mayUpdate },
      columns: part.columns,
    });
    await writeChanges(ctx, changes, joined);
    for (const { ownerId, addressKey } of changes) written.add(placeOf(ownerId, addressKey));
    errors.push(...failed);
    created += changes.filter(({ current }) => current === null).length;
    updated += changes.filter(({ current }) => current !== null).length;
  }
  return { created, updated, errors: errors.sort((a, b) => a.line - b.line) };
}

/** Rows in their order, in sets that have no two of one place. */
function toSets(rows: readonly ReadRow[]): ReadRow[][] {
  const sets: ReadRow[][] = [];
  const met = new Map<string, number>();
  for (const row of rows) {
    const times = met.get(row.place) ?? 0;
    met.set(row.place, times + 1);
    const set = sets[times];
    if (set === undefined) sets.push([row]);
    else set.push(row);
  }
  return sets;
}

/** The list that everybody joins. One that was deleted since the upload has let go of those who had joined it, too. */
async function listToJoin({ db }: ImportContext, listId: string | null): Promise<string[]> {
  if (listId === null) return [];
  const issues = await findGroupIssues(db, { lists: [listId], audiences: [] }, NO_GROUPS);
  return issues.length === 0 ? [listId] : [];
}

/** What the rows of a set become, and what is wrong with the others. */
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
    const current = found.get(row.place) ?? null;
    const result = current !== null && !mayUpdate ? TAKEN : bodyOf(row.given, current, now);
    if ('issues' in result) failed.push({ line: row.line, ...toRowError(result.issues, columns) });
    else if ('message' in result) failed.push({ line: row.line, ...result });
    else candidates.push({ ...toChange(row, result.body, current), line: row.line });
  }
  const issuesOf = await groupIssues(db, candidates);
  const changes = candidates.filter((change) => {
    const issues = [...issuesOf(change), ...findSettingIssues(change.said, settings)];
    if (issues.length > 0) failed.push({ line: change.line, ...toRowError(issues, columns) });
    return issues.length === 0;
  });
  return { changes, failed };
}

/** The body that comes of a row and of the subscriber who is there, if one is; or what is wrong with it. */
function bodyOf(
  given: ReadRow['given'],
  current: Found | null,
  now: Date,
): { readonly body: SubscriberBody } | { readonly issues: readonly Issue[] } {
  try {
    return { body: mergedBody(given, current, now) };
  } catch (error) {
    if (error instanceof AppError && error.issues !== undefined) return { issues: error.issues };
    throw error;
  }
}

/** Faults as one text, with the column of the first. */
function toRowError(issues: readonly Issue[], columns: readonly string[]): RowError {
  const texts = issues.map(({ field, message }) => (field === undefined ? message : `${field} ${message}`));
  const message = texts.slice(0, MOST_ISSUES).join('; ').slice(0, MAX_MESSAGE).toWellFormed();
  const [first] = issues;
  return first?.field === undefined ? { message } : { column: columnOf(columns, first.field), message };
}

async function findSubscribers(
  db: ImportContext['db'],
  rows: readonly ReadRow[],
): Promise<Map<string, Found>> {
  const addresses = rows.flatMap(({ ownerId, addressKey }) =>
    addressKey === '' ? [] : [{ ownerId, addressKey }],
  );
  const found = await lockSubscribers(db, addresses);
  return new Map(found.map((each) => [placeOf(each.owner_bu_id, each.address_key), each]));
}

/** What is wrong with the groups that changes name, by one look at all of them; those that are there stay. */
async function groupIssues(
  db: ImportContext['db'],
  changes: readonly Change[],
): Promise<(change: Change) => Issue[]> {
  const named = (kind: keyof Groups) => [...new Set(changes.flatMap(({ body }) => body[kind]))];
  const groups = { lists: named('lists'), audiences: named('audiences') };
  const wrong = new Map(
    (await findGroupIssues(db, groups, NO_GROUPS)).map(({ field, message }) => [field, message]),
  );
  const messages = new Map(
    KINDS.flatMap((kind) =>
      groups[kind].flatMap((id, index) => {
        const message = wrong.get(`${kind}[${index}]`);
        return message === undefined ? [] : [[`${kind} ${id}`, message] as const];
      }),
    ),
  );
  if (messages.size === 0) return () => [];
  // Whoever is in a group that the caller does not see may stay in it.
  const held = await listGroupsOf(
    db,
    changes.flatMap(({ current }) => current?.id ?? []),
  );
  return ({ id, body }) =>
    KINDS.flatMap((kind) =>
      body[kind].flatMap((groupId, index) => {
        const message = held.get(id)?.has(groupId) ? undefined : messages.get(`${kind} ${groupId}`);
        return message === undefined ? [] : [{ field: `${kind}[${index}]`, message }];
      }),
    );
}
