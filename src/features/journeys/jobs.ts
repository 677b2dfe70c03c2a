/** Jobs on all enrollments of a journey. There may be a million, so each transaction changes one batch. */
import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { JOURNEY_STEPS } from './states/queue-names.ts';
import { deleteStates, endStates, unparkStates } from './states/state-writes.ts';

const BATCH_SIZE = 2000;
const payload = Type.Object({ tenantId: Type.String(), journeyId: Type.String() });

/** Ends the running enrollments of a deleted journey, then deletes all its enrollments. Their history stays. */
export const endJourney = defineJob({
  name: 'journeys.end-states',
  payload,
  timeoutSeconds: 6 * 3600,
  run: async (platform, { tenantId, journeyId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    const repeat = async (work: (tx: ScopedDb) => Promise<number>) => {
      while ((await db.transaction(work)) > 0)
        if (platform.drain.started) throw new Error('The process is shutting down.');
    };
    const byPlatform = () => ({ actor: { kind: 'platform' }, now: platform.clock() }) as const;
    const batch = { journeyId, limit: BATCH_SIZE };
    await repeat((tx) => endStates(tx, byPlatform(), batch));
    await repeat((tx) => deleteStates(tx, byPlatform(), batch));
    await db.transaction(async (tx) => {
      for (const table of ['journey_versions', 'journey_counts', 'journey_sendings'] as const)
        await tx.query.deleteFrom(table).where('journey_id', '=', journeyId).execute();
    });
  },
});

/** Resumes the parked enrollments of a journey that was activated: those that came due while it was inactive. */
export const resumeJourney = defineJob({
  name: 'journeys.resume-states',
  payload,
  timeoutSeconds: 3600,
  run: async (platform, { tenantId, journeyId }) => {
    const db = platform.scoped(wholeTenant(tenantId));
    while ((await db.transaction((tx) => unparkStates(tx, journeyId, BATCH_SIZE, platform.clock()))) > 0) {
      platform.workQueues.wake(JOURNEY_STEPS);
      if (platform.drain.started) throw new Error('The process is shutting down.');
    }
  },
});
