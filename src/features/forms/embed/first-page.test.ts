import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { renderFirstPage } from './first-page.ts';

function render(
  definition: Record<string, unknown>,
  locale = 'en',
  addedQuestion: string | null = null,
): string {
  return renderFirstPage({ definition, locale, addedQuestion }).toString();
}

test('the first page shows its title, questions and choices in the language of the page', () => {
  const choices = ['one', { value: 2, text: { default: 'two', de: 'zwei' } }];
  const elements = [
    { type: 'text', name: 'q', title: { default: 'Name', de: 'Ihr Name' }, isRequired: true },
    { type: 'panel', elements: [{ type: 'radiogroup', name: 'r', choices }] },
    { type: 'comment', name: 'hidden', visibleIf: '{q} notempty' },
  ];
  const page = render({ title: 'Visit', pages: [{ title: 'You', elements }, { elements: [] }] }, 'de-AT');
  for (const text of ['Visit', 'You', 'Ihr Name', 'one', 'zwei']) assert.ok(page.includes(`>${text}<`), text);
  assert.match(page, /data-early="q"/);
  assert.doesNotMatch(page, /data-early="hidden"/);
});

test('elements that depend on answers are omitted, and unclosed braces take no extra time', () => {
  assert.ok(render({ title: 'Dear {name}, {of {town}' }).includes('>Dear , {of<'));
  const title = '{'.repeat(500_000);
  assert.ok(render({ title }).includes(title));
});

test('a form without an address question shows the added question on its only page', () => {
  const pages = [{ elements: [{ type: 'text', name: 'q' }] }];
  assert.match(render({ pages }, 'en', 'Email address'), /Email address/);
  assert.doesNotMatch(
    render({ pages: [...pages, { elements: [] }] }, 'en', 'Email address'),
    /Email address/,
  );
});

test('no definition breaks the page or escapes its element', () => {
  const element = fc.record({
    type: fc.constantFrom<unknown>('text', 'comment', 'radiogroup', 'checkbox', 'panel', 'matrix', 7, null),
    name: fc.constantFrom<unknown>('a', '"><script>', 7, null),
    title: fc.oneof(fc.constant('</div><script>'), fc.jsonValue()),
    choices: fc.jsonValue(),
    elements: fc.jsonValue(),
    rows: fc.jsonValue(),
  });
  fc.assert(
    fc.property(fc.oneof(fc.array(element), fc.jsonValue()), fc.jsonValue(), (elements, title) => {
      const page = render({ title, pages: [{ elements, title }] });
      assert.doesNotMatch(page, /<script/);
    }),
  );
});
