import { setTimeout as wait } from 'node:timers/promises';
import { type Child, startProgram } from './children.ts';

const LOOK_MS = 100;
/** A sink that gets nothing more for this long will get nothing more at all. */
const PATIENCE_MS = 120_000;

/** A relay that keeps nothing, a process of its own. */
export interface SmtpSink extends Child {
  /** `smtp://127.0.0.1:<port>`. */
  readonly relayUrl: string;
  /** Forgets what arrived. */
  reset(): Promise<void>;
  /** Waits until `count` messages have arrived; when each did, in milliseconds of the sink's clock. */
  waitFor(count: number): Promise<readonly number[]>;
  /** Answers nobody who sends a message until `resume`. */
  pause(): Promise<void>;
  /** Goes on. */
  resume(): Promise<void>;
  /** Bytes of one message on average, commands included. */
  meanSize(): Promise<number>;
}

/** Starts it. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const child = await startProgram('limits/smtp-sink.ts');
  const { port } = await look(child.url);
  return {
    ...child,
    relayUrl: `smtp://127.0.0.1:${port}`,
    async reset() {
      await fetch(child.url, { method: 'DELETE' });
    },
    async pause() {
      await fetch(`${child.url}/pause`, { method: 'POST' });
    },
    async resume() {
      await fetch(`${child.url}/resume`, { method: 'POST' });
    },
    async waitFor(count) {
      let latest = 0;
      for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
        const { arrivals } = await look(child.url);
        if (arrivals.length >= count) return arrivals;
        if (arrivals.length > latest) waited = 0;
        latest = arrivals.length;
        await wait(LOOK_MS);
      }
      throw new Error(`Only ${latest} of ${count} messages arrived.`);
    },
    async meanSize() {
      const { bytes, arrivals } = await look(child.url);
      return Math.round(bytes / Math.max(1, arrivals.length));
    },
  };
}

async function look(url: string): Promise<{ port: number; bytes: number; arrivals: number[] }> {
  const answer: unknown = await (await fetch(url)).json();
  const read = (name: string): unknown =>
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  const arrivals = read('arrivals');
  return {
    port: Number(read('port')),
    bytes: Number(read('bytes')),
    arrivals: Array.isArray(arrivals) ? arrivals.map(Number) : [],
  };
}
