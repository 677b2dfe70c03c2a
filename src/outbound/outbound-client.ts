/**
 * The only client for URLs that tenants provide: limited in time and size, without redirects, and blocked from
 * addresses inside the operator's network. Connections are reused and shared; each origin may have many at once, so
 * that a slow path of a receiver does not delay its others.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, errors } from 'undici';
import { charsetOf, charsetOfMark, charsetOfText, decodableCharset } from '../http/charset.ts';
import { ACCEPTED_CODINGS, decodeBytes } from '../http/content-coding.ts';
import { type ExchangeRequest, type ExchangeResponse, ExchangeTimeout, exchange } from './exchange.ts';
import { type SendFailure, timedOut, toSendFailure } from './send-failure.ts';
import { BrokenStream, openStream, type StreamedAnswer, type StreamRequest } from './stream.ts';
import { createTargetPolicy, parseTarget, type TargetPolicy } from './target-policy.ts';

const CONNECTIONS_PER_ORIGIN = 128;
/** Maximum time that `close` waits for calls in flight, in ms. A drain has waited for them before. */
const CLOSE_MS = 1000;
const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024;

/** A request. `User-Agent` is always the platform's. */
export interface OutboundRequest extends Omit<ExchangeRequest, 'url' | 'timeoutMs' | 'maxResponseBytes'> {
  readonly url: string;
  /** Time limit of the whole call, including the response body. Default: the client's. */
  readonly timeoutMs?: number;
  /**
   * Maximum number of bytes that are read of the response body; the connection is closed after them. Default: 64 KiB.
   */
  readonly maxResponseBytes?: number;
  /** Set if the operator configured the host: then every address except metadata addresses is allowed. */
  readonly isTrusted?: true;
}

/** An HTTP answer of any status, with its raw body. */
type OutboundFile = ExchangeResponse & { readonly ok: true; readonly durationMs: number };

/** An HTTP answer of any status. */
interface OutboundAnswer extends Omit<OutboundFile, 'bytes' | 'isCut'> {
  /** Decoded by its coding and charset; U+FFFD replaces invalid bytes and NUL, which PostgreSQL cannot store. */
  readonly body: string;
}

type OutboundFailure = SendFailure & { readonly ok: false; readonly durationMs: number };

/** The result of a call. */
export type OutboundResult = OutboundAnswer | OutboundFailure;

/** A call whose answer is read while it arrives. */
export interface OutboundStreamRequest extends Omit<StreamRequest, 'url'> {
  readonly url: string;
  readonly isTrusted?: true;
}

/** Calls to foreign URLs, and checks of such URLs. */
export interface OutboundClient {
  /** Makes the call. Never rejects: failures are results. */
  send(request: OutboundRequest): Promise<OutboundResult>;
  /** Fetches at most `maxBytes` of a file with GET. Never rejects, like `send`. */
  download(
    request: Pick<OutboundRequest, 'url' | 'timeoutMs'> & { readonly maxBytes: number },
  ): Promise<OutboundFile | OutboundFailure>;
  /** Makes a call and returns its answer while it arrives. @throws BrokenStream when there is no answer. */
  stream(request: OutboundStreamRequest): Promise<StreamedAnswer>;
  /**
   * Returns the fault of a URL as a target (`must start with …`), or null. Resolves the host for at most one second.
   */
  checkTarget(url: string): Promise<string | null>;
  /**
   * Refuses new calls, waits a second for those in flight, then aborts them and closes all connections. A second call
   * of `close` waits for the first.
   */
  close(): Promise<void>;
}

/** Settings of the client of a process. */
export interface OutboundClientOptions {
  /** True if loopback, private and other special addresses may be reached; cloud metadata never. */
  allowPrivate: boolean;
  /** The platform's version, for `User-Agent: Tessera/<version>`. */
  version: string;
  /** Time limit of a call without its own. */
  timeoutMs: number;
}

/** Creates the client; it opens no connection before the first call. */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const foreign = createGuardedAgent(options.allowPrivate, options.timeoutMs);
  const trusted = createGuardedAgent(true, options.timeoutMs);
  const agentFor = ({ isTrusted }: { readonly isTrusted?: true }) => (isTrusted ? trusted : foreign);
  const userAgent = `Tessera/${options.version}`;
  const inFlight = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const call = async (request: OutboundRequest) => {
    const startedAt = performance.now();
    if (closing)
      return { ok: false, durationMs: 0, ...toSendFailure(new errors.ClientClosedError(), 0) } as const;
    const timeoutMs = request.timeoutMs ?? options.timeoutMs;
    const calling = attempt(agentFor(request).agent, userAgent, request, timeoutMs);
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
      const result = await call({ ...request, headers: acceptingCodings(request.headers) });
      if (!result.ok) return result;
      const { bytes, isCut, ...answer } = await decoded(result, request.maxResponseBytes);
      return { ...answer, body: toText(bytes, isCut, answer.headers['content-type']) };
    },
    async download({ maxBytes, ...request }) {
      const result = await call({ ...request, method: 'GET', headers: {}, maxResponseBytes: maxBytes });
      return result.ok ? decoded(result, maxBytes) : result;
    },
    async stream(request) {
      const url = parseTarget(request.url);
      if (typeof url === 'string')
        throw new BrokenStream({ reason: 'invalid', error: `The target ${url}.` }, undefined);
      const headers = withUserAgent(request.headers, userAgent);
      return openStream(agentFor(request).agent, { ...request, url, headers });
    },
    checkTarget: foreign.policy.check,
    close() {
      closing ??= shutDown([foreign, trusted], inFlight);
      return closing;
    },
  };
}

/** Connections that follow one set of address rules. */
interface GuardedAgent {
  readonly agent: Agent;
  readonly policy: TargetPolicy;
}

function createGuardedAgent(allowPrivate: boolean, connectTimeoutMs: number): GuardedAgent {
  const policy = createTargetPolicy({ allowPrivate, connectTimeoutMs });
  const agent = new Agent({
    connect: policy.connect,
    connections: CONNECTIONS_PER_ORIGIN,
    // One timer covers the whole call; each of these would cover only a part of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, policy };
}

type Outcome = Omit<OutboundFile, 'durationMs'> | Omit<OutboundFailure, 'durationMs'>;

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
  agents: readonly GuardedAgent[],
  inFlight: ReadonlySet<Promise<unknown>>,
): Promise<void> {
  await Promise.race([Promise.all(inFlight), pause(CLOSE_MS, undefined, { ref: false })]);
  // Otherwise an agent would wait for pending connection attempts.
  for (const { policy } of agents) policy.abandon();
  await Promise.all(agents.map(({ agent }) => agent.destroy()));
}

function withUserAgent(headers: Record<string, string>, userAgent: string): Record<string, string> {
  const all: Record<string, string> = { 'user-agent': userAgent };
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && name.toLowerCase() !== 'user-agent') all[name] = value;
  }
  return all;
}

function acceptingCodings(headers: Record<string, string>): Record<string, string> {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding');
  return isSet ? headers : { ...headers, 'accept-encoding': ACCEPTED_CODINGS };
}

async function decoded(answer: OutboundFile, maxBytes = DEFAULT_MAX_RESPONSE_BYTES): Promise<OutboundFile> {
  return { ...answer, ...(await decodeBytes(answer, answer.headers['content-encoding'], maxBytes)) };
}

function toText(bytes: Buffer, isCut: boolean, contentType: string | undefined): string {
  const declared = decodableCharset(charsetOf(contentType) ?? '') ?? charsetOfText(bytes, contentType);
  const charset = charsetOfMark(bytes) ?? declared ?? 'utf-8';
  // A character that the limit splits is omitted; one that the receiver sent incomplete becomes U+FFFD.
  return new TextDecoder(charset).decode(bytes, { stream: isCut }).replaceAll('\0', '\uFFFD');
}
