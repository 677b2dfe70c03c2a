/**
 * Replies of mail servers, classified by hand; docs/decisions/0039-bounce-classification-by-text.md has the figures.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { classifyBounce } from './classify.ts';

interface Labelled {
  readonly expected: string;
  readonly classified: string;
  readonly reply: string;
}

const labelled: readonly Labelled[] = readFileSync(new URL('reply-corpus.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [expected = '', , , reply = ''] = line.split('\t');
    const text = reply.replaceAll('\\n', '\r\n');
    const { bounceClass, isAboutSender } = classifyBounce({ code: null, status: null, text });
    return { expected, classified: isAboutSender ? 'sender' : bounceClass, reply };
  });

/** Precision and recall of a class. */
function figuresOf(name: string) {
  const called = labelled.filter(({ classified }) => classified === name);
  const right = called.filter(({ expected }) => expected === name).length;
  const all = labelled.filter(({ expected }) => expected === name).length;
  return { precision: right / called.length, recall: right / all };
}

test('the corpus has hundreds of replies of each class', () => {
  assert.ok(labelled.length >= 1000);
  for (const name of ['hard', 'soft', 'sender'])
    assert.ok(labelled.filter(({ expected }) => expected === name).length >= 250, name);
});

test('no reply of the corpus is a false hard bounce', () => {
  const wrong = labelled.filter(({ expected, classified }) => classified === 'hard' && expected !== 'hard');
  assert.deepEqual(wrong, []);
});

test('replies of the corpus are classified as published', () => {
  for (const [name, least] of [
    ['hard', 0.99],
    ['soft', 0.99],
    ['sender', 0.99],
  ] as const) {
    const { precision, recall } = figuresOf(name);
    assert.ok(precision >= least && recall >= least, `${name}: ${precision} ${recall}`);
  }
});
