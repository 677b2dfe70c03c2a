import { searchOf } from '../../resources/record-search.ts';
import { groupUsage, groupUses, subscriberErasure } from '../contacts/api.ts';
import type { Feature } from '../feature.ts';
import { formJourneys, submissionListeners } from '../forms/api.ts';
import { templateUses } from '../mail/api.ts';
import { triggerJourney } from './actions/trigger-journey.ts';
import { signalRetention, subscriberSignals } from './entering/signals.ts';
import { eraseStates } from './erasure.ts';
import { ALREADY_IN_JOURNEY } from './errors.ts';
import { examples } from './examples.ts';
import { endJourney, resumeJourney } from './jobs.ts';
import { journeys as journeyRecords, sealedSteps } from './resource.ts';
import { routes } from './routes.ts';
import { journeyCalls, journeySteps } from './running/queue.ts';
import { journeyTimeline } from './states/timeline.ts';
import { journeySubmissions } from './submissions.ts';
import { findUses, findUsingJourneys, journeyExists } from './uses.ts';

/** Step-by-step flows that subscribers go through. */
export const journeys: Feature = {
  name: 'journeys',
  examples,
  tags: { Journeys: 'Flows of mails, waits and branches for subscribers.' },
  routes,
  searches: [searchOf(journeyRecords)],
  restores: [
    {
      resource: journeyRecords,
      createdBy: 'journeys.create',
      notRestored: 'Subscribers who were in the journey do not return to it.',
    },
  ],
  jobs: [endJourney, resumeJourney],
  sealed: sealedSteps,
  retentions: [signalRetention],
  workQueues: [subscriberSignals, journeySteps, journeyCalls],
  actionTypes: [triggerJourney],
  timelines: [journeyTimeline],
  errors: [ALREADY_IN_JOURNEY],
  extensions: [
    groupUses.with((db, id) => findUses(db, `group:${id}`)),
    groupUsage.with((db, id) => findUsingJourneys(db, `group:${id}`)),
    templateUses.with((db, id) => findUses(db, `template:${id}`)),
    formJourneys.with({ exists: journeyExists, usesOfForm: (db, code) => findUses(db, `form:${code}`) }),
    submissionListeners.with(journeySubmissions),
    subscriberErasure.with(eraseStates),
  ],
};
