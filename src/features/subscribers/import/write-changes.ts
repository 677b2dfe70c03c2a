import { columnsOf } from '../../../resources/body.ts';
import { createRecords, replaceRecords } from '../../../resources/records.ts';
import { changeGroups, type Groups } from '../../subscriber-groups/index.ts';
import { writeChoices } from '../choices.ts';
import { subscribers } from '../resource.ts';
import { columnsFrom } from '../service.ts';
import type { ImportContext } from './apply.ts';
import type { SubscriberBody } from './body.ts';
import type { Found } from './queries.ts';

/** A row that is written. */
export interface Change {
  readonly line: number;
  readonly id: string;
  readonly ownerId: string;
  readonly addressKey: string;
  /** The whole subscriber, as it is afterwards. */
  readonly body: SubscriberBody;
  /** Null: it is created. */
  readonly current: Found | null;
  /** What the row itself says of choices and additional fields. */
  readonly said: Pick<SubscriberBody, 'subscription_updates' | 'additional_fields_data'>;
  /** The kinds of groups of which the row tells all. */
  readonly groupsSaid: readonly (keyof Groups)[];
}

/**
 * Writes subscribers of addresses that are all different, with their groups, choices, counts and history; everybody joins
 * the lists `joined`, too. @throws AppError DUPLICATE_EMAIL.
 */
export async function writeChanges(
  ctx: ImportContext,
  changes: readonly Change[],
  joined: readonly string[],
): Promise<void> {
  if (changes.length === 0) return;
  // In one order, so that imports of the same people do not wait for each other in a circle.
  const sorted = changes.toSorted((a, b) => (a.addressKey < b.addressKey ? -1 : 1));
  await changeGroups(
    ctx.db,
    sorted.map(({ id, body, current, groupsSaid }) => ({
      subscriberId: id,
      groups: { lists: [...body.lists, ...joined], audiences: body.audiences },
      replaces: groupsSaid,
      was: current?.active ?? false,
      is: body.active,
    })),
    ctx.now,
  );
  for (const { id, current, body } of sorted.filter(({ said }) => said.subscription_updates?.length))
    await writeChoices(
      ctx,
      { id, created_at: current?.created_at ?? ctx.now.toISOString(), email: body.email },
      body.subscription_updates ?? [],
    );
  for (const [ownerId, own] of Map.groupBy(
    sorted.filter(({ current }) => current === null),
    (change) => change.ownerId,
  ))
    await createRecords(
      ctx,
      subscribers,
      own.map(({ id, body }) => ({ key: id, columns: columnsBy(body, 'create') })),
      { ownerId },
    );
  const updates = sorted.filter(({ current }) => current !== null);
  await replaceRecords(
    ctx,
    subscribers,
    updates.map(({ id, body }) => ({ key: id, columns: columnsBy(body, 'replace') })),
  );
}

function columnsBy(body: SubscriberBody, kind: 'create' | 'replace') {
  return { ...columnsOf(subscribers.fields, kind, body), ...columnsFrom(body) };
}
