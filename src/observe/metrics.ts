import { setTimeout as pause } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observation } from './observation.ts';

/** Prometheus metrics of one process. */
export interface Metrics {
  count(observation: Observation): void;
  /** Adds a gauge, which is read at most every 5 s when metrics are requested; NaN if `read` fails or is slow. */
  gauge(name: string, help: string, read: () => Promise<number>): void;
  /** Adds a gauge with one value per label value. */
  gaugeBy(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void;
  /** Renders the metrics in the text exposition format. */
  render(): Promise<string>;
}

/** Lifetime of a cached value, in ms: the endpoint is public, and some values need a query. */
const GAUGE_CACHE_MS = 5000;
/** Time limit for reading a value, in ms. */
const GAUGE_MS = 1000;

/** Creates metrics with their own registry, so that one test can have several processes' metrics. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const count = counterOf(registry);
  return {
    count,
    gauge(name, help, read) {
      const readCached = cachedFor(GAUGE_CACHE_MS, () => withinTime(GAUGE_MS, read()));
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          // Keep the other metrics available, especially while the database is unavailable.
          this.set(await readCached().catch(() => Number.NaN));
        },
      });
    },
    gaugeBy(name, help, label, read) {
      const readCached = cachedFor(GAUGE_CACHE_MS, () => withinTime(GAUGE_MS, read()));
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          this.reset();
          const values = await readCached().catch(() => new Map<string, number>());
          for (const [value, number] of values) this.labels(value).set(number);
        },
      });
    },
    render: () => registry.metrics(),
  };
}

/** Returns a function that counts observations in metrics of a registry. */
function counterOf(registry: Registry): (observation: Observation) => void {
  const registers = [registry];
  const requests = new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const acknowledged = new Counter({
    name: 'tessera_work_queue_acknowledged_total',
    help: 'Attempts of queue items, by work queue and outcome.',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const lost = new Counter({
    name: 'tessera_work_queue_lost_total',
    help: 'Attempts that lost their queue item to another worker or to a change, by work queue.',
    labelNames: ['queue'],
    registers,
  });
  const jobs = new Counter({
    name: 'tessera_jobs_total',
    help: 'Background jobs run, by name and outcome.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'tessera_relay_refusals_total',
    help: 'Messages that the relay rejected because of the sender or the account, by cause.',
    labelNames: ['refused'],
    registers,
  });
  return (observation) => {
    switch (observation.event) {
      case 'http.answered':
        requests
          .labels(observation.route, observation.method, String(observation.status))
          .observe(observation.seconds);
        break;
      case 'work_queue.acknowledged':
        acknowledged.labels(observation.workQueue, observation.outcome).inc(observation.count);
        break;
      case 'work_queue.lost':
        lost.labels(observation.workQueue).inc(observation.count);
        break;
      case 'mail.refused':
        refusals.labels(observation.refused).inc();
        break;
      case 'job.finished':
        jobs.labels(observation.job, 'finished').inc();
        break;
      case 'job.failed':
        jobs.labels(observation.job, 'failed').inc();
        break;
    }
  };
}

function cachedFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { readonly at: number; readonly value: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (cached === null || now - cached.at > milliseconds) cached = { at: now, value: read() };
    return cached.value;
  };
}

function withinTime<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const over = pause(milliseconds, undefined, { ref: false }).then((): never => {
    throw new Error(`not done within ${milliseconds} ms`);
  });
  return Promise.race([work, over]);
}
