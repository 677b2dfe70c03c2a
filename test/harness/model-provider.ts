/** A provider of models and embeddings with the real protocols, whose responses are scripted. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

/** A request to the provider. */
export interface ProviderRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary bodies.
  readonly body: any;
  /** True if the client has closed the connection before the end of the response. */
  readonly isGone: () => boolean;
}

/** A part of an answer. */
export type ScriptedBlock = string | { readonly name: string; readonly input: object };

/** A scripted response; omitted parts have successful defaults. */
export interface Script {
  /** An error of this status instead of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: string;
  /** Parts of the answer: text, which is streamed word by word, or a tool call. */
  readonly blocks?: readonly ScriptedBlock[];
  /** Returns the vector of a text; by default, four numbers. */
  readonly embed?: (text: string) => readonly number[];
  /** Pause between two events in ms. */
  readonly pauseMs?: number;
  /** Promise that delays the event of that number (from 0). */
  readonly before?: (event: number) => Promise<void> | void;
  /** Sent unchanged instead of an answer, with this content type; the connection breaks after it if `isBroken`. */
  readonly raw?: { readonly type?: string; readonly body: string | Buffer; readonly isBroken?: true };
  /** Failure of a stream after its first deltas. */
  readonly fault?: 'cut' | 'malformed' | 'error' | 'overloaded' | 'no end' | 'silence' | 'drip' | 'endless';
}

/** The provider and its requests. */
export interface ModelProvider {
  readonly url: string;
  readonly requests: ProviderRequest[];
  /** Sets the script for further requests. */
  answer: (request: ProviderRequest, count: number) => Script;
  close(): Promise<void>;
}

const FRIENDLY: Script = { blocks: ['Good morning to you'] };
const INPUT_TOKENS = 10;

/** Starts a provider, which answers every request successfully by default; it is stopped after the file's tests. */
export async function startModelProvider(): Promise<ModelProvider> {
  const requests: ProviderRequest[] = [];
  const provider: ModelProvider = {
    url: '',
    requests,
    answer: () => FRIENDLY,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer((request, response) => {
    answer(provider, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => provider.close());
  const address = server.address();
  return Object.assign(provider, {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
  });
}

async function answer(
  provider: ModelProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  const isGone = () => response.destroyed && !response.writableFinished;
  const received = { path: request.url ?? '', headers: request.headers, body, isGone };
  provider.requests.push(received);
  const script = provider.answer(received, provider.requests.length);
  if (script.status !== undefined && script.status !== 200) return refuse(script, response);
  if (script.raw) return sendRaw(script.raw, response);
  if (received.path === '/v1/embeddings') return sendJson(response, embeddingsOf(body.input, script.embed));
  if (body.stream === true) return stream(script, response);
  if (script.pauseMs) await pause(script.pauseMs);
  await script.before?.(0);
  if (script.fault === 'cut') return cut(response);
  if (script.fault === 'malformed') return void response.end('{"content": "none"');
  return sendJson(response, wholeMessage(script));
}

function refuse(
  { status = 500, headers = {}, error = 'scripted', raw }: Script,
  response: ServerResponse,
): void {
  if (raw)
    return void response.writeHead(status, { 'content-type': raw.type ?? 'application/json' }).end(raw.body);
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ type: 'error', error: { type: 'api_error', message: error } }));
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendRaw(
  { type = 'application/json', body, isBroken }: NonNullable<Script['raw']>,
  response: ServerResponse,
): void {
  response.writeHead(200, { 'content-type': type });
  if (!isBroken) return void response.end(body);
  response.write(body, () => response.destroy());
}

function cut(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"content": [');
  setImmediate(() => response.destroy());
}

function wholeMessage({ blocks = [] }: Script): object {
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    content: blocks.map((block, index) =>
      typeof block === 'string'
        ? { type: 'text', text: block }
        : { type: 'tool_use', id: `toolu_${index}`, ...block },
    ),
    stop_reason: 'end_turn',
    usage: { input_tokens: INPUT_TOKENS, output_tokens: tokensOf(blocks) },
  };
}

/** Counts one token per word. */
function tokensOf(blocks: readonly ScriptedBlock[]): number {
  return blocks.flatMap((block) => (typeof block === 'string' ? block.split(' ') : ['tool'])).length;
}

async function stream(script: Script, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = eventsOf(script);
  const faultAt = script.fault === undefined ? -1 : script.fault === 'overloaded' ? 1 : 4;
  for (const [number, event] of events.entries()) {
    await script.before?.(number);
    if (script.pauseMs) await pause(script.pauseMs);
    if (response.destroyed) return;
    if (number === faultAt && (await fail(script, response))) return;
    response.write(frame(event));
  }
  response.end();
}

function frame(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Makes a stream fail as scripted. Returns true if nothing follows. */
async function fail({ fault }: Script, response: ServerResponse): Promise<boolean> {
  // Flushes the written events first.
  if (fault === 'cut') response.socket?.end();
  if (fault === 'malformed') response.end('event: content_block_delta\ndata: {"type": "content_blo\n\n');
  if (fault === 'no end') response.end();
  if (fault === 'endless') response.end(`data: ${'x'.repeat(2 * 1024 * 1024)}`);
  if (fault === 'error' || fault === 'overloaded') {
    const type = fault === 'error' ? 'api_error' : 'overloaded_error';
    response.end(
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message: fault } })}\n\n`,
    );
  }
  // Both continue until the client gives up.
  if (fault === 'silence') await once(response, 'close');
  while (fault === 'drip' && !response.destroyed) {
    response.write(':');
    await pause(50);
  }
  return true;
}

function eventsOf({ blocks = [] }: Script): { readonly type: string }[] {
  const start = {
    type: 'message_start',
    message: { role: 'assistant', content: [], usage: { input_tokens: INPUT_TOKENS, output_tokens: 1 } },
  };
  const delta = (index: number, part: object) => ({ type: 'content_block_delta', index, delta: part });
  const parts = blocks.flatMap((block, index) => {
    const begin = (content_block: object) => ({ type: 'content_block_start', index, content_block });
    const end = { type: 'content_block_stop', index };
    if (typeof block === 'string') {
      const words = block.split(/(?<= )/).map((text) => delta(index, { type: 'text_delta', text }));
      return [begin({ type: 'text', text: '' }), { type: 'ping' }, ...words, end];
    }
    const json = JSON.stringify(block.input);
    const halves = [json.slice(0, 3), json.slice(3)];
    return [
      begin({ type: 'tool_use', id: `toolu_${index}`, name: block.name, input: {} }),
      ...halves.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
      end,
    ];
  });
  const last = {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: tokensOf(blocks) },
  };
  return [start, ...parts, last, { type: 'message_stop' }];
}

/** Returns a vector of four numbers: the frequencies of four letters in a text. */
function countLetters(text: string): number[] {
  return ['a', 'e', 'o', 'n'].map((letter) => text.split(letter).length);
}

function embeddingsOf(inputs: readonly string[], embed: Script['embed'] = countLetters): object {
  const data = inputs.map((text, index) => ({ object: 'embedding', index, embedding: embed(text) }));
  // A provider may return them in any order.
  return { object: 'list', data: data.reverse(), model: 'scripted', usage: { prompt_tokens: 1 } };
}
