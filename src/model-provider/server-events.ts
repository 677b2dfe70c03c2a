/** Parses server-sent events (HTML standard, 9.2) as they arrive, in chunks of any size. */

import { MalformedAnswer } from './answer.ts';

/** The most characters of an event; no provider sends longer ones. */
const MAX_EVENT = 1024 * 1024;

/**
 * Yields the data of each event, without events that have none. A last event counts even without the blank line that
 * should end it: some providers and proxies omit it. @throws MalformedAnswer for an endless event, and errors of
 * `chunks`.
 */
export async function* readEvents(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = '';
  let data: string[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const text = line + decoder.decode(chunk, { stream: true });
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    line = lines.pop() ?? '';
    for (const each of lines) {
      if (each === '') {
        if (data.some((value) => value.trim() !== '')) yield data.join('\n');
        data = [];
        size = 0;
      } else if (each.startsWith('data:')) {
        const value = each.slice(each.startsWith('data: ') ? 6 : 5);
        data.push(value);
        size += value.length;
      }
    }
    if (line.length + size > MAX_EVENT) throw new MalformedAnswer('It sent an event that does not end.');
  }
  const last = line.replace(/\r$/, '');
  if (last.startsWith('data:')) data.push(last.slice('data:'.length).trimStart());
  if (data.some((value) => value.trim() !== '')) yield data.join('\n');
}

/** The most characters that are read to find out; blanks may come first. */
const MAX_SNIFFED = 1024;
/** The longest name of a field, with a byte order mark and the colon. */
const START_LENGTH = 7;
const EVENT_START = /^\uFEFF?\s*(?:event|data|id|retry)?:/;

/**
 * Finds out whether a body is a stream of events: by its content type, else by how it begins. Returns the whole body.
 */
export async function sniffEvents(
  body: AsyncIterable<Buffer>,
  contentType: string,
): Promise<{ readonly isEvents: boolean; readonly body: AsyncIterable<Buffer> }> {
  if (contentType.includes('text/event-stream')) return { isEvents: true, body };
  const chunks = body[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let text = '';
  while (text.trim().length < START_LENGTH && text.length < MAX_SNIFFED) {
    const next = await chunks.next();
    if (next.done) break;
    head.push(next.value);
    text += next.value.toString();
  }
  async function* chunksWithHead() {
    try {
      yield* head;
      yield* { [Symbol.asyncIterator]: () => chunks };
    } finally {
      // A reader that stops within the head would leave the connection open.
      await chunks.return?.();
    }
  }
  return { isEvents: EVENT_START.test(text), body: chunksWithHead() };
}
