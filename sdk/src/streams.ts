/** Server-sent events (WHATWG HTML, 9.2) of responses. */

/** An event of a stream. */
export interface StreamEvent<D = unknown> {
  /** For example `delta`, `message` or `error`. */
  readonly event: string;
  /** Parsed JSON. */
  readonly data: D;
}

/** An event of an assistant's reply: parts of its text, then the whole reply, or an error. */
export type ReplyEvent<M> =
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'message'; readonly data: M }
  | { readonly event: 'error'; readonly data: { readonly message: string; readonly code: string } };

/** Iterates over the events of a response; ending the loop aborts the request. @throws SyntaxError for invalid JSON. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent, void, undefined> {
  if (response.body === null) return;
  let event = 'message';
  let data: string[] = [];
  for await (const line of readLines(response.body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: JSON.parse(data.join('\n')) };
      event = 'message';
      data = [];
      continue;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

/** Iterates over complete lines. A line ends with CR LF, LF or CR. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A CR at the end may be the first half of CR LF.
      const finalCr = rest.endsWith('\r') ? '\r' : '';
      const lines = rest.slice(0, rest.length - finalCr.length).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? '') + finalCr;
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
