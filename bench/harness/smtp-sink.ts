import { setTimeout as wait } from 'node:timers/promises';
import { type Child, startProgram } from './children.ts';

const POLL_MS = 100;
/** Time without a new message after which the sink stops waiting. */
const IDLE_TIMEOUT_MS = 120_000;

/** A relay that discards messages, in a separate process. */
export interface SmtpSink extends Child {
  /** `smtp://127.0.0.1:<port>`. */
  readonly relayUrl: string;
  /** Discards the recorded arrivals. */
  reset(): Promise<void>;
  /** Waits until `count` messages have arrived. Returns their arrival times, in ms of the sink's clock. */
  waitFor(count: number): Promise<readonly number[]>;
  /** Delays the responses to messages until `resume`. */
  pause(): Promise<void>;
  /** Sends the delayed responses. */
  resume(): Promise<void>;
  /** Average size of a message with its commands, in bytes. */
  meanSize(): Promise<number>;
}

/** Starts a sink. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const child = await startProgram('limits/smtp-sink.ts');
  const { port } = await readState(child.url);
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
      for (let waited = 0; waited < IDLE_TIMEOUT_MS; waited += POLL_MS) {
        const { arrivals } = await readState(child.url);
        if (arrivals.length >= count) return arrivals;
        if (arrivals.length > latest) waited = 0;
        latest = arrivals.length;
        await wait(POLL_MS);
      }
      throw new Error(`Only ${latest} of ${count} messages arrived.`);
    },
    async meanSize() {
      const { bytes, arrivals } = await readState(child.url);
      return Math.round(bytes / Math.max(1, arrivals.length));
    },
  };
}

async function readState(url: string): Promise<{ port: number; bytes: number; arrivals: number[] }> {
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
