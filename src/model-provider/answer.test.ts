import assert from 'node:assert/strict';
import test from 'node:test';
import { AnswerAssembly, MalformedAnswer, readEvent, readWhole } from './answer.ts';
import { readEvents, sniffEvents } from './server-events.ts';

const START = '{"type":"message_start","message":{"usage":{"input_tokens":7,"output_tokens":1}}}';
const TEXT = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}';
const SAID = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}';
const TOOL =
  '{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"look","input":{}}}';
const PART =
  '{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\":[1,"}}';
const THOUGHT = [
  '{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}',
  '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}',
];
const STOP = '{"type":"message_stop"}';
const stopped = (reason: string) =>
  `{"type":"message_delta","delta":{"stop_reason":"${reason}"},"usage":{"output_tokens":9}}`;
const EVENTS = [START, TEXT, SAID, stopped('end_turn'), STOP];

/** Parses a stream in chunks of this size and returns the answer. */
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
  ['a bound before the input of a call', streamOf([START, TEXT, SAID, TOOL, stopped('max_tokens'), STOP])],
  ['another bound within a call', streamOf([START, TEXT, SAID, TOOL, PART, stopped('length'), STOP])],
  [
    'a context that is full',
    streamOf([START, TEXT, SAID, TOOL, PART, stopped('model_context_window_exceeded')]),
  ],
  ['a refusal within a call', streamOf([START, TEXT, SAID, TOOL, PART, stopped('refusal'), STOP])],
  ['a byte order mark', `\ufeff${streamOf(EVENTS)}`],
  ['no spaces behind colons', streamOf(EVENTS).replaceAll(': {', ':{')],
  ['ids and times to retry', `retry: 100\n\nid: 7\n${streamOf(EVENTS)}`],
  ['data before the name of the event', EVENTS.map((each) => `data: ${each}\nevent: x\n\n`).join('')],
  ['data in two lines', streamOf(EVENTS).replaceAll(',"delta"', ',\ndata: "delta"')],
  ['a text that was not begun', streamOf([START, SAID, stopped('end_turn'), STOP])],
  [
    'a part of another kind that was not begun',
    streamOf([
      START,
      SAID,
      '{"type":"content_block_delta","index":3,"delta":{"type":"thinking_delta"}}',
      STOP,
    ]),
  ],
  ['thoughts before it', streamOf([START, ...THOUGHT, TEXT.replace('0', '1'), SAID.replace('0', '1'), STOP])],
  [
    'ids that are empty',
    streamOf([START, TEXT.replace('"text":""', '"text":"","id":"","name":""'), SAID, STOP]),
  ],
  [
    'an input that is a text',
    streamOf([START, TEXT.replace('"text":""', '"text":"","input":""'), SAID, STOP]),
  ],
  ['usage that is a list', streamOf([START.replace(/\{"input.*?\}/, '[]'), TEXT, SAID, STOP])],
  [
    'counts that are no numbers',
    streamOf([START.replace('7', '"many"').replace('1}', '-1}'), TEXT, SAID, STOP]),
  ],
  ['an error that is a text', streamOf([START, TEXT, '{"type":"ping","error":""}', SAID, STOP])],
  ['events without a type', streamOf([START, TEXT, '{"usage":{}}', SAID, STOP])],
  ['a stop that is followed by nothing', streamOf([START, TEXT, SAID, stopped('stop_sequence')])],
] as const)
  test(`a complete answer is kept: ${what}`, async () => {
    for (const length of [1, 13, 100_000]) assert.deepEqual((await answerOf(stream, length)).content, [text]);
  });

test('reported tokens count, and null keeps the earlier values', async () => {
  const later =
    '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":9}}';
  const { inputTokens, outputTokens } = await answerOf(streamOf([START, TEXT, SAID, later, STOP]), 50);
  assert.deepEqual([inputTokens, outputTokens], [7, 9]);
  const answer = readWhole('{"content":[{"type":"text","text":"Hello","id":null}],"usage":null}');
  assert.deepEqual(answer, { content: [text], inputTokens: 0, outputTokens: 0 });
});

test('counts of any other type are ignored', () => {
  for (const count of ['{"valueOf":1}', 'true', '""', '[5]', '"7e1"'])
    assert.equal(readWhole(`{"content":"Hello","usage":{"input_tokens":${count}}}`).inputTokens, 0);
});

test('events are recognised after blanks and in pieces, and a reader that stops ends the body', async () => {
  for (const [pieces, isEvents] of [
    [['\n', 'da', 'ta: {}\n\n'], true],
    [['data: {}\n\n'], true],
    [['{"content":"Hello"}'], false],
    [[' '], false],
  ] as const) {
    let isEnded = false;
    async function* bodyOf() {
      try {
        for (const piece of pieces) yield Buffer.from(piece);
      } finally {
        isEnded = true;
      }
    }
    const sniffed = await sniffEvents(bodyOf(), 'application/json');
    assert.equal(sniffed.isEvents, isEvents);
    for await (const _ of sniffed.body) break;
    assert.ok(isEnded);
  }
});

test('a completely received tool call is kept even if the limit was reached', async () => {
  const rest = PART.replace('{\\"a\\":[1,', '2]}');
  const { content } = await answerOf(streamOf([START, TOOL, PART, rest, stopped('max_tokens'), STOP]), 9);
  assert.deepEqual(content, [{ type: 'tool_use', id: 't1', name: 'look', input: { a: [1, 2] } }]);
});

test('tool calls get unique ids if a gateway sends none, or the same for all', async () => {
  for (const id of ['', 'call_0', 'x'.repeat(201)]) {
    const begin = TOOL.replace('t1', id);
    const { content } = await answerOf(streamOf([START, begin, begin.replace('1', '2'), STOP]), 100_000);
    const ids = content.map((block) => (block.type === 'tool_use' ? block.id : ''));
    assert.equal(new Set(ids).size, 2);
    assert.ok(ids.every((each) => each !== '' && each.length <= 200));
    assert.equal(ids[0] === id, id === 'call_0');
  }
});

test('parts with one index, and parts with interleaved deltas, are all kept', async () => {
  const first = TOOL.replace('"index":1', '"index":0');
  const one = await answerOf(streamOf([START, TEXT, SAID, first, stopped('tool_use'), STOP]), 100_000);
  assert.deepEqual(one.content, [text, { type: 'tool_use', id: 't1', name: 'look', input: {} }]);
  const other = (event: string) => event.replace('"index":1', '"index":2').replace('t1', 't2');
  const rest = PART.replace('{\\"a\\":[1,', '2]}');
  const events = [START, TOOL, other(TOOL), PART, other(PART), other(rest), rest, stopped('tool_use'), STOP];
  const both = await answerOf(streamOf(events), 100_000);
  const call = { type: 'tool_use', name: 'look', input: { a: [1, 2] } };
  assert.deepEqual(both.content, [
    { ...call, id: 't1' },
    { ...call, id: 't2' },
  ]);
});

test('a complete answer is read in the forms of all gateways', () => {
  const read = (body: string) => readWhole(body).content;
  assert.deepEqual(read('\ufeff{"content":[{"type":"text","text":"Hello"}]}'), [text]);
  assert.deepEqual(read('{"content":"Hello","usage":{"input_tokens":1.5}}'), [text]);
  assert.deepEqual(read('{"content":null}'), []);
  assert.deepEqual(read('{"content":[{"type":"text","text":"Hello"},{"type":"image","source":{}}]}'), [text]);
  const call = (input: string, reason: string) =>
    read(
      `{"content":[{"type":"tool_use","id":"1","name":"look","input":${input}}],"stop_reason":"${reason}"}`,
    );
  const known = { type: 'tool_use', id: '1', name: 'look' };
  assert.deepEqual(call('{}', 'tool_use'), [{ ...known, input: {} }]);
  assert.deepEqual(call('"{\\"a\\":1}"', 'tool_use'), [{ ...known, input: { a: 1 } }]);
  assert.deepEqual(call('{"a":1}', 'max_tokens'), [{ ...known, input: { a: 1 } }]);
  assert.deepEqual(call('{}', 'max_tokens'), []);
});

for (const [what, events] of [
  ['an end that is missing', [START, TEXT, SAID]],
  ['a tool call that is no JSON', [START, TOOL, PART, stopped('tool_use'), STOP]],
  ['what is no event', [START, '[1]', STOP]],
  ['what is no JSON', [START, '{"type"', STOP]],
  ['a tool call that was not begun', [START, PART, STOP]],
  ['a tool without a name', [START, TOOL.replace('look', ''), stopped('tool_use'), STOP]],
  ['an end before the end', [START, TEXT, SAID, '{"type":"content_block_stop","index":0}']],
] as const)
  test(`an answer is rejected: ${what}`, async () => {
    await assert.rejects(answerOf(streamOf(events), 50), MalformedAnswer);
  });
