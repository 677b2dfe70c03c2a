import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { html, scriptJson } from './html.ts';

test('a value is text in any position', () => {
  const text = `<b a="1" c='2'>&</b>`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;';
  assert.equal(html`<p title="${text}">${text}</p>`.toString(), `<p title="${escaped}">${escaped}</p>`);
});

test('pieces are joined unchanged, a list in order, null as nothing', () => {
  const items = ['a', '<'].map((item) => html`<li>${item}</li>`);
  assert.equal(html`<ul>${items}${null}${1}</ul>`.toString(), '<ul><li>a</li><li>&lt;</li>1</ul>');
});

test('no data ends a script element, and all of it is preserved', () => {
  const hostile = fc.oneof(fc.string(), fc.constantFrom('</script>', '<!--', '\u2028', ']]>'));
  fc.assert(
    fc.property(fc.array(hostile), (data) => {
      const json = scriptJson(data).toString();
      assert.doesNotMatch(json, /[<>&\u2028\u2029]/);
      assert.deepEqual(JSON.parse(json), data);
    }),
  );
});
