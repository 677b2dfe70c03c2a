/** The thread in which survey-core's full model runs. Started and stopped by `full-model.ts` only. */

import { serveThread } from '../../../../threads/serve-thread.ts';
import type { FullModelReply, FullModelRequest } from './full-model.ts';
import { runFullModel } from './full-model-run.ts';
import { byVisitorClock } from './visitor-clock.ts';

// survey-core falls back to fetch for choices and sending results; the definition has none of it left, and neither
// has this thread.
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
