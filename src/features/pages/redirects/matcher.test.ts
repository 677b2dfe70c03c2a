import assert from 'node:assert/strict';
import test from 'node:test';
import { Matcher } from './matcher.ts';
import type { ChangedRule } from './rule.ts';

const DOMAIN = 'example.com';
let count = 0;

/** A rule of the domain; later ones are newer. */
function rule(more: Partial<ChangedRule>): ChangedRule {
  count += 1;
  return {
    id: String(count).padStart(6, '0'),
    source_domain: DOMAIN,
    rule_type: 'static',
    source: '/old',
    target: '/new',
    redirect_type: '301',
    priority: 0,
    is_active: true,
    program_size: 10,
    created_at: `2026-01-01T00:00:00.${String(count).padStart(6, '0')}Z`,
    ...more,
  };
}

const prefix = (source: string, target: string, more: Partial<ChangedRule> = {}) =>
  rule({ rule_type: 'prefix', source, target, ...more });
const regex = (source: string, target: string, more: Partial<ChangedRule> = {}) =>
  rule({ rule_type: 'regex', source, target, ...more });

async function build(rules: readonly ChangedRule[]): Promise<Matcher> {
  const matcher = new Matcher();
  matcher.change(rules);
  await matcher.compilePatterns();
  return matcher;
}

/** Returns the redirect of a request of the domain. */
async function target(
  rules: readonly ChangedRule[],
  source: string,
  domain = DOMAIN,
): Promise<string | null> {
  return (await build(rules)).match(domain, source)?.target_url ?? null;
}

for (const [what, rules, source, expected] of [
  ['a static rule leads its path', [rule({})], '/old', '/new'],
  ['a path is compared with its case', [rule({})], '/Old', null],
  ['a slash at the end of a request does not matter', [rule({})], '/old/', '/new'],
  ['a slash at the end of a rule does not matter', [rule({ source: '/old/' })], '/old', '/new'],
  ['a path without a slash at its beginning has one', [rule({ source: 'old' })], '/old', '/new'],
  ['the query of a request is not compared and goes on', [rule({})], '/old?a=1&b=%20', '/new?a=1&b=%20'],
  ['a target has its own query first', [rule({ target: '/new?x=1#top' })], '/old?a=1', '/new?x=1&a=1#top'],
  ['an empty query adds nothing', [rule({})], '/old?', '/new'],
  ['a fragment of a request is left out', [rule({})], '/old?a=1#here', '/new?a=1'],
  ['percent-encodings of one letter are one path', [rule({ source: '/café' })], '/caf%c3%a9', '/new'],
  ['letters that need no encoding may have one', [rule({ source: '/a-b' })], '/%61%2Db', '/new'],
  ['an encoded slash parts no segments', [prefix('/a', '/b')], '/a%2Fc', null],
  [
    'a target leaves as a header can hold it',
    [rule({ target: '/käse?ü=ö' })],
    '/old',
    '/k%C3%A4se?%C3%BC=%C3%B6',
  ],
  [
    'a host of other letters leaves as browsers name it',
    [rule({ target: 'https://käse.de/a' })],
    '/old',
    'https://xn--kse-qla.de/a',
  ],
  ['a prefix leads itself', [prefix('/blog', '/news')], '/blog', '/news'],
  ['a prefix leads what is below it', [prefix('/blog', '/news')], '/blog/a/b', '/news/a/b'],
  ['a prefix leads no longer name', [prefix('/blog', '/news')], '/blogger', null],
  ['a prefix of several segments is compared by whole segments', [prefix('/a/b', '/c')], '/a/bc', null],
  ['slashes are not doubled', [prefix('/blog/', 'https://x.test/')], '/blog/a', 'https://x.test/a'],
  [
    'what is kept goes before a target’s query',
    [prefix('/blog', '/news?from=blog#top')],
    '/blog/a?b=1',
    '/news/a?from=blog&b=1#top',
  ],
  ['the prefix of all paths leads all', [prefix('/', 'https://x.test')], '/a/b', 'https://x.test/a/b'],
  ['the prefix of all paths leads the first', [prefix('/', 'https://x.test/new')], '/', 'https://x.test/new'],
  ['captures stand in the target', [regex('^/p/(\\d+)/(\\w+)$', '/q/$2/$1')], '/p/7/x', '/q/x/7'],
  ['two digits are a group only if there is one', [regex('^/p/(\\d+)$', '/q/$10')], '/p/7', '/q/70'],
  ['two dollars are one', [regex('^/p/(\\d+)$', '/q/$$1-$1')], '/p/7', '/q/$1-7'],
  ['a group that captures nothing is empty', [regex('^/p/(a)?(b)?$', '/q/$1-$2')], '/p/b', '/q/-b'],
  [
    'captures stand in the query and the fragment',
    [regex('^/p/(\\d+)$', '/q?id=$1#i$1')],
    '/p/7?a=1',
    '/q?id=7&a=1#i7',
  ],
  ['an expression may be found anywhere in a path', [regex('/p/\\d+', '/q')], '/x/p/7/y', '/q'],
  ['an expression may ask for the slash at the end', [regex('^/p/(.*)$', '/q/$1')], '/p', '/q/'],
  [
    'an expression reads letters of all scripts',
    [regex('^/käse/(.+)$', '/q/$1')],
    '/k%C3%A4se/%C3%BC%20x',
    '/q/%C3%BC%20x',
  ],
  ['a capture may be the whole target', [regex('^/old(/.*)$', '$1')], '/old/a', '/a'],
  [
    'a capture may be the whole path of another domain',
    [regex('^(/.*)$', 'https://x.test$1')],
    '/a',
    'https://x.test/a',
  ],
  ['a static rule goes before all patterns', [regex('.*', '/r', { priority: 9 }), rule({})], '/old', '/new'],
  [
    'of patterns the highest priority goes first',
    [prefix('/old', '/p'), regex('old', '/r', { priority: 0.5 })],
    '/old',
    '/r',
  ],
  ['of equal priorities the oldest goes first', [regex('old', '/r'), prefix('/old', '/p')], '/old', '/r'],
  ['of equal prefixes the oldest goes first', [prefix('/old', '/p'), prefix('/old/', '/r')], '/old', '/p'],
  [
    'a shorter prefix of higher priority goes first',
    [prefix('/a/b', '/p'), prefix('/a', '/r', { priority: 1 })],
    '/a/b',
    '/r/b',
  ],
  ['rules of other domains do not count', [rule({ source_domain: 'www.example.com' })], '/old', null],
  ['domains are compared without case', [rule({ source_domain: 'EXAMPLE.com' })], '/old', '/new'],
  [
    'a rule that leads to where one is leads nowhere',
    [rule({ target: 'https://example.com/old/' })],
    '/old',
    null,
  ],
  ['a prefix that leads to where one is leads nowhere', [prefix('/a', '/a')], '/a/b', null],
  [
    'the same path of another domain is somewhere else',
    [rule({ target: 'https://x.test/old' })],
    '/old',
    'https://x.test/old',
  ],
] as const) {
  test(what, async () => {
    assert.equal(await target(rules, source), expected);
  });
}

for (const [rules, source, expected] of [
  [[prefix('/docs', '/docs/v2')], '/docs', '/docs/v2'],
  [[prefix('/docs', '/docs/v2')], '/docs/a/b', '/docs/v2/a/b'],
  [[prefix('/docs', '/docs/v2')], '/docs/v2', null],
  [[prefix('/docs', '/docs/v2/')], '/docs/v2/a/', null],
  [[prefix('/docs', '/docs/v2')], '/docs/v22', '/docs/v2/v22'],
  [[prefix('/', '/en')], '/', '/en'],
  [[prefix('/', '/en')], '/about/', '/en/about/'],
  [[prefix('/', '/en')], '/en/about', null],
  [[prefix('/', 'https://example.com/en')], '/en', null],
  [[prefix('/', 'https://x.test/en')], '/en', 'https://x.test/en/en'],
  [[prefix('/käse', '/k%C3%A4se/alt')], '/k%c3%a4se/alt/x', null],
  [[prefix('/docs', '/docs/v2'), prefix('/docs/v2', '/manual')], '/docs/v2/a', '/manual/a'],
  [[regex('^/(.*)$', '/en/$1')], '/a/b', '/en/a/b'],
  [[regex('^/(.*)$', '/en/$1')], '/en/a', null],
  [[regex('^/(.*)$', '/en/$1'), regex('^/en/old$', '/new')], '/en/old', '/new'],
  [[regex('^/p/(\\d+)/(\\w+)$', '/p/$2/$1')], '/p/7/x', '/p/x/7'],
  [[regex('^/p/(\\d+)/(\\w+)$', '/p/$2/$1')], '/p/7/8', null],
  [[regex('^/a/(.*)$', '/$1')], '/a/a/b', '/a/b'],
  [[regex('^/shop/(.*)$', '/shop/$1?new=1')], '/shop/x', null],
] as const) {
  test(`rules that lead below their own source apply once: ${rules.map((each) => `${each.source} to ${each.target}`).join(', ')} for ${source}`, async () => {
    assert.equal(await target(rules, source), expected);
  });
}

for (const [written, requested] of [
  ["/o'hare", '/o%27hare'],
  ['/a(b)', '/a%28b%29'],
  ['/a%28b%29', '/a(b)'],
  ['/a!b', '/a%21b'],
  ['/a,b;c', '/a%2Cb%3bc'],
  ['/a:b@c', '/a%3ab%40c'],
  ['/a+b', '/a%2Bb'],
  ['/a=b&c', '/a%3Db%26c'],
  ['/$a*', '/%24a%2A'],
  ['/%7Eada', '/~ada'],
] as const) {
  test(`punctuation is compared by its meaning: ${written} has ${requested}`, async () => {
    assert.equal(await target([rule({ source: written })], requested), '/new');
    assert.equal(await target([prefix(written, '/new')], `${requested}/x`), '/new/x');
  });
}

for (const [what, rules, source, expected] of [
  ['of a prefix', [prefix('/blog', '/news')], '/blog/a/', '/news/a/'],
  ['before a query', [prefix('/blog', '/news')], '/blog/a/?b=1', '/news/a/?b=1'],
  ['of the prefix of all paths', [prefix('/', 'https://x.test')], '/a/', 'https://x.test/a/'],
  ['of a capture', [regex('^/blog/(.*)$', '/news/$1')], '/blog/a/', '/news/a/'],
  ['unless nothing is kept', [prefix('/blog', '/news')], '/blog/', '/news'],
  ['unless the expression leaves it out', [regex('^/blog/(\\w+)/?$', '/news/$1')], '/blog/a/', '/news/a'],
] as const) {
  test(`a trailing slash of a captured part stays: ${what}`, async () => {
    assert.equal(await target(rules, source), expected);
  });
}

for (const [what, rules, source, expected] of [
  ['a path with two slashes', [regex('^/go(.*)$', '$1')], '/go//evil.test/x', '/evil.test/x'],
  ['a captured address', [regex('^/go/(.*)$', '$1')], '/go/https://evil.test', '/https://evil.test'],
  ['a captured script', [regex('^/go/(.*)$', '$1')], '/go/javascript:alert(1)', '/javascript:alert(1)'],
  ['a backslash', [regex('^/go/(.*)$', '/$1')], '/go/\\evil.test', '/%5Cevil.test'],
  [
    'more of a host',
    [regex('^/go/(.*)$', 'https://x.test$1')],
    '/go/.evil.test',
    'https://x.test/.evil.test',
  ],
  [
    'a user of a host',
    [regex('^/go/(.*)$', 'https://x.test$1')],
    '/go/@evil.test',
    'https://x.test/@evil.test',
  ],
  ['a prefix of all paths', [prefix('/', '/')], '//evil.test', '/evil.test'],
  ['lines of a header', [prefix('/a', '/b')], '/a/\r\nset-cookie: x', '/b/%0D%0Aset-cookie:%20x'],
  ['lines of a header in the query', [rule({})], '/old?\r\nset-cookie: x', '/new?%0D%0Aset-cookie:%20x'],
] as const) {
  test(`a visitor cannot choose the target of a rule by ${what}`, async () => {
    assert.equal(await target(rules, source), expected);
  });
}

test('a target states whether it is on another domain', async () => {
  const isExternal = async (to: string, domain = DOMAIN) =>
    (await build([rule({ source_domain: domain, target: to })])).match(domain, '/old')?.is_external;
  assert.equal(await isExternal('/new'), false);
  assert.equal(await isExternal('https://EXAMPLE.com/new'), false);
  assert.equal(await isExternal('https://www.example.com/new'), true);
  assert.equal(await isExternal('http://localhost:4000/new', 'localhost:3000'), true);
  assert.equal(await isExternal('http://localhost:3000/new', 'localhost:3000'), false);
});

/** A reproducible random generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Finds the rule of a path by scanning all rules. Only for paths of plain letters. */
function naive(rules: readonly ChangedRule[], source: string): string | null {
  const [withSlash = '', query] = source.split('?');
  const path = withSlash.length > 1 ? withSlash.replace(/\/$/, '') : withSlash;
  const slash = withSlash.length > 1 && withSlash.endsWith('/') ? '/' : '';
  const trim = (text: string) => (text.length > 1 ? text.replace(/\/$/, '') : text);
  const statics = rules.filter(({ rule_type }) => rule_type === 'static');
  const patterns = rules
    .filter(({ rule_type }) => rule_type !== 'static')
    .sort((a, b) => b.priority - a.priority || a.id.localeCompare(b.id));
  const asTarget = (to: string) => (to === path ? null : query ? `${to}?${query}` : to);
  const fixed = statics.find((each) => trim(each.source) === path);
  if (fixed) return asTarget(fixed.target);
  for (const each of patterns) {
    const from = trim(each.source);
    if (each.rule_type === 'prefix') {
      if (path === from || path.startsWith(`${from}/`))
        return asTarget(each.target + path.slice(from.length) + (path === from ? '' : slash));
      continue;
    }
    const spellings = slash === '' ? [path, `${path}/`] : [`${path}/`, path];
    for (const text of path === '/' ? [path] : spellings) {
      const found = new RegExp(each.source).exec(text);
      if (found) return asTarget(each.target.replace('$1', found[1] ?? ''));
    }
  }
  return null;
}

test('thousands of random rules and paths match as if each rule were tried', async () => {
  const next = random(7);
  const pick = <T>(all: readonly [T, ...T[]]): T => all[Math.floor(next() * all.length)] ?? all[0];
  const path = () => {
    const length = 1 + Math.floor(next() * 4);
    const segments = Array.from({ length }, () => pick(['a', 'b', 'ab', 'c', 'A', 'abc']));
    return `/${segments.join('/')}${pick(['', '', '/'])}`;
  };
  for (let round = 0; round < 60; round++) {
    const statics = new Set(Array.from({ length: 12 }, () => path().replace(/\/$/, '')));
    const rules = [
      ...[...statics].map((source) => rule({ source, target: '/static' })),
      ...Array.from({ length: 8 }, () =>
        prefix(path(), `/prefix${Math.floor(next() * 9)}`, { priority: pick([0, 0, 1, 2.5, -1]) }),
      ),
      ...Array.from({ length: 6 }, () =>
        regex(pick(['^/a/(.*)', 'b/(a+)', '(c)$', '^/(ab+)/', '^/(A)$', '/(a|b)/c$']), '/regex/$1', {
          priority: pick([0, 1, 2.5]),
        }),
      ),
    ].sort(() => next() - 0.5);
    const matcher = await build(rules);
    for (let call = 0; call < 50; call++) {
      const source = `${path()}${pick(['', '?q=1'])}`;
      assert.equal(matcher.match(DOMAIN, source)?.target_url ?? null, naive(rules, source), source);
    }
  }
});

for (const [what, rules, source, expected] of [
  ['of one source', [prefix('/docs', '/docs/v2'), prefix('/docs', '/guides')], '/docs/v2/x', '/guides/v2/x'],
  ['of one source, for other paths', [prefix('/a', '/a/b'), prefix('/a', '/c')], '/a/x', '/a/b/x'],
  ['of the root', [prefix('/', '/en'), prefix('/', '/de')], '/en/x', '/de/en/x'],
  [
    'of a third with the source',
    [prefix('/a', '/a/b'), prefix('/a', '/a/b'), prefix('/a', '/c')],
    '/a/b',
    '/c/b',
  ],
  ['that has lower priority', [prefix('/a', '/c'), prefix('/a', '/a/b', { priority: 9 })], '/a/b', '/c/b'],
  ['that is none', [prefix('/a', '/a/b'), prefix('/a', '/a/b/c')], '/a/b/c', null],
] as const)
  test(`a skipped rule leaves a path to the next rule ${what}`, async () => {
    assert.equal(await target(rules, source), expected);
  });

test("a rule that has replaced another's path keeps it when the other is loaded later", () => {
  const matcher = new Matcher();
  const one = rule({ source: '/x', target: '/one' });
  const other = rule({ source: '/y', target: '/other' });
  matcher.change([one, other]);
  matcher.change([{ ...one, source: '/y' }]);
  matcher.change([{ ...other, source: '/x' }]);
  assert.equal(matcher.match(DOMAIN, '/y')?.target_url, '/one');
  assert.equal(matcher.match(DOMAIN, '/x')?.target_url, '/other');
});

test('rules changed one by one match like those loaded at once', async () => {
  const next = random(11);
  const pick = (all: readonly string[]) => all[Math.floor(next() * all.length)] ?? '';
  const matcher = new Matcher();
  const now = new Map<string, ChangedRule>();
  const paths = ['/a', '/b', '/c', '/a/b', '/b/c'];
  /** A rule for a path without a static rule. */
  const change = (to: string): ChangedRule => {
    const taken = new Set([...now.values()].map(({ source }) => source));
    const free = pick(paths.filter((path) => !taken.has(path)));
    const id = String(Math.floor(next() * 8));
    const facts = { id, target: to, is_active: next() > 0.2, priority: Math.floor(next() * 3) };
    if (free !== '' && next() < 0.5) return rule({ ...facts, source: free });
    return next() < 0.5 ? prefix(pick(paths), to, facts) : regex(pick(paths), to, facts);
  };
  for (let round = 0; round < 300; round++) {
    const changed = new Map<string, ChangedRule>();
    for (let more = 0; more < 3; more++) {
      const one = change(`/to-${round}-${more}`);
      changed.set(one.id, one);
      now.set(one.id, one);
    }
    matcher.change([...changed.values()]);
    await matcher.compilePatterns();
    const rebuilt = await build([...now.values()]);
    for (const path of paths) assert.deepEqual(matcher.match(DOMAIN, path), rebuilt.match(DOMAIN, path));
    assert.equal(matcher.bytes, rebuilt.bytes);
  }
});
