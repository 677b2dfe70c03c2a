import { setTimeout as pause } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observation } from './observer.ts';

/** Prometheus metrics of one process. */
export interface Metrics {
  count(observation: Observation): void;
  /** Adds a value that is read when metrics are asked for, every 5 s at most; NaN when `read` fails or takes long. */
  gauge(name: string, help: string, read: () => Promise<number>): void;
  /** As `gauge`, with one value for each value of a label. */
  gaugeBy(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void;
  /** The text exposition format. */
  render(): Promise<string>;
}

/** How long a value is told that was read: anybody who reaches the port may ask, and some take a query. */
const GAUGE_KEPT_MS = 5000;
/** How long reading a value may take. */
const GAUGE_MS = 1000;

/** Metrics in a registry of their own, so that several processes' worth can live in one test. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const count = counterOf(registry);
  return {
    count,
    gauge(name, help, read) {
      const readSeldom = keptFor(GAUGE_KEPT_MS, () => settledWithin(GAUGE_MS, read()));
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          // The other metrics are wanted most when the database is away.
          this.set(await readSeldom().catch(() => Number.NaN));
        },
      });
    },
    gaugeBy(name, help, label, read) {
      const readSeldom = keptFor(GAUGE_KEPT_MS, () => settledWithin(GAUGE_MS, read()));
      new Gauge({
        name,
        help,
        labelNames: [label],
        registers,
        async collect() {
          this.reset();
          const values = await readSeldom().catch(() => new Map<string, number>());
          for (const [value, number] of values) this.labels(value).set(number);
        },
      });
    },
    render: () => registry.metrics(),
  };
}

/** Counts observations in metrics of a registry. */
function counterOf(registry: Registry): (observation: Observation) => void {
  const registers = [registry];
  const requests = new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const settled = new Counter({
    name: 'tessera_ledger_settled_total',
    help: 'Attempts at outside work, by ledger and outcome.',
    labelNames: ['ledger', 'outcome'],
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
    help: 'Messages that the relay refused because of the sender or the account, by which of them.',
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
      case 'ledger.settled':
        settled.labels(observation.ledger, observation.outcome).inc(observation.count);
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

function keptFor<T>(milliseconds: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly value: Promise<T> } | null = null;
  return () => {
    const now = performance.now();
    if (kept === null || now - kept.at > milliseconds) kept = { at: now, value: read() };
    return kept.value;
  };
}

function settledWithin<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const over = pause(milliseconds, undefined, { ref: false }).then((): never => {
    throw new Error(`not done within ${milliseconds} ms`);
  });
  return Promise.race([work, over]);
}
