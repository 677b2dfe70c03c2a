import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { schemaOf } from '../../../db/tenant-schemas.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const INSUFFICIENT_PRIVILEGE = '42501';

const createSite = () =>
  createRecordsTenant(app, [
    { name: 'order', fields: [{ name: 'title', type: 'string', searchable: true }] },
  ]);

/** Texts, with searches that find them and searches that do not. */
const PARTS: readonly (readonly [text: string, found: readonly string[], missed: readonly string[]])[] = [
  ['SKU-12345', ['12345', 'SKU 12345', 'sku-12345', 'sku_123', '(SKU)'], ['2345', 'sku 54321']],
  ['foo.png', ['png', 'foo', 'foo.png', 'FOO.PN'], ['oo']],
  ['user.name+tag@example.org', ['example.org', 'tag', 'name', 'user.name+tag@example.org'], ['example.com']],
  ['https://shop.example.com/p/blue-lamp?size=XL&x=1', ['lamp', 'shop.example', 'XL', 'p/blue'], ['lamb']],
  ['A/B_12-x', ['12', 'A/B', 'b 12 x', 'x a'], ['ab']],
  ['v1.2.3-rc.1', ['1.2.3', 'v1.2', 'rc 1', '3'], ['v2']],
  ['v4.5.6-beta', ['4.5.6', 'v4.5', 'V 4.5', '4.5.6-b'], ['v5', '4.7']],
  ['SKU67890', ['67890', '678', 'sku', 'SKU67890', 'sku678', 'sku-67890', 'SKU 67890'], ['7890', 'ku678']],
  ['SKU-67891', ['SKU67891', 'sku678'], ['usku67891']],
  ['INV2024001.pdf', ['2024001', 'inv2024', 'INV 2024001', 'pdf'], ['2023', 'inv 2024002']],
  ['12kg blue4you', ['12', 'kg', '12kg', '12 kg', 'blue4', '4you', 'you'], ['kg12', 'blue 5']],
  ['a1b2c3d4', ['a1b2c3', 'b2', 'A1B2C3D4'], ['a2b1', 'b3', 'a1c3']],
  ['Größe42', ['42', 'größe', 'größe42', 'GRÖßE 42'], ['43']],
  ['H2O', ['h2o', 'H2', 'o'], ['h3']],
  ['AT-2026/11/0042', ['0042', '2026/11', '11 0042'], ['42']],
  ['C:\\Users\\ada\\report (final).docx', ['report final', 'users\\ada', 'docx'], ['finale']],
  ["O'Neill & Söhne GmbH", ["o'neill", 'neill', 'söhne', 'SÖHNE & gmbh'], ['sohne']],
  ['192.168.10.7:8080', ['168.10', '8080', '192.168.10.7'], ['192.169']],
  ['日本語-テスト', ['日本語', 'テスト'], ['英語']],
  ['-- 50% off! --', ['50', '50%', 'off'], ['--', '%', '...']],
];

test('search finds parts of codes, file names, hosts and addresses', async () => {
  const { owner } = await createSite();
  for (const [title] of PARTS) await owner.post('/api/order', { title });
  const find = async (search: string) =>
    (await owner.get(`/api/order?search=${encodeURIComponent(search)}`)).body.data.map(
      ({ title }: { title: string }) => title,
    );
  for (const [title, found, missed] of PARTS) {
    for (const search of found) assert.ok((await find(search)).includes(title), `${search} finds ${title}`);
    for (const search of missed)
      assert.ok(!(await find(search)).includes(title), `${search} does not find ${title}`);
  }
});

test('a search with more matches than the index limit is listed and counted', async () => {
  const { owner } = await createSite();
  for (let part = 0; part < 11; part += 1) {
    const records = Array.from({ length: 1000 }, (_, n) => ({ title: `common ${part * 1000 + n}` }));
    await owner.post('/api/order/bulk', { records });
  }
  const all = (await owner.get('/api/order?search=comm&per_page=1')).body;
  assert.equal(all.pagination.total, 11_000);
  const one = (await owner.get('/api/order?search=common%2010999')).body;
  assert.deepEqual(
    [one.pagination.total, one.data.map(({ title }: { title: string }) => title)],
    [1, ['common 10999']],
  );
});

/**
 * Texts of which PostgreSQL stores the maximum number of words, all different; `at` converts a number to a character.
 */
const DENSE: Readonly<Record<string, (n: number, at: (n: number) => string) => string>> = {
  'words with a hyphen': (n, at) => `${at(n)}${at(n >> 8)}-${at(n + 7)}${at(n >> 7)} `,
  'short words with a hyphen': (n, at) => `${at(n)}-${at(n + (n >> 8))} `,
  'long words with a hyphen': (n, at) => `${at(n).repeat(40)}${at(n >> 8)}-${at(n >> 8).repeat(40)}${at(n)} `,
  addresses: (n, at) => `${n.toString(36)}.example.com/${at(n)}${n.toString(36)}?${at(n >> 8)} `,
  'words of letters and digits': (n, at) => `${at(n)}${n}${at(n >> 8)} `,
  'long words of letters and digits': (n, at) => `${at(n).repeat(9)}${n}${at(n >> 8).repeat(9)}${n} `,
  paths: (n, at) => `/${at(n)}/${n.toString(36)}-${at(n >> 8)}.${n.toString(36)} `,
};

test('texts of any length with any words are stored and searchable', async () => {
  const fields = (searchable: boolean) => [{ name: 'title', type: 'text', searchable }];
  const tenant = await createRecordsTenant(app, [
    { name: 'long', fields: fields(true) },
    { name: 'later', fields: fields(false) },
  ]);
  const { api, owner } = tenant;
  for (const [kind, dense] of Object.entries(DENSE))
    for (const first of [0x23a, 0x20000]) {
      const at = (n: number) => String.fromCodePoint(first + (n % (first < 0x400 ? 2 : 0x5000)));
      let title = 'beginning ';
      for (let n = 0; title.length < 320_000; n += 1) title += dense(n, at);
      for (const entity of ['long', 'later']) {
        const { status, text } = await owner.send('POST', `/api/${entity}`, { body: { title } });
        assert.equal(status, 200, `${kind} from ${first}: ${text.slice(-100)}`);
      }
    }
  await api.put('/api/entities/later', { fields: fields(true) });
  for (const entity of ['long', 'later']) {
    const { total } = (await owner.get(`/api/${entity}?search=begin&fields=id`)).body.pagination;
    assert.equal(total, 2 * Object.keys(DENSE).length);
  }
});

test("records are found only in the tables of the session's tenant", async () => {
  const [mine, theirs] = [await createSite(), await createSite()];
  await theirs.owner.post('/api/order', { title: 'secret' });
  const db = app.app.platform.scoped(wholeTenant(mine.tenantId));
  const find = (tenantId: string, table: string) =>
    db.raw(
      (own) => sql`select ${own}::uuid, tessera_match_records(${tenantId}::uuid, ${table}, 'secret', 10)`,
    );
  const table = `${schemaOf(theirs.tenantId)}.order`;
  for (const tenantId of [theirs.tenantId, mine.tenantId])
    await assert.rejects(find(tenantId, table), { code: INSUFFICIENT_PRIVILEGE });
  await assert.rejects(find(mine.tenantId, 'public.subscribers'), { code: INSUFFICIENT_PRIVILEGE });
});
