import { isRecord } from '../is-record.ts';

/** Callbacks for the parts of an answer. */
export interface AnswerListener {
  /** Text that is added to the answer. */
  onText(text: string): void;
  /** The complete text of the answer. */
  onEnd(text: string): void;
}

/** The answer failed. `code` is the code of the error, or `network`. */
export class TalkError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Sends a message and streams its answer to the listener. @throws TalkError */
export async function talk(
  { url, token, signal }: { readonly url: string; readonly token: string; readonly signal: AbortSignal },
  message: string,
  listener: AnswerListener,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ message }),
    signal,
  }).catch((error: unknown) => {
    throw new TalkError('network', String(error));
  });
  if (!response.ok || response.body === null) throw toError(await response.json().catch(() => null));
  for await (const { event, data } of readEvents(response.body)) {
    if (event === 'error') throw toError(data);
    if (event === 'delta' && isRecord(data) && typeof data.text === 'string') listener.onText(data.text);
    if (event === 'message') return listener.onEnd(textOf(data));
  }
  throw new TalkError('network', 'The answer was interrupted.');
}

function toError(body: unknown): TalkError {
  const { code, message } = isRecord(body) ? body : {};
  return new TalkError(typeof code === 'string' ? code : 'network', String(message ?? ''));
}

/** Returns the text of `{message: {content: [{type: 'text', text}]}}`. */
function textOf(data: unknown): string {
  const message = isRecord(data) ? data.message : null;
  const content = isRecord(message) && Array.isArray(message.content) ? message.content : [];
  return content
    .flatMap((block: unknown) => (isRecord(block) && typeof block.text === 'string' ? [block.text] : []))
    .join('\n');
}

/** Parses server-sent events from chunks of any size. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    if (done) return;
    const frames = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, event = 'message'] = /^event: (.*)$/m.exec(frame) ?? [];
      const [, data] = /^data: (.*)$/m.exec(frame) ?? [];
      if (data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}
