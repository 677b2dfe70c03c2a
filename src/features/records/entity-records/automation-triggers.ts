/** Changes of records set automations off: each asks for one run of each automation of its kind, in its transaction. */
import { sql } from 'kysely';
import { groupsBySize } from '../../../db/groups-by-size.ts';
import {
  type ActiveAutomation,
  type ChangeTrigger,
  followingRuns,
  requestRuns,
  type TriggerType,
} from '../../automations/api.ts';
import type { ChangedRecord, ChangeKind, ChangeListener } from './changes.ts';
import type { EntityContext } from './open-entity.ts';

/** Automations that hear of changes of their entity. They read records as they are, and updated ones also as they were. */
export const automationTriggers: ChangeListener = {
  wantsFormer: true,
  hears: ({ heard, model }, kind) => {
    const own = ofEntity(heard.automations, model.name);
    if (own.length === 0) return false;
    const types = triggersOf(kind);
    return own.some(({ triggerType }) => types.includes(triggerType));
  },
  following: {
    // Which it has set off by a move is known once it has moved.
    suits: ({ mayMove = false }) => !mayMove,
    of: (ctx, kind, recordId) => {
      const { platform, db, now } = ctx;
      return followingRuns({ platform, now, tenantId: db.tenantId }, runsOf(ctx, kind, recordId), TRIGGER);
    },
  },
  note: async (ctx, tx, { kind, records }) => {
    const asked = records.flatMap((record) => requestsFor(ctx, kind, record));
    // As many at once as are not large together: a record may set off many, each with a copy of it.
    for (const group of groupsBySize(asked))
      await requestRuns(
        tx,
        ctx,
        group.map(({ request }) => request),
      );
  },
};

/** What expressions read as `trigger`. */
const TRIGGER: ChangeTrigger = {
  sql: ({ json, former }) =>
    sql`('{"entity":' || ${json} || ',"previous":' || coalesce(${former}, 'null') || '}')::json`,
  text: ({ json, former = 'null' }) => `{"entity":${json},"previous":${former}}`,
};

function requestsFor(ctx: EntityContext, kind: ChangeKind, record: ChangedRecord) {
  const trigger = TRIGGER.text(record);
  return runsOf(ctx, { ...kind, mayMove: record.hasMoved ?? false }, record.id).map((run) => ({
    request: { ...run, trigger },
    bytes: trigger.length,
  }));
}

function runsOf({ heard, model }: EntityContext, kind: ChangeKind, recordId: string) {
  const types = triggersOf(kind);
  return ofEntity(heard.automations, model.name)
    .filter(({ triggerType }) => types.includes(triggerType))
    .map(({ id: automationId, version, triggerType }) => ({
      ...{ automationId, version, triggerType, recordId },
    }));
}

/** What a change sets off: a move and a take are updates, too. */
function triggersOf({ event, mayMove, isTake }: ChangeKind): readonly TriggerType[] {
  switch (event) {
    case 'created':
      return ['afterCreate'];
    case 'deleted':
      return ['afterDelete'];
    case 'updated':
      return [
        'afterUpdate',
        ...(mayMove ? (['afterWorkflowMove'] as const) : []),
        ...(isTake ? (['afterWorflowOwnershipTaken'] as const) : []),
      ];
  }
}

type ByEntity = ReadonlyMap<string | null, readonly ActiveAutomation[]>;
const byEntity = new WeakMap<readonly ActiveAutomation[], ByEntity>();

/** Those of an entity among a tenant's, which are looked through once for as long as they are kept. */
function ofEntity(automations: readonly ActiveAutomation[], entity: string): readonly ActiveAutomation[] {
  const known = byEntity.get(automations);
  if (known) return known.get(entity) ?? [];
  const grouped = Map.groupBy(automations, ({ entityKey }) => entityKey);
  byEntity.set(automations, grouped);
  return grouped.get(entity) ?? [];
}
