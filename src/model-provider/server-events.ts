/** Server-sent events (HTML standard, 9.2) as they arrive, however their bytes are cut. */

import { MalformedAnswer } from './answer.ts';

/** A longer event is nothing that a provider sends, characters. */
const MAX_EVENT = 1024 * 1024;

/**
 * The data of each event, without those that have none. A last event counts although no blank line ends it: providers and proxies
 * leave that out. @throws MalformedAnswer for an event without end, and what `chunks` throws. */
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
