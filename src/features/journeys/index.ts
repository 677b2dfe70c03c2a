import { registerTemplateUse } from '../email-templates/index.ts';
import type { Feature } from '../feature.ts';
import { registerFormJourneys } from '../forms/index.ts';
import { registerGroupUse } from '../subscriber-groups/index.ts';
import { triggerJourney } from './actions/trigger-journey.ts';
import { signalRetention, subscriberSignals } from './entering/signals.ts';
import { registerStateErasure } from './erasure.ts';
import { ALREADY_IN_JOURNEY } from './errors.ts';
import { endJourney, resumeJourney } from './jobs.ts';
import { reference } from './reference.ts';
import { sealedSteps } from './resource.ts';
import { routes } from './routes.ts';
import { journeyCalls, journeySteps } from './running/ledger.ts';
import { findUses, isJourney } from './uses.ts';

export { forgetSubmissions, type HeardSubmission, hearSubmission } from './submissions.ts';

/** What happens to people one step after the other. */
export const journeys: Feature = {
  name: 'journeys',
  reference,
  routes,
  jobs: [endJourney, resumeJourney],
  sealed: sealedSteps,
  retentions: [signalRetention],
  ledgers: [subscriberSignals, journeySteps, journeyCalls],
  actionTypes: [triggerJourney],
  errors: [ALREADY_IN_JOURNEY],
  start: async (platform) => {
    registerGroupUse(platform, (db, id) => findUses(db, `group:${id}`));
    registerTemplateUse(platform, (db, id) => findUses(db, `template:${id}`));
    registerFormJourneys(platform, {
      isThere: isJourney,
      usesOfForm: (db, code) => findUses(db, `form:${code}`),
    });
    registerStateErasure(platform);
  },
};
