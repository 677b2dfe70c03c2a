import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { readEvents, type StreamEvent } from './streams.ts';

async function eventsOf(text: string, cuts: readonly number[]): Promise<StreamEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const places = [0, ...[...cuts].map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let i = 1; i < places.length; i++) controller.enqueue(bytes.slice(places[i - 1], places[i]));
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(new Response(body))) events.push(event);
  return events;
}

test('events are the same however the stream is cut and lines end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ event: fc.stringMatching(/^[a-z]+$/), data: fc.jsonValue() }), { maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(), { maxLength: 8 }),
      async (events, end, cuts) => {
        const text = events
          .map(
            ({ event, data }) =>
              `event: ${event}${end}: a comment${end}data: ${JSON.stringify(data)}${end}${end}`,
          )
          .join('');
        // What follows a final CR could be its LF.
        assert.deepEqual(await eventsOf(`${text}:${end}`, cuts), JSON.parse(JSON.stringify(events)));
      },
    ),
  );
});

test('data of several lines is one text', async () => {
  assert.deepEqual(await eventsOf('data: {"a":\ndata: 1}\n\n', []), [{ event: 'message', data: { a: 1 } }]);
});
