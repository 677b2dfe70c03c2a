import { invalidRequest } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { TIMELINE_KINDS, type TimelineKind, type TimelineSource } from '../../timeline/timeline-source.ts';
import { getSubscriber } from '../contacts/api.ts';
import { getSubscriberSettings } from '../email-settings/api.ts';
import { withNames } from '../tenancy/api.ts';
import { cursorAfter, readCursor } from './position.ts';
import { listEntries } from './queries.ts';
import type { Timeline, TimelineChoice, TimelineEntry, TimelineQuery } from './schema.ts';

const DEFAULT_LIMIT = 50;

/**
 * Returns a page of what happened to a subscriber, newest first: what the caller may see of it.
 * @throws AppError NOT_FOUND; INVALID_REQUEST for an unknown kind or a malformed cursor.
 */
export async function readTimeline(
  ctx: MemberContext,
  sources: readonly TimelineSource[],
  id: string,
  { kinds: names, after, limit = DEFAULT_LIMIT }: TimelineQuery,
): Promise<Timeline> {
  const { db } = ctx;
  const kinds = readKinds(names);
  const position = after === undefined ? null : readCursor(after);
  const { email } = await getSubscriber(db, id);
  const units = db.scope.read === 'all' ? null : db.scope.read;
  const subject = { tenantId: db.tenantId, subscriberId: id, address: normalizeAddress(email), units };
  const asked = sources.filter((source) => source.kinds.some((kind) => kinds.includes(kind)));
  const entries = await listEntries(db, asked, subject, { kinds, after: position, limit: limit + 1 });
  const results = await withTypeNames(db, await withAuthors(ctx, entries.slice(0, limit)));
  const last = results.at(-1);
  return { results, next: entries.length > limit && last !== undefined ? cursorAfter(last) : null };
}

/** @throws AppError INVALID_REQUEST naming an unknown kind. */
function readKinds(names: string | undefined): readonly TimelineKind[] {
  if (names === undefined) return TIMELINE_KINDS;
  return names.split(',').map((name) => {
    const kind = TIMELINE_KINDS.find((each) => each === name);
    if (kind !== undefined) return kind;
    const message = `must be some of ${TIMELINE_KINDS.join(', ')}, separated by commas`;
    throw invalidRequest([{ field: 'kinds', message }]);
  });
}

/** Adds the names of members to the authors of versions. */
async function withAuthors(ctx: MemberContext, entries: TimelineEntry[]): Promise<TimelineEntry[]> {
  const authors = await withNames(
    ctx,
    entries.map(({ detail }) => ({ actor: detail.actor ?? null })),
  );
  return entries.map((entry, index) => {
    const actor = authors[index]?.actor ?? null;
    return actor === null ? entry : { ...entry, detail: { ...entry.detail, actor } };
  });
}

/** Adds the names of subscription types to the choices. */
async function withTypeNames(db: ScopedDb, entries: TimelineEntry[]): Promise<TimelineEntry[]> {
  if (entries.every(({ detail }) => detail.choices === undefined)) return entries;
  const { subscription_types: types } = await getSubscriberSettings(db);
  const names = new Map(types.map(({ id, name }) => [id, name]));
  const named = (choice: TimelineChoice) => ({
    ...choice,
    name: names.get(choice.subscription_type_id) ?? choice.subscription_type_id,
  });
  return entries.map((entry) => {
    const { choices } = entry.detail;
    return choices === undefined
      ? entry
      : { ...entry, detail: { ...entry.detail, choices: choices.map(named) } };
  });
}
