import assert from 'node:assert/strict';
import test from 'node:test';
import { AnswerAssembly, MalformedAnswer, readEvent, readWhole } from './answer.ts';
import { readEvents } from './server-events.ts';

const START = '{"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}';
const TEXT = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}';
const SAID = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}';
const TOOL =
  '{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"look","input":{}}}';
const PART =
  '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":[1,"}}';
const STOP = '{"type":"message_stop"}';
const stopped = (reason: string) =>
  `{"type":"message_delta","delta":{"stop_reason":"${reason}"},"usage":{"output_tokens":9}}`;
const EVENTS = [START, TEXT, SAID, stopped('end_turn'), STOP];

/** The answer that a stream of bytes is, cut into pieces of so many. */
async function answerOf(stream: string, pieceBytes: number) {
  const bytes = Buffer.from(stream);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  );
  const assembly = new AnswerAssembly();
  async function* chunks() {
    yield* pieces;
  }
  for await (const data of readEvents(chunks())) assembly.add(readEvent(data));
  return assembly.finish();
}
const streamOf = (events: readonly string[], end = '\n') =>
  events.map((event) => `event: x${end}data: ${event}${end}${end}`).join('');
const text = { type: 'text', text: 'Hello' };

for (const [what, stream] of [
  ['as it should be', streamOf(EVENTS)],
  ['lines that end with carriage returns', streamOf(EVENTS, '\r')],
  ['lines that end with both', streamOf(EVENTS, '\r\n')],
  [
    'empty data',
    `data:\n\n${streamOf(EVENTS.slice(0, 3))}data: \n\ndata:\r\n\r\n${streamOf(EVENTS.slice(3))}`,
  ],
  [
    'comments and pings',
    `: ping\n\n${streamOf([...EVENTS.slice(0, 2), '{"type":"ping"}', ...EVENTS.slice(2)])}`,
  ],
  [
    'usage that is null',
    streamOf([START.replace(/\{"input.*?\}/, 'null'), TEXT, SAID, '{"type":"x","usage":null}', STOP]),
  ],
  ['tokens that are null', streamOf([START.replace('7', 'null').replace('1}', 'null}'), TEXT, SAID, STOP])],
  [
    'members that are null',
    streamOf([
      START,
      TEXT.replace('"text":""', '"text":null,"id":null,"input":null'),
      SAID,
      '{"type":"message_delta","delta":null,"error":null,"index":null}',
      STOP,
    ]),
  ],
  ['no blank line at the end', streamOf(EVENTS).trimEnd()],
  ['one line break at the end', `${streamOf(EVENTS).trimEnd()}\r`],
  ['no notice of its end', streamOf(EVENTS.slice(0, -1))],
  ['a bound within a tool call', streamOf([START, TEXT, SAID, TOOL, PART, stopped('max_tokens'), STOP])],
] as const)
  test(`an answer that was shown is kept: ${what}`, async () => {
    for (const length of [1, 13, 100_000]) assert.deepEqual((await answerOf(stream, length)).content, [text]);
  });

test('reported tokens count, and null keeps the earlier values', async () => {
  const later =
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":9}}';
  const { inputTokens, outputTokens } = await answerOf(streamOf([START, TEXT, SAID, later, STOP]), 50);
  assert.deepEqual([inputTokens, outputTokens], [7, 9]);
  const whole = readWhole('{"content":[{"type":"text","text":"Hello","id":null}],"usage":null}');
  assert.deepEqual(whole, { content: [text], inputTokens: 0, outputTokens: 0 });
});

test('a call of a tool that arrived whole is kept though the bound was met', async () => {
  const rest = PART.replace('{\\"a\\":[1,', '2]}');
  const { content } = await answerOf(streamOf([START, TOOL, PART, rest, stopped('max_tokens'), STOP]), 9);
  assert.deepEqual(content, [{ type: 'tool_use', id: 't1', name: 'look', input: { a: [1, 2] } }]);
});

for (const [what, events] of [
  ['an end that is missing', [START, TEXT, SAID]],
  ['a tool call that is no JSON', [START, TOOL, PART, stopped('tool_use'), STOP]],
  ['what is no event', [START, '[1]', STOP]],
  ['what is no JSON', [START, '{"type"', STOP]],
  ['a part that was not begun', [START, SAID, STOP]],
] as const)
  test(`an answer is refused: ${what}`, async () => {
    await assert.rejects(answerOf(streamOf(events), 50), MalformedAnswer);
  });
