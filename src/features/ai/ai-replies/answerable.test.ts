import assert from 'node:assert/strict';
import test from 'node:test';
import type { Message } from '../ai-threads/index.ts';
import { answerable } from './answerable.ts';

const text = (said: string) => ({ type: 'text' as const, text: said });
const call = (id: string) => ({ type: 'tool_use' as const, id, name: 'look', input: {} });
const result = (id: string, said = 'found') => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content: [text(said)],
});
const none = (id: string) => ({
  ...result(id, 'There is no result: the conversation went on without it.'),
  is_error: true,
});
const user = (...content: Message['content']): Message => ({ role: 'user', content });
const assistant = (...content: Message['content']): Message => ({ role: 'assistant', content });

for (const [what, given, expected] of [
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
] satisfies [string, Message[], Message[] | null][])
  test(`a provider takes a thread with ${what}`, () => {
    assert.deepEqual(answerable(given), expected ?? given);
    assert.deepEqual(answerable(answerable(given)), expected ?? given);
  });
