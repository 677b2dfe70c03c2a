/**
 * The one client for calls to URLs that tenants give: bounded in time and size, never redirected, and kept away from
 * addresses inside the operator's network. Connections are kept and shared; each origin may have many at once, so
 * that a slow path of a receiver does not hold up its others.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, errors } from 'undici';
import { ExchangeTimeout, exchange } from './exchange.ts';
import { checkHeader, retryAfterSeconds } from './header-rules.ts';
import { type SendFailure, timedOut, toSendFailure } from './send-failure.ts';
import { createTargetPolicy, parseTarget, type TargetPolicy } from './target-policy.ts';

const CONNECTIONS_PER_ORIGIN = 128;
/** A drain has waited for calls before this: what is left of them holds up the end of the process. */
const CLOSE_MS = 1000;
const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;

/** A call to make. */
export interface OutboundRequest {
  url: string;
  method: string;
  /** Sent as they are, but for `User-Agent`, which is always the platform's. */
  headers: Record<string, string>;
  body?: string;
  /** For the whole call, the answer's body included; the client's own default when absent. */
  timeoutMs?: number;
  /** What is read of the answer's body; the rest is cut off with the connection. 64 KiB when absent. */
  maxResponseBytes?: number;
}

/** An HTTP answer of any status. */
export interface OutboundAnswer {
  ok: true;
  status: number;
  /** Names in lower case; repeated headers are joined by a comma. */
  headers: Record<string, string>;
  /** Decoded as UTF-8; U+FFFD stands for what is not UTF-8 and for NUL, which PostgreSQL cannot store. */
  body: string;
  durationMs: number;
}

/** A file to fetch. */
export interface OutboundDownload {
  url: string;
  /** What is read at most; the rest is cut off with the connection. */
  maxBytes: number;
  /** For the whole call; the client's own default when absent. */
  timeoutMs?: number;
}

/** An HTTP answer of any status, its body as it came. */
export interface OutboundFile extends Omit<OutboundAnswer, 'body'> {
  bytes: Buffer;
  /** Whether there was more than `maxBytes`. */
  isCut: boolean;
}

/** What became of a call. */
export type OutboundResult = OutboundAnswer | ({ ok: false; durationMs: number } & SendFailure);

/** Calls to foreign URLs, and the checks for what they are made of. */
export interface OutboundClient {
  /** Makes the call. Never rejects: whatever goes wrong is a result. */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /** Fetches a file with GET. Never rejects, as `send`. */
  download(
    request: OutboundDownload,
  ): Promise<OutboundFile | ({ ok: false; durationMs: number } & SendFailure)>;
  /** What is wrong with a URL as a target ("must begin with ..."), or null. Looks the host up for one second at most. */
  checkTarget(url: string): Promise<string | null>;
  /** What is wrong with a header that a tenant gives, or null. */
  checkHeader(name: string, value: string): string | null;
  /** The wait that an answer asks for, in seconds, or null. */
  retryAfterSeconds(headers: Readonly<Record<string, string>>, now: Date): number | null;
  /**
   * Fails new calls, lets those in flight end for a second, then fails them too and closes all connections. A second
   * call waits for the first.
   */
  close(): Promise<void>;
}

/** Settings of the one client of a process. */
export interface OutboundClientOptions {
  /** Whether loopback, private and other special addresses may be reached; cloud metadata never. */
  allowPrivate: boolean;
  /** The platform's version, for `User-Agent: Tessera/<version>`. */
  version: string;
  /** For a whole call that does not set its own. */
  timeoutMs: number;
}

/** Creates the client; it holds no connection before the first call. */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const policy = createTargetPolicy({
    allowPrivate: options.allowPrivate,
    connectTimeoutMs: options.timeoutMs,
  });
  const agent = new Agent({
    connect: policy.connect,
    connections: CONNECTIONS_PER_ORIGIN,
    // One clock covers the whole call; these would only cover parts of it, each anew.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const userAgent = `Tessera/${options.version}`;
  const inFlight = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const call = async (request: OutboundRequest) => {
    const startedAt = performance.now();
    if (closing)
      return { ok: false, durationMs: 0, ...toSendFailure(new errors.ClientClosedError(), 0) } as const;
    const calling = attempt(agent, userAgent, request, request.timeoutMs ?? options.timeoutMs);
    inFlight.add(calling);
    try {
      const outcome = await calling;
      return { ...outcome, durationMs: Math.round(performance.now() - startedAt) };
    } finally {
      inFlight.delete(calling);
    }
  };
  return {
    async send(request) {
      const result = await call(request);
      if (!result.ok) return result;
      const { bytes, isCut, ...answer } = result;
      return { ...answer, body: toText(bytes, isCut) };
    },
    download: ({ maxBytes, ...request }) =>
      call({ ...request, method: 'GET', headers: {}, maxResponseBytes: maxBytes }),
    checkTarget: policy.check,
    checkHeader,
    retryAfterSeconds,
    close() {
      closing ??= shutDown(agent, policy, inFlight);
      return closing;
    },
  };
}

type Outcome = Omit<OutboundFile, 'durationMs'> | ({ ok: false } & SendFailure);

async function attempt(
  agent: Agent,
  userAgent: string,
  request: OutboundRequest,
  timeoutMs: number,
): Promise<Outcome> {
  const url = parseTarget(request.url);
  if (typeof url === 'string') return { ok: false, reason: 'invalid', error: `The target ${url}.` };
  const headers = withUserAgent(request.headers, userAgent);
  const { maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = request;
  try {
    return {
      ok: true,
      ...(await exchange(agent, { ...request, url, headers, timeoutMs, maxResponseBytes })),
    };
  } catch (error) {
    const failure = error instanceof ExchangeTimeout ? timedOut(timeoutMs) : toSendFailure(error, timeoutMs);
    return { ok: false, ...failure };
  }
}

async function shutDown(
  agent: Agent,
  policy: TargetPolicy,
  inFlight: ReadonlySet<Promise<unknown>>,
): Promise<void> {
  const late = new AbortController();
  const patience = pause(CLOSE_MS, undefined, { signal: late.signal }).catch(() => {});
  await Promise.race([Promise.all(inFlight), patience]);
  late.abort();
  // The agent would wait for connections that are being made for nobody any more.
  policy.abandon();
  await agent.destroy();
}

function withUserAgent(headers: Record<string, string>, userAgent: string): Record<string, string> {
  const all: Record<string, string> = { 'user-agent': userAgent };
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name.toLowerCase() !== 'user-agent') all[name] = value;
  }
  return all;
}

function toText(bytes: Buffer, isCut: boolean): string {
  // A character that the limit splits is left out; one that the receiver left unfinished shows as U+FFFD.
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '\uFFFD');
}
