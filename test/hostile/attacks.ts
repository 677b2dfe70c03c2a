/** Requests of a hostile client: valid requests with alterations. The same seed gives the same alterations. */

import type { Route } from '../../src/http/route.ts';
import { targetOf } from '../contract/route-calls.ts';
import type { RouteRequest } from '../contract/world.ts';

/** A source of random choices. */
export interface Choices {
  /** Returns an integer from 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
}

/** Returns choices that follow from the seed (mulberry32). */
export function choicesOf(seed: number): Choices {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return { integer, pick: (list) => list[integer(list.length)] ?? list[0] };
}

const TEXTS: readonly [string, ...string[]] = [
  "'; drop table forms; --",
  "' or '1'='1",
  "'||pg_sleep(10)||'",
  '$$; set role postgres; $$',
  '{{constructor.constructor("return process")()}}',
  '{{#each (lookup . "__proto__")}}x{{/each}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'a\r\nX-Injected: yes',
  '\u202e\ufeff\u200b\u0001\u001b[2J',
  '👩‍👩‍👧‍👦'.repeat(40),
  '%00%2e%2e%2f',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  '(a+)+$',
  '2026-99-99T99:99:99Z',
  '9'.repeat(400),
  '=cmd|calc!A1',
  '',
];
/** JSON texts, so that numbers may be out of range. */
const VALUES: readonly [string, ...string[]] = [
  ...([
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '1e308',
    '-1e999',
    '9007199254740993',
    '[]',
    '{}',
    '[[]]',
  ] as const),
  ...([
    '[null]',
    '{"value":{}}',
    '{"__proto__":{"admin":true}}',
    '"\\u0000"',
    '"\\ud800"',
    '[1,"a",{}]',
  ] as const),
];
/** Texts in paths and queries, already encoded. */
const PIECES: readonly [string, ...string[]] = [
  ...([
    '%00',
    '%ff%fe',
    '%zz',
    '%ED%A0%80',
    '%2e%2e%2f%2e%2e',
    '..%5c',
    '%252e',
    '%0d%0aX:%20y',
    '*',
    '%27',
    '%',
  ] as const),
  ...(['null', '-1', '0', '1e9', '99999999999999999999', 'true', '[]', '%7B%7D', 'x'.repeat(3000)] as const),
];
const TYPES: readonly [string, ...string[]] = [
  ...([
    'application/json; charset=utf-16',
    'application/json; charset=ebcdic',
    'text/plain',
    'multipart/form-data',
  ] as const),
  ...([
    'application/x-www-form-urlencoded',
    'application/json;',
    ';',
    'application/merge-patch+json',
    'text/csv',
  ] as const),
];
const HEADERS: readonly [Readonly<Record<string, string>>, ...Readonly<Record<string, string>>[]] = [
  { 'x-business-unit': 'eyJhbGciOiJub25lIn0.e30.' },
  { 'x-business-unit': '../x' },
  { 'idempotency-key': "' or 1=1 --" },
  { 'idempotency-key': 'k'.repeat(4000) },
  { 'x-http-method-override': 'DELETE' },
  {
    'x-forwarded-for': "127.0.0.1, ' or 1=1",
    'x-forwarded-host': 'evil.example',
    forwarded: 'for="_x";host=evil',
  },
  { 'x-tenant-id': '00000000-0000-0000-0000-000000000000', 'x-user-id': '1' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, gzip' },
  { accept: '*/*;q=\u00ff', 'accept-encoding': 'x'.repeat(2000), 'accept-language': '../../x' },
  { origin: 'null', referer: 'javascript:alert(1)' },
  { range: 'bytes=0-0,1-1,2-', 'if-none-match': '*'.repeat(1000) },
  { cookie: 'session='.repeat(200) },
  { authorization: 'Basic Og==' },
  { authorization: `Bearer ${'a'.repeat(3000)}` },
  { 'x-api-key': "' or '1'='1" },
];
const DEPTHS: readonly [number, ...number[]] = [10, 200, 5000, 100_000];

/** A request as it is sent. */
export interface Attack {
  readonly kind: string;
  readonly method: string;
  readonly target: string;
  readonly body?: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

type Alteration = (attack: Attack, choices: Choices, route: Route, request: RouteRequest) => Attack;

/** Returns an altered request to a route; `foreign` names records of another tenant. */
export function attackOn(
  route: Route,
  request: RouteRequest,
  foreign: RouteRequest,
  choices: Choices,
): Attack {
  const named = choices.integer(4) === 0 ? foreign : request;
  const valid: Attack = {
    kind: 'valid',
    method: route.method,
    target: targetOf(route, named),
    ...(named.body === undefined ? {} : { body: JSON.stringify(named.body) }),
    headers: {},
  };
  let attack = valid;
  for (let left = 1 + choices.integer(2); left > 0; left -= 1) {
    const [kind, alter] = choices.pick(ALTERATIONS);
    attack = { ...alter(attack, choices, route, named), kind: `${attack.kind}, ${kind}` };
  }
  return attack;
}

const ALTERATIONS: readonly [[string, Alteration], ...[string, Alteration][]] = [
  ['values', (attack, choices) => onText(attack, (text) => withValues(text, choices))],
  ['values', (attack, choices) => onText(attack, (text) => withValues(text, choices))],
  ['cut off', (attack, choices) => onText(attack, (text) => text.slice(0, choices.integer(text.length)))],
  ['more fields', (attack, choices) => onText(attack, (text) => withField(text, choices))],
  ['depth', (attack, choices) => ({ ...attack, body: deep(choices) })],
  ['bytes', (attack, choices) => onText(attack, (text) => withBytes(text, choices))],
  ['type', (attack, choices) => withHeaders(attack, { 'content-type': choices.pick(TYPES) })],
  ['headers', (attack, choices) => withHeaders(attack, choices.pick(HEADERS))],
  [
    'method',
    (attack, choices) => ({ ...attack, method: choices.pick(['PUT', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) }),
  ],
  ['path', (attack, choices, route, request) => ({ ...attack, target: withParams(route, request, choices) })],
  ['query', (attack, choices) => ({ ...attack, target: withQuery(attack.target, choices) })],
];

function onText(attack: Attack, alter: (text: string) => string | Buffer): Attack {
  return typeof attack.body === 'string'
    ? { ...attack, body: alter(attack.body) }
    : { ...attack, body: alter('{}') };
}

function withHeaders(attack: Attack, headers: Attack['headers']): Attack {
  return { ...attack, headers: { ...attack.headers, ...headers } };
}

/** Replaces a value or a name. */
function withValues(text: string, choices: Choices): string {
  const places = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|\{\}|\[\]/g)];
  let altered = text;
  for (let left = 1 + choices.integer(3); left > 0 && places.length > 0; left -= 1) {
    const [place] = places.splice(choices.integer(places.length), 1);
    if (place === undefined) break;
    const value = choices.integer(2) === 0 ? choices.pick(VALUES) : JSON.stringify(choices.pick(TEXTS));
    altered = altered.replace(place[0], () => value);
  }
  return altered;
}

function withField(text: string, choices: Choices): string {
  const name = choices.pick([
    'tenant_id',
    '__proto__',
    'constructor',
    'owner_bu_id',
    'version',
    'id',
    'is_tenant_admin',
  ]);
  return text.replace('{', () => `{${JSON.stringify(name)}:${choices.pick(VALUES)},`);
}

function deep(choices: Choices): string {
  const depth = choices.pick(DEPTHS);
  const [open, close] = choices.pick([['[', ']'] as const, ['{"a":', '}'] as const]);
  const end = choices.integer(2) === 0 ? close.repeat(depth) : '';
  return choices.integer(2) === 0 ? `${open.repeat(depth)}1${end}` : `{"name":${open.repeat(depth)}1${end}}`;
}

function withBytes(text: string, choices: Choices): Buffer {
  const bytes = Buffer.from(text, choices.integer(5) === 0 ? 'utf16le' : 'utf8');
  for (let left = 1 + choices.integer(4); left > 0 && bytes.length > 0; left -= 1)
    bytes[choices.integer(bytes.length)] = choices.pick([0x00, 0xff, 0xfe, 0xc0, 0x80, 0xed, 0x22, 0x5c]);
  return bytes;
}

function pieceOf(choices: Choices): string {
  return choices.integer(2) === 0 ? choices.pick(PIECES) : encodeURIComponent(choices.pick(TEXTS));
}

function withParams(route: Route, { params = {}, query = {} }: RouteRequest, choices: Choices): string {
  const altered = Object.fromEntries(Object.keys(params).map((name) => [name, pieceOf(choices)]));
  return targetOf(route, { params: altered, query }, (value) => value.replaceAll(/[^\x21-\x7e]/g, ''));
}

function withQuery(target: string, choices: Choices): string {
  const name = choices.pick([
    'page',
    'limit',
    'entityType',
    'state',
    'from',
    'search',
    '__proto__',
    'a[b]',
    'token',
  ]);
  const pairs = Array.from({ length: 1 + choices.integer(3) }, () => `${name}=${pieceOf(choices)}`);
  return `${target}${target.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
