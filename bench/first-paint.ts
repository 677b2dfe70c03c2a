/**
 * First paint of a contact form on a slow phone: 1.6 Mbit/s down, 750 kbit/s up, 150 ms latency, and a CPU that is four
 * times slower. Measured with an empty cache, once as a plain form and once rendered by SurveyJS.
 */
import type { Browser } from 'playwright-core';
import { LIVE_FORM } from '../test/harness/browser.ts';
import { createClient } from '../test/harness/client.ts';
import { createForm } from '../test/harness/sample-forms.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createSampleTenants } from './harness/sample-tenant.ts';
import { median, openMeasuredPage, startChromium } from './harness/slow-browser.ts';

const ROUNDS = 5;
const AIM_BYTES = 120_000;
const AIM_PAINT_MS = 1_500;

const contactForm = {
  title: 'Contact',
  description: 'Write to us',
  pages: [
    {
      elements: [
        { type: 'text', name: 'name', title: 'Your name', isRequired: true },
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
        {
          type: 'radiogroup',
          name: 'about',
          title: 'What is it about?',
          choices: ['a visit', 'an order', 'else'],
        },
        { type: 'comment', name: 'message', title: 'Message', isRequired: true },
      ],
    },
  ],
};

interface Load {
  readonly bytes: number;
  readonly paintMs: number;
  readonly interactiveMs: number;
  readonly shift: number;
}

/** Script that records layout shifts and when the form becomes interactive. It runs before the page loads. */
const watch = `window.shift = 0; new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
new MutationObserver(() => {
  if (window.live === undefined && document.querySelector('${LIVE_FORM}')) window.live = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });`;

async function load(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const { page, receivedBytes } = await openMeasuredPage(context, true);
  await page.addInitScript(watch);
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.waitForFunction('window.live !== undefined');
  const seen = await page.evaluate<Omit<Load, 'bytes'>>(
    "({ paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime, interactiveMs: window.live, shift: window.shift })",
  );
  await context.close();
  return { bytes: receivedBytes(), ...seen };
}

/** Prints a line per renderer. Returns true if the plain form reaches the aims. */
export const firstPaint: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1 }]);
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const browser = await startChromium();
  onEnd(() => browser.close());
  const api = createClient(tessera.url, { 'x-api-key': tenant?.apiKey ?? '' });
  let isReached = false;
  // An option without effect that only SurveyJS supports.
  for (const [renderer, more] of [
    ['SurveyJS', { sendResultOnPageNext: false }],
    ['plain', {}],
  ] as const) {
    const code = await createForm(api, { formBuilderOptions: { ...contactForm, ...more } });
    const { public_code } = (await api.get(`/api/forms/${code}`)).body;
    const loads: Load[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      loads.push(await load(browser, `${tessera.url}/embed/${public_code}`));
    const of = (name: keyof Load): number => median(loads.map((one) => one[name]));
    console.log(
      `first-paint, ${renderer} (${kind}): ${Math.round(of('bytes') / 100) / 10} kB, painted after ${Math.round(of('paintMs'))} ms, interactive after ${Math.round(of('interactiveMs'))} ms, shift ${of('shift').toFixed(3)}`,
    );
    isReached = of('bytes') < AIM_BYTES && of('paintMs') < AIM_PAINT_MS;
  }
  return isReached;
};
