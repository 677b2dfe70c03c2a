/**
 * Observations of the process. Code reports events; this folder alone decides what is logged and counted, so that no
 * secret reaches a log by accident.
 */
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

/** All events that can be observed. */
export type Observation =
  | {
      event: 'http.answered';
      route: string;
      method: string;
      status: number;
      seconds: number;
      requestId: string;
      tenantId?: string;
    }
  | { event: 'http.failed'; route: string; requestId: string; error: unknown }
  | { event: 'process.started'; url: string; role: string; database: string }
  | { event: 'model_provider.missing'; message: string }
  | { event: 'process.draining'; signal: string }
  | { event: 'process.stopped' }
  | { event: 'tenant.created'; tenantId: string; code: string }
  | { event: 'tenant.changed'; tenantId: string; status: string }
  | { event: 'tenant.deleted'; tenantId: string; code: string }
  | { event: 'tenant.removed'; tenantId: string }
  | { event: 'tenant.reset'; tenantId: string; code: string }
  | { event: 'session.revoked'; tenantId: string; membershipId: string; reason: string }
  | { event: 'work_queue.claimed'; workQueue: string; count: number }
  | { event: 'work_queue.acknowledged'; workQueue: string; outcome: string; count: number }
  /** The name in the relay's greeting is not a valid host name. */
  | { event: 'mail.unnamed'; ehlo: string; hint: string }
  | {
      event: 'mail.refused';
      refused: 'account' | 'sender';
      answer: string;
      tenantId: string;
      transmissionId: string;
    }
  | {
      event: 'mail.paused';
      scope: 'relay' | 'sending';
      reason: string;
      tenantId?: string;
      transmissionId?: string;
    }
  | { event: 'work_queue.failed'; workQueue: string; error: unknown }
  | { event: 'job.finished'; job: string; seconds: number }
  | { event: 'job.failed'; job: string; error: unknown }
  | { event: 'automation.logged'; tenantId: string; key: string; runId: string; message: string }
  | { event: 'background.failed'; task: string; error: unknown };

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
      log.warn(observation);
      return;
    case 'http.failed':
    case 'work_queue.failed':
    case 'job.failed':
    case 'background.failed': {
      const { error, ...facts } = observation;
      log.error({ ...facts, err: error });
      return;
    }
    case 'model_provider.missing':
      log.warn(observation);
      return;
    default:
      log.info(observation);
  }
}
