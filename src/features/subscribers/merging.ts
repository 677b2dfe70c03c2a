/** Changes that are merged into what is known of people, for many of them at once: each makes one version. */
import { sql } from 'kysely';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import { replaceRecords } from '../../resources/records.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { getSubscriberSettings } from '../email-settings/index.ts';
import { changeGroups, findAddressIssues, listGroupsOf } from '../subscriber-groups/index.ts';
import { writeChoices } from './choices.ts';
import { type SubscriberRow, subscribers } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** What is changed of somebody; what it does not name stays. */
export interface Merge {
  readonly subscriberId: string;
  readonly additionalFields: Readonly<Record<string, unknown>>;
  readonly addLists: readonly string[];
  readonly removeLists: readonly string[];
  readonly subscriptionUpdates: SubscriptionUpdates;
}

type MergeContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext & { readonly actor: Actor };

type Held = Pick<SubscriberRow, 'id' | 'created_at' | 'email' | 'active' | 'additional_fields_data'>;

/**
 * Merges changes, one for each person, in the open transaction, which reaches the whole tenant. Who is gone is left out, and so
 * are lists and types that are gone.
 */
export async function mergeSubscribers(ctx: MergeContext, merges: readonly Merge[]): Promise<void> {
  const { db, now, actor } = ctx;
  const people = await holdAll(db, merges);
  const there = merges.flatMap((merge) => {
    const person = people.get(merge.subscriberId);
    return person === undefined ? [] : [{ merge, person }];
  });
  if (there.length === 0) return;
  await mergeGroups(ctx, there);
  await mergeChoices(ctx, there);
  await replaceRecords(
    { actor, db, now },
    subscribers,
    there.map(({ merge, person }) => ({
      key: person.id,
      columns: { additional_fields_data: { ...person.additional_fields_data, ...merge.additionalFields } },
    })),
  );
}

interface Merging {
  readonly merge: Merge;
  readonly person: Held;
}

async function holdAll(tx: ScopedDb, merges: readonly Merge[]): Promise<ReadonlyMap<string, Held>> {
  const ids = merges.map(({ subscriberId }) => subscriberId);
  const { rows } = await tx.raw(
    (tenantId) => sql<Held>`
    select id, created_at, email, active, additional_fields_data from subscribers
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** In every case, as whoever is changed is looked at for computed audiences. */
async function mergeGroups({ db, now }: MergeContext, merging: readonly Merging[]): Promise<void> {
  const named = [...new Set(merging.flatMap(({ merge }) => merge.addLists))];
  const missing = new Set(
    (await findAddressIssues(db, { lists: named, audiences: [] }, { lists: [], audiences: [] })).map(
      ({ field }) => named[Number(/\d+/.exec(field ?? '')?.[0])],
    ),
  );
  const leaving = merging.filter(({ merge }) => merge.removeLists.length > 0).map(({ person }) => person.id);
  const held = leaving.length === 0 ? new Map() : await listGroupsOf(db, leaving, 'lists');
  const changes = merging.map(({ merge, person }) => {
    const kept: readonly string[] = [...(held.get(person.id) ?? [])];
    const lists = [
      ...kept.filter((id) => !merge.removeLists.includes(id)),
      ...merge.addLists.filter((id) => !missing.has(id)),
    ];
    return {
      ...{ subscriberId: person.id, groups: { lists, audiences: [] }, was: person.active, is: person.active },
      replaces: merge.removeLists.length > 0 ? (['lists'] as const) : [],
    };
  });
  await changeGroups(db, changes, now);
}

async function mergeChoices(ctx: MergeContext, merging: readonly Merging[]): Promise<void> {
  const choosing = merging.filter(({ merge }) => merge.subscriptionUpdates.length > 0);
  if (choosing.length === 0) return;
  const { subscription_types } = await getSubscriberSettings(ctx.db);
  const known = new Set(subscription_types.map(({ id }) => id));
  for (const { merge, person } of choosing) {
    const updates = merge.subscriptionUpdates.filter((update) => known.has(update.subscription_type_id));
    await writeChoices(ctx, person, updates);
  }
}
