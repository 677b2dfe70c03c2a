/** Thread of survey-core's full model. Only `full-model.ts` starts and stops it. */

import { serveThread } from '../../../../threads/serve-thread.ts';
import type { FullModelReply } from './full-model.ts';
import { type FullModelRequest, runFullModel } from './full-model-run.ts';
import { byVisitorClock } from './visitor-clock.ts';

// survey-core uses fetch to load choices and send results. The definition no longer contains either, and this thread
// has no fetch.
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
