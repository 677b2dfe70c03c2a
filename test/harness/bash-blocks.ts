/** Runs the commands of documentation pages exactly as written. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { blocksOf } from './guide-blocks.ts';
import { startReceiver } from './receiver.ts';

const BOUND_MS = 240_000;
/** Server URL and receiver port in the pages. */
const URL_OF_PAGES = 'http://localhost:3000';
const PORT_OF_PAGES = '4000';
/** Port of the example website in the pages. */
const PORT_OF_WEBSITE = '8080';

/** Returns the bash commands of a page in order, with the URLs and ports of the test's server, receiver and website. */
export async function bashBlocks(
  page: string,
  url: string,
  receiverPort: number,
  websitePort: number,
): Promise<string> {
  return (await blocksOf(page))
    .filter(({ language }) => language === 'bash')
    .map(({ code }) => code)
    .join('\n')
    .replaceAll(URL_OF_PAGES, url)
    .replaceAll(PORT_OF_PAGES, String(receiverPort))
    .replaceAll(PORT_OF_WEBSITE, String(websitePort));
}

/** Runs commands and returns their output. @throws if one of them fails. */
export async function runBash(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  // Commands that fail must not leave their receivers running.
  const cleanUp = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT";
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `${cleanUp}\n${script}`], {
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BOUND_MS,
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  assert.equal(code, 0, `${output}\n${errors}`);
  return output;
}

/** Returns a free port for a receiver that commands start. */
export async function freePort(): Promise<number> {
  const receiver = await startReceiver();
  await receiver.close();
  return receiver.port;
}
