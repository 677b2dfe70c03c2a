/**
 * Takes the screenshots of the guide to the console, from a server with the data of a made-up company:
 * `npm run docs:screenshots`.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { startTessera } from '../bench/harness/children.ts';
import { startChromium } from '../bench/harness/slow-browser.ts';
import { signInBrowser } from '../test/harness/browser-session.ts';
import { type Client, createClient } from '../test/harness/client.ts';
import { PASSWORD } from '../test/harness/test-app.ts';

const FOLDER = join(import.meta.dirname, '../docs/images/console');
const CODE = 'fjellvik';
const OWNER = { name: 'Ingrid Solberg', email: 'ingrid@fjellvik.example' };
const MAX_BYTES = 60_000;

/** A screenshot. */
interface Shot {
  readonly name: string;
  /** Path below `/console/`. */
  readonly path: string;
  readonly isPhone?: boolean;
  readonly isDark?: boolean;
  /** Steps before the picture is taken. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const SHOTS: readonly Shot[] = [
  { name: 'home', path: `t/${CODE}` },
  { name: 'members', path: `t/${CODE}/settings/members` },
  {
    name: 'invite',
    path: `t/${CODE}/settings/members?invite=true`,
    prepare: async (page) => {
      await page.getByLabel('Email address').fill('jonas@fjellvik.example');
      await page.getByLabel(/^Name/).last().fill('Jonas Bakke');
    },
  },
  { name: 'keys', path: `t/${CODE}/connections/keys` },
  {
    name: 'palette',
    path: `t/${CODE}/settings/units`,
    isDark: true,
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'settings', path: `t/${CODE}/settings` },
  { name: 'phone', path: `t/${CODE}/settings/members`, isPhone: true },
];

const folder = await mkdtemp(join(tmpdir(), 'tessera-screenshots-'));
const ADMIN_TOKEN = randomBytes(16).toString('hex');
const server = await startTessera({ ENVIRONMENT: 'Local', DATA_DIR: folder, ADMIN_TOKEN });
const browser = await startChromium();
try {
  await createCompany(createClient(server.url, { authorization: `Bearer ${ADMIN_TOKEN}` }));
  await mkdir(FOLDER, { recursive: true });
  for (const shot of SHOTS) await take(browser, shot);
} finally {
  await browser.close();
  await server.stop();
  await rm(folder, { recursive: true });
}

async function createCompany(operator: Client): Promise<void> {
  const owner = { ...OWNER, password: PASSWORD };
  const { body } = await operator.post('/admin/tenants', { code: CODE, name: 'Fjellvik Outdoor', owner });
  const api = createClient(server.url, { 'x-api-key': body.api_key });
  const { body: settings } = await api.get('/api/tenant/settings');
  const brand_settings = { ...settings.brand_settings, primary_color: '#0f766e' };
  await api.put('/api/tenant/settings', { ...settings, brand_settings, time_zone: 'Europe/Oslo' });
  const idOf = async (name: string): Promise<string> =>
    (await api.post('/api/client/v1/business-units', { name })).body.bu_id;
  const [shop, oslo, bergen] = [
    await idOf('Online shop'),
    await idOf('Oslo store'),
    await idOf('Bergen store'),
  ];
  const join = async (name: string, grants: readonly object[], more: object): Promise<string> => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@fjellvik.example`;
    const member = { name, email, grants, ...more };
    return (await api.post('/api/client/v1/memberships', member)).body.membership_id;
  };
  const password = { password: PASSWORD };
  const magnus = await join('Magnus Dahl', [{ bu_id: shop, role: 'admin' }], password);
  await join(
    'Sofie Haugen',
    [
      { bu_id: shop, role: 'editor' },
      { bu_id: oslo, role: 'editor' },
    ],
    password,
  );
  await join('Emil Lunde', [{ bu_id: bergen, role: 'admin' }], password);
  await join('Thea Nygaard', [{ bu_id: oslo, role: 'viewer' }], { invite: true });
  const left = await join('Aksel Moen', [{ bu_id: shop, role: 'viewer' }], password);
  await api.patch(`/api/client/v1/memberships/${left}`, { status: 'inactive' });
  for (const name of ['Web shop checkout', 'Warehouse sync', 'Newsletter sign-up'])
    await api.post('/api/client/v1/api-keys', { name, membership_id: magnus });
  await operator.post(`/admin/tenants/${CODE}/api-keys`, { name: 'Nightly export' });
}

/** Takes a screenshot. @throws Error if the file becomes too large for a guide. */
async function take(browser: Browser, { name, path, prepare, ...shot }: Shot): Promise<void> {
  const { isPhone = false, isDark = false } = shot;
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 780 } : { width: 1440, height: 760 },
    // Desktops are shown at half their width.
    deviceScaleFactor: isPhone ? 2 : 1,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Oslo',
  });
  const { cookie } = await signInBrowser(server, OWNER.email);
  const [key = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name: key, value, url: server.url }]);
  const page = await context.newPage();
  await page.goto(`${server.url}/console/${path}`, { waitUntil: 'networkidle' });
  await prepare?.(page);
  const file = join(FOLDER, `${name}.webp`);
  await writeFile(
    file,
    await sharp(await page.screenshot())
      .webp({ quality: 80, effort: 6 })
      .toBuffer(),
  );
  const { size } = await stat(file);
  process.stdout.write(`${name}.webp: ${size} bytes\n`);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}.`);
  await context.close();
}
