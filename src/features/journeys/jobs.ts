/** What concerns all states of a journey, of which there may be a million: done by portions. */

import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { JOURNEY_STEPS } from './states/ledger-names.ts';
import { deleteStates, endStates, unparkStates } from './states/write.ts';

const PORTION = 2000;
const payload = Type.Object({ tenantId: Type.String(), journeyId: Type.String() });

/** Ends the running states of a journey that was deleted, and then deletes all of them: their history stays. */
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
    const byPlatform = () => ({ actor: { kind: 'platform' }, now: platform.clock() }) as const;
    const portion = { journeyId, limit: PORTION };
    await untilNone((tx) => endStates(tx, byPlatform(), portion));
    await untilNone((tx) => deleteStates(tx, byPlatform(), portion));
    await db.transaction(async (tx) => {
      for (const table of ['journey_versions', 'journey_counts', 'journey_sendings'] as const)
        await tx.query.deleteFrom(table).where('journey_id', '=', journeyId).execute();
    });
  },
});

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
