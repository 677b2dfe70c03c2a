import assert from 'node:assert/strict';
import test from 'node:test';
import type { Message } from '../ai-threads/index.ts';
import { normalizeMessages } from './normalize-messages.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'look', input: {} });
const result = (id: string, value = 'found') => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content: [text(value)],
});
const image = {
  type: 'image' as const,
  source: { type: 'base64' as const, media_type: 'image/png', data: 'eA==' },
};
const none = (id: string) => ({
  ...result(id, 'There is no result: the conversation went on without it.'),
  is_error: true,
});
const user = (...content: Message['content']): Message => ({ role: 'user', content });
const assistant = (...content: Message['content']): Message => ({ role: 'assistant', content });

for (const [what, input, expected] of [
  ['nothing', [], []],
  ['what was answered', [user(text('a')), assistant(call('1')), user(result('1'))], null],
  ['a call with nothing behind it', [assistant(call('1'))], [assistant(call('1')), user(none('1'))]],
  [
    'a call that was talked over',
    [assistant(call('1')), user(text('b'))],
    [assistant(call('1')), user(none('1'), text('b'))],
  ],
  [
    'one of two calls',
    [assistant(call('1'), call('2')), user(result('2'))],
    [assistant(call('1'), call('2')), user(none('1'), result('2'))],
  ],
  [
    'results behind what was said',
    [assistant(call('1')), user(text('b'), result('1'))],
    [assistant(call('1')), user(result('1'), text('b'))],
  ],
  [
    'a result that comes too late',
    [assistant(call('1')), user(text('b')), assistant(text('c')), user(result('1'))],
    [assistant(call('1')), user(none('1'), text('b')), assistant(text('c'))],
  ],
  ['a result of no call', [user(result('9'), text('b'))], [user(text('b'))]],
  [
    'a result twice',
    [assistant(call('1')), user(result('1'), result('1', 'again'))],
    [assistant(call('1')), user(result('1'))],
  ],
  [
    'two answers in a row',
    [assistant(call('1')), assistant(text('b')), user(text('c'))],
    [assistant(call('1')), user(none('1')), assistant(text('b')), user(text('c'))],
  ],
  [
    'texts of blanks',
    [user(text(' \n')), assistant(text(''), text('b')), user(text('\u00a0'))],
    [assistant(text('b'))],
  ],
  [
    'blanks at the end of an answer',
    [user(text('a ')), assistant(text('b \n'))],
    [user(text('a ')), assistant(text('b'))],
  ],
  ['blanks in the middle', [assistant(text('b ')), user(text('c '))], null],
  ['two messages of a user', [user(text('a')), user(text('b'))], [user(text('a'), text('b'))]],
  [
    'two answers in a row without calls',
    [user(text('a')), assistant(text('b')), assistant(text('c')), user(text('d'))],
    [user(text('a')), assistant(text('b'), text('c')), user(text('d'))],
  ],
  [
    'an answer that ends with a call, behind another answer',
    [assistant(text('b')), assistant(call('1')), user(result('1'))],
    [assistant(text('b'), call('1')), user(result('1'))],
  ],
  [
    'a result behind what was said before',
    [assistant(call('1')), user(text('b')), user(result('1'))],
    [assistant(call('1')), user(result('1'), text('b'))],
  ],
  [
    'results in several messages',
    [assistant(call('1'), call('2')), user(result('2')), user(result('1')), user(text('b'))],
    [assistant(call('1'), call('2')), user(result('1'), result('2'), text('b'))],
  ],
  [
    'nothing but a blank between two messages',
    [user(text('a')), assistant(text('\u001c')), user(text('b'))],
    [user(text('a'), text('b'))],
  ],
  [
    'ids that are used twice',
    [assistant(call('1')), user(result('1', 'a')), assistant(call('1')), user(result('1', 'b'))],
    [assistant(call('1')), user(result('1', 'a')), assistant(call('1_2')), user(result('1_2', 'b'))],
  ],
  [
    'an id that is used twice at once',
    [assistant(call('1'), call('1')), user(result('1', 'a'), result('1', 'b'))],
    [assistant(call('1'), call('1_2')), user(result('1', 'a'), result('1_2', 'b'))],
  ],
  [
    'ids and names that providers refuse',
    [assistant({ ...call('functions.look:0'), name: 'look up!' }), user(result('functions.look:0'))],
    [assistant({ ...call('functions_look_0'), name: 'look_up_' }), user(result('functions_look_0'))],
  ],
  [
    'a failure without a text',
    [assistant(call('1')), user({ ...result('1'), content: [], is_error: true })],
    [assistant(call('1')), user({ ...result('1', 'It failed.'), is_error: true })],
  ],
  ['a result without a text', [assistant(call('1')), user({ ...result('1'), content: [] })], null],
  ['a call by a user', [user(text('a'), call('1'))], [user(text('a'))]],
  ['a result in an answer', [assistant(result('1'), text('a'))], [assistant(text('a'))]],
  ['an image in an answer', [assistant(image, text('a')), user(image)], [assistant(text('a')), user(image)]],
] satisfies [string, Message[], Message[] | null][])
  test(`a provider accepts a thread with ${what}`, () => {
    assert.deepEqual(normalizeMessages(input), expected ?? input);
    assert.deepEqual(normalizeMessages(normalizeMessages(input)), expected ?? input);
  });

test('ten thousand calls with the same id get unique ids with matching results', () => {
  const count = 10_000;
  const calls = Array.from({ length: count }, () => call('a'));
  const results = Array.from({ length: count }, (_, n) => result('a', `${n}`));
  const [question, answered] = normalizeMessages([
    user(text('a')),
    assistant(...calls),
    user(...results),
  ]).slice(1);
  const ids = question?.content.map((block) => (block.type === 'tool_use' ? block.id : ''));
  assert.equal(new Set(ids).size, count);
  assert.deepEqual(
    answered?.content,
    ids?.map((id, n) => result(id, `${n}`)),
  );
});
