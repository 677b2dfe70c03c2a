/** Worker thread that runs survey-core's full model. Only `full-model.ts` starts and stops it. */

import { serveThread } from '../../../../threads/serve-thread.ts';
import type { FullModelReply } from './full-model.ts';
import { type FullModelRequest, runFullModel } from './full-model-run.ts';
import { byVisitorClock } from './visitor-clock.ts';

// survey-core calls fetch to load choices and to send results. Definitions get here without the settings for both;
// removing fetch from this thread makes sure of it.
Reflect.deleteProperty(globalThis, 'fetch');

serveThread((request: FullModelRequest): FullModelReply => {
  try {
    return byVisitorClock(
      request.timeZone,
      () => runFullModel({ ...request, answers: structuredClone(request.answers) }),
      ({ shown }) => shown.every(({ faults }) => faults.length === 0),
    );
  } catch {
    return 'could not be checked';
  }
});
