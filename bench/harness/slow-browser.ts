/** Chromium for measurements of pages, at full speed or like a phone on a slow network. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { EXECUTABLE } from '../../test/harness/browser.ts';

/** 1.6 Mbit/s down, 750 kbit/s up, 150 ms. */
const SLOW_NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOW_CPU = { rate: 4 };

/** A page, and the bytes that it has received. */
export interface MeasuredPage {
  readonly page: Page;
  receivedBytes(): number;
}

/** Starts Chromium, with further arguments. */
export function startChromium(...more: readonly string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--no-sandbox', '--disable-gpu', ...more],
  });
}

/** Opens a page whose network and processor are slow if `isSlow`. */
export async function openMeasuredPage(context: BrowserContext, isSlow: boolean): Promise<MeasuredPage> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (isSlow) {
    await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await devtools.send('Emulation.setCPUThrottlingRate', SLOW_CPU);
  }
  let bytes = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return { page, receivedBytes: () => bytes };
}

/** Returns the middle of the values. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
