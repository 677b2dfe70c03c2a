/** Load from a fixed number of connections. Each sends its next request after the response to the last. */
import { Pool } from 'undici';
import type { Child } from './children.ts';

/** One request, built for each call. */
export interface LoadRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Requests of a round: one that is repeated, several in turn, or a new one each time. */
export type Requests = LoadRequest | readonly LoadRequest[] | (() => LoadRequest);

/** Result of a round. */
export interface LoadResult {
  readonly count: number;
  /** Responses per second. */
  readonly rate: number;
  /** Response times in ms: the median, and the 99th percentile. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Result of a round, as `compare` needs it. */
export interface Measured {
  /** Requests or items per second. */
  readonly rate: number;
  readonly count: number;
  /** CPU time of the server per request or item, in microseconds; null if not measured. */
  readonly cpuMicros: number | null;
}

/** Concurrency and duration of a round. */
export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
}

/** Loads a server for one round and measures its CPU time, which other load on the machine hardly affects. */
export async function loadRound(server: Child, request: Requests, options: LoadOptions): Promise<Measured> {
  const before = await server.cpuSeconds();
  const { rate, count } = await runLoad(server.url, request, options);
  return { rate, count, cpuMicros: ((await server.cpuSeconds()) - before) * (1e6 / count) };
}

/** Sends each of these requests once. @throws Error for a response with status 400 or higher. */
export async function callEach(
  url: string,
  requests: readonly LoadRequest[],
  connections: number,
): Promise<void> {
  const waiting = requests.values();
  const pool = new Pool(url, { connections });
  const callInTurn = async (): Promise<void> => {
    for (const request of waiting) {
      const { statusCode, body } = await pool.request(request);
      if (statusCode >= 400) throw new Error(`${request.path} answered ${statusCode}: ${await body.text()}`);
      await body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, callInTurn));
  await pool.close();
}

/** Sends these requests until the time is up. @throws Error for a response other than 200. */
export async function runLoad(url: string, requests: Requests, options: LoadOptions): Promise<LoadResult> {
  const next = typeof requests === 'function' ? requests : inTurn([requests].flat());
  const pool = new Pool(url, { connections: options.connections });
  const begun = performance.now();
  const end = begun + options.seconds * 1000;
  const times: number[] = [];
  const callInTurn = async (): Promise<void> => {
    for (let before = performance.now(); before < end; ) {
      const request = next();
      const { statusCode, body } = await pool.request(request);
      if (statusCode !== 200) throw new Error(`${request.path} answered ${statusCode}: ${await body.text()}`);
      await body.dump();
      const after = performance.now();
      times.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, callInTurn));
  const elapsedSeconds = (performance.now() - begun) / 1000;
  await pool.close();
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    rate: times.length / elapsedSeconds,
    p50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

function inTurn(requests: readonly LoadRequest[]): () => LoadRequest {
  let turn = 0;
  return () => {
    const request = requests[turn % requests.length];
    if (request === undefined) throw new Error('No request is defined.');
    turn += 1;
    return request;
  };
}
