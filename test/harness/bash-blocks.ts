/** The commands that pages have people paste, run as they stand. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { startReceiver } from './receiver.ts';
import { readText } from './repository.ts';

const BOUND_MS = 240_000;
/** What pages call a server and a receiver of one's own. */
const URL_OF_PAGES = 'http://localhost:3000';
const PORT_OF_PAGES = '4000';
/** Where the example website runs. */
const PORT_OF_WEBSITE = '8080';

/** The commands of a page's blocks of bash, in order, for a server, a receiver and a website elsewhere. */
export async function bashBlocks(
  page: string,
  url: string,
  receiverPort: number,
  websitePort: number,
): Promise<string> {
  // A block in a list is indented.
  const blocks = [...(await readText(page)).matchAll(/^ *```bash\n([\s\S]*?)^ *```$/gm)];
  return blocks
    .map(([, commands = '']) => commands)
    .join('\n')
    .replaceAll(URL_OF_PAGES, url)
    .replaceAll(PORT_OF_PAGES, String(receiverPort))
    .replaceAll(PORT_OF_WEBSITE, String(websitePort));
}

/** Runs commands; returns what they printed, and fails when one of them does. */
export async function runBash(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  // Commands that end early must not leave their receivers behind.
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

/** A port that is free now, for a receiver that commands start. */
export async function freePort(): Promise<number> {
  const receiver = await startReceiver();
  await receiver.close();
  return receiver.port;
}
