/**
 * Observations of the process. Code reports events; this folder alone decides what is logged and counted, so that no
 * secret reaches a log by accident.
 */
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { Observation } from './observation.ts';

/** Reports an observation. Never throws. */
export type Observer = (observation: Observation) => void;

/** Creates an observer that writes structured logs and updates Prometheus metrics. */
export function createObserver(log: Logger, metrics: Metrics): Observer {
  return (observation) => {
    metrics.count(observation);
    writeLog(log, observation);
  };
}

function writeLog(log: Logger, observation: Observation): void {
  switch (observation.event) {
    case 'http.answered':
    case 'work_queue.claimed':
    case 'work_queue.acknowledged':
    case 'job.finished':
    case 'mail.refused':
      log.debug(observation);
      return;
    case 'mail.unnamed':
    case 'mail.paused':
    case 'work_queue.lost':
      log.warn(observation);
      return;
    case 'http.failed':
    case 'work_queue.failed':
    case 'job.failed':
    case 'background.failed': {
      const { error, ...fields } = observation;
      log.error({ ...fields, err: error });
      return;
    }
    case 'model_provider.missing':
      log.warn(observation);
      return;
    default:
      log.info(observation);
  }
}
