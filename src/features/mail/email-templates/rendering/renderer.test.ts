import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { RenderResult, RenderSource } from './contract.ts';
import { renderSource } from './render-source.ts';
import { Renderer } from './renderer.ts';

const renderer = new Renderer({ threads: 2 });
after(() => renderer.close());
const options = { tenantId: 'one' };

function sourceOf(html: string, more: Partial<RenderSource> = {}): RenderSource {
  return renderSource({ subject: '', text: null, generateText: false, snippets: {}, ...more, html });
}

function messageOf(result: RenderResult | undefined): string {
  assert.ok(result !== undefined && !result.ok, JSON.stringify(result)?.slice(0, 200));
  return result.error.message;
}

/** Retries while no thread was free in time on a busy machine. */
async function begun<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const isLate = error instanceof Error && error.message.includes('did not start in time');
      if (!isLate || tries === 50) throw error;
    }
  }
}

/** A template that Handlebars parses for minutes. */
const PARSER_BOMB = '{{#if a}}'.repeat(30_000) + '{{/if}}'.repeat(30_000);

test('a batch is rendered in the order of its data, and errors do not affect others', async () => {
  const dataList = Array.from({ length: 1200 }, (_, index) => (index === 700 ? {} : { name: `n${index}` }));
  const results = await renderer.renderBatch(sourceOf('Hi {{name}}'), dataList, options);
  assert.equal(results.length, 1200);
  for (const [index, result] of results.entries()) {
    if (index === 700) assert.match(messageOf(result), /"name" is not defined \(line 1, column 6\)/);
    else assert.equal(result.ok && result.html, `Hi n${index}`);
  }
  assert.deepEqual(await renderer.renderBatch(sourceOf('x'), [], options), []);
});

test('long texts of a template are in every message, in position', async () => {
  const [long, longer] = ['ä'.repeat(2000), '€'.repeat(3000)];
  const source = sourceOf(`{{name}}${long}{{#each rows}}${longer}{{this}}{{/each}}${long}`);
  const dataList = Array.from({ length: 1200 }, (_, index) => ({ name: `n${index}`, rows: [index, 'x'] }));
  const results = await renderer.renderBatch(source, dataList, options);
  for (const [index, result] of results.entries())
    assert.ok(result.ok && result.html === `n${index}${long}${longer}${index}${longer}x${long}`, `${index}`);
});

test('long texts of a template count as output, too', async () => {
  const source = sourceOf(`{{#each rows}}${'x'.repeat(10_000)}{{/each}}`);
  const rows = (length: number) => ({ rows: Array.from({ length }, () => 1) });
  const results = await renderer.renderBatch(source, [rows(1000), rows(1100)], options);
  assert.equal(results[0]?.ok && results[0].html.length, 10_000_000);
  assert.match(messageOf(results[1]), /larger than 10 MiB/);
});

test('messages share common data, and override it with their own', async () => {
  const text = 'x'.repeat(100_000);
  const dataList = Array.from({ length: 500 }, (_, index) => (index === 7 ? { a: 'own' } : { index }));
  const results = await renderer.renderBatch(sourceOf('{{a}} {{text}}'), dataList, {
    ...options,
    sharedData: { a: 'shared', text },
  });
  for (const [index, result] of results.entries())
    assert.ok(result.ok && result.html === `${index === 7 ? 'own' : 'shared'} ${text}`, `${index}`);
});

test('rendering of a batch stops at the requested number of characters, after at least one message', async () => {
  const dataList = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(100_000) }));
  const render = (maxCharacters: number) =>
    renderer.renderBatch(sourceOf('{{text}}{{text}}'), dataList, { ...options, maxCharacters });
  const some = await render(1_000_000);
  assert.ok(some.length >= 5 && some.length < 50, `${some.length} messages`);
  assert.ok(some.every((result) => result.ok && result.html.length === 200_000));
  assert.ok((await render(1)).length >= 1);
});

test('data too large for one turn is transferred in several', async () => {
  // Reading all data at once takes far longer than the limit of one message; reading each alone does not.
  const own = { rows: Array.from({ length: 60_000 }, () => ({})), name: 'Ada' };
  const dataList = Array.from({ length: 100 }, () => own);
  const results = await begun(() =>
    renderer.renderBatch(sourceOf('Dear {{name}}'), dataList, { ...options, maxMs: 400 }),
  );
  assert.ok(results.every((result) => result.ok && result.html === 'Dear Ada'));
});

test('a thread filled by many sources is not blamed on the next one', async () => {
  const small = new Renderer({ threads: 1, heapMb: 48 });
  for (let n = 0; n < 25; n += 1) {
    const source = sourceOf('{{a}}'.repeat(2000), { subject: `${n}` });
    assert.equal((await small.render(source, { a: 1 }, options)).ok, true, `source ${n}`);
    if (n % 5 === 0) assert.equal(await small.check(source, options), null);
  }
  await small.close();
});

test('a thread that cannot start is not blamed on the template', async () => {
  const starved = new Renderer({ threads: 1, heapMb: 5 });
  await assert.rejects(starved.render(sourceOf('fine'), {}, options), /did not start/);
  await assert.rejects(starved.check(sourceOf('fine'), options), /did not start/);
  await starved.close();
});

test('a source too large for any thread fails, also if it cannot even be transferred', async () => {
  const small = new Renderer({ threads: 1, heapMb: 48 });
  const snippets = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`s${index}`, 'x'.repeat(10_000_000)]),
  );
  const tooLarge = sourceOf('{{{snippet s0}}}', { snippets });
  const render = (source: RenderSource) => begun(() => small.render(source, {}, options));
  assert.match(messageOf(await render(tooLarge)), /too much memory/);
  assert.equal((await render(sourceOf('fine'))).ok, true);
  await small.close();
});

test('an error that ends a thread is reported as such, not as lack of memory', async () => {
  // No caller can create such a source: it simulates an unknown bug of the renderer.
  const broken = { ...sourceOf('breaks'), html: Object(5) };
  assert.match(
    messageOf(await renderer.render(broken, {}, options)),
    /^Rendering failed because of an internal error: .*not a function/,
  );
  assert.equal((await renderer.render(sourceOf('fine'), {}, options)).ok, true);
});

test('check reports syntax errors and ignores snippets', async () => {
  assert.equal(await renderer.check(sourceOf('{{a}} {{{snippet gone}}}'), options), null);
  assert.equal((await renderer.check(sourceOf('{{#if a}}'), options))?.kind, 'syntax');
});

test('a template that hangs the parser ends at the deadline, and is then rejected immediately', async () => {
  const bomb = sourceOf(PARSER_BOMB);
  assert.match(
    messageOf(await begun(() => renderer.render(bomb, {}, { ...options, maxMs: 200 }))),
    /longer than 200 ms/,
  );
  assert.match(messageOf(await renderer.render(bomb, {}, options)), /longer than 200 ms/);
  assert.equal((await renderer.render(sourceOf('fine'), {}, options)).ok, true);
});

test('a slow template of one tenant does not delay another', async () => {
  const order: string[] = [];
  const bombs = Array.from({ length: 4 }, async (_, index) => {
    await renderer.render(sourceOf(`${PARSER_BOMB}${index}`), {}, { tenantId: 'bad', maxMs: 150 });
    order.push('bad');
  });
  const good = Array.from({ length: 20 }, async (_, index) => {
    assert.equal((await renderer.render(sourceOf(`good ${index}`), {}, { tenantId: 'good' })).ok, true);
    order.push('good');
  });
  await Promise.all([...bombs, ...good]);
  assert.ok(order.lastIndexOf('good') < order.lastIndexOf('bad'), order.join(' '));
});

test('tenants take turns, so that a large batch does not delay another tenant until its end', async () => {
  const single = new Renderer({ threads: 1 });
  const rows = Array.from({ length: 2000 }, (_, index) => index);
  const html = '{{#each rows}}{{#each ../rows}}{{/each}}{{/each}}';
  const dataList = Array.from({ length: 12 }, () => ({ rows }));
  const order: string[] = [];
  const large = single.renderBatch(sourceOf(html), dataList, options).then(() => order.push('large'));
  const small = single.render(sourceOf('small'), {}, { tenantId: 'two' }).then(() => order.push('small'));
  await Promise.all([large, small]);
  assert.deepEqual(order, ['small', 'large']);
  await single.close();
});

test('one message that takes too long fails alone', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => index);
  const html = '{{#each rows}}{{#each ../rows}}{{#each ../../rows}}{{/each}}{{/each}}{{/each}}done';
  const dataList = [{ rows: [] }, { rows }, { rows: [1] }];
  const results = await renderer.renderBatch(sourceOf(html), dataList, { ...options, maxMs: 100 });
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false, true],
  );
  assert.match(messageOf(results[1]), /longer than 100 ms/);
});

test('one message that hangs its thread fails alone', async () => {
  // Deriving text from this raw value recurses into a million open elements.
  const source = sourceOf('<p>{{{v}}}</p>', { generateText: true });
  const dataList = [{ v: 'a' }, { v: '<b>'.repeat(300_000) }, { v: 'c' }];
  const results = await renderer.renderBatch(source, dataList, { ...options, maxMs: 300 });
  assert.deepEqual([results[0]?.ok, results[2]?.ok], [true, true]);
});

test('exceeding the limit of output or memory is an error, and the next render works', async () => {
  const big = 'x'.repeat(1_000_000);
  const data = { big, rows: Array.from({ length: 300 }, () => 1) };
  assert.match(
    messageOf(await renderer.render(sourceOf('{{#each rows}}{{@root.big}}{{/each}}'), data, options)),
    /larger than 10 MiB/,
  );
  const results = await renderer.renderBatch(
    sourceOf('{{big}}{{big}}{{big}}{{big}}'),
    Array.from({ length: 40 }, () => data),
    options,
  );
  assert.equal(
    results.every(({ ok }) => ok),
    true,
  );
});

test('input made for backtracking matchers is read in linear time', async () => {
  for (const html of [
    `{{${' '.repeat(100_000)}`,
    `<a ${'a=" '.repeat(50_000)}{{x}}`,
    `${'<'.repeat(200_000)}{{x}}`,
    `<style>${'a{b:c;'.repeat(20_000)}</style>{{x}}`,
    `${'{'.repeat(50_000)}`,
    `{{x ${'"a '.repeat(30_000)}`,
    `<style>${'/*'.repeat(50_000)}</style>${'<%'.repeat(5_000)}{{x}}`,
    `<pre>${' '.repeat(500_000)}x</pre>{{x}}`,
    `<a style="${'{{x}} '.repeat(20_000)}">`,
  ]) {
    const result = await renderer.render(sourceOf(html, { generateText: true }), { x: 1 }, options);
    if (!result.ok)
      assert.match(result.error.message, /parse|longer than|too large|no function/, html.slice(0, 30));
  }
  assert.equal((await renderer.render(sourceOf('still here'), {}, options)).ok, true);
});

test('after closing, requests get an error', async () => {
  const closed = new Renderer({ threads: 1 });
  const waiting = [1, 2, 3].map((index) => closed.render(sourceOf(`${PARSER_BOMB} ${index}`), {}, options));
  await closed.close();
  for (const result of await Promise.all(waiting)) assert.equal(result.ok, false);
  assert.equal((await closed.render(sourceOf('x'), {}, options)).ok, false);
});

test('a request whose deadline has passed is not rendered', async () => {
  const late = renderer.render(sourceOf('Hi'), {}, { ...options, deadline: AbortSignal.abort() });
  await assert.rejects(late, /took longer than 20 s/);
});
