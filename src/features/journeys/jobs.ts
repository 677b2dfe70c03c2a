/** What concerns all states of a journey, of which there may be a million: done by portions. */

import { sql } from 'kysely';
import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { homeIn } from '../../tenancy/tenant-home.ts';
import { keepPeople } from '../subscribers/index.ts';
import { JOURNEY_STEPS } from './states/ledger-names.ts';
import { endStates, unparkStates } from './states/write.ts';

const PORTION = 2000;
const payload = Type.Object({ tenantId: Type.String(), journeyId: Type.String() });

/** Ends the running states of a journey that was deleted, and then forgets all of them: their history stays. */
export const endJourney = defineJob({
  name: 'journeys.end-states',
  payload,
  timeoutSeconds: 6 * 3600,
  run: async (platform, { tenantId, journeyId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const untilNone = async (work: (tx: ScopedDb) => Promise<number>) => {
      while ((await db.transaction(work)) > 0)
        if (platform.drain.started) throw new Error('The process stops.');
    };
    await untilNone((tx) =>
      endStates(tx, { actor: { kind: 'platform' }, now: platform.clock() }, { journeyId, limit: PORTION }),
    );
    await untilNone((tx) => forgetStates(tx, journeyId));
    await db.transaction(async (tx) => {
      for (const table of ['journey_versions', 'journey_counts', 'journey_sendings'] as const)
        await tx.query.deleteFrom(table).where('journey_id', '=', journeyId).execute();
    });
  },
});

/** Forgets up to a portion of the states of a journey, but for whose they were; returns how many. */
async function forgetStates(tx: ScopedDb, journeyId: string): Promise<number> {
  const states = await tx.query
    .selectFrom('journey_states')
    .select(['id', 'subscriber_id'])
    .where('target_id', '=', journeyId)
    .limit(PORTION)
    .execute();
  // Nobody is erased in between, who would find neither a state nor that it was theirs.
  const people = await keepPeople(tx, [...new Set(states.map(({ subscriber_id }) => subscriber_id))]);
  await tx.raw(
    (tenantId) => sql`
    with forgotten as (
      delete from journey_states s
      where s.tenant_id = ${tenantId}::uuid and s.id = any(${states.map(({ id }) => id)}::uuid[])
      returning s.subscriber_id, s.id
    ), told as (
      insert into journey_past_states (tenant_id, subscriber_id, state_id)
      select home.tenant_id, f.subscriber_id, f.id from forgotten f cross join ${homeIn(tenantId)}
      where f.subscriber_id = any(${[...people.keys()]}::uuid[])
    )
    select count(*) from forgotten`,
  );
  return states.length;
}

/** Has the states of a journey that was switched on go on which came due while it was off. */
export const resumeJourney = defineJob({
  name: 'journeys.resume-states',
  payload,
  timeoutSeconds: 3600,
  run: async (platform, { tenantId, journeyId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    while ((await db.transaction((tx) => unparkStates(tx, journeyId, PORTION, platform.clock()))) > 0) {
      platform.ledgers.wake(JOURNEY_STEPS);
      if (platform.drain.started) throw new Error('The process stops.');
    }
  },
});
