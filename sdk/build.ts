/** Builds the package: JavaScript and declarations in `dist`, and checks what it publishes and how large it is for a browser. */
import { execFile } from 'node:child_process';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const FOLDER = import.meta.dirname;
const ROOT = join(FOLDER, '..');
/** What a page downloads for the whole client, compressed. */
const MAX_BYTES = 12_000;

await rm(join(FOLDER, 'dist'), { recursive: true, force: true });
await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER]);
await copyFile(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
const { messages, pkg } = await publint({ pkgDir: FOLDER, strict: true });
if (messages.length > 0) throw new Error(messages.map((each) => formatMessage(each, pkg)).join('\n'));
const size = await measure();
console.log(`tessera-sdk: ${size} bytes of at most ${MAX_BYTES} (Brotli).`);
if (size > MAX_BYTES) throw new Error(`The SDK is larger than ${MAX_BYTES} bytes.`);

async function measure(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, 'src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return brotliCompressSync(outputFiles[0]?.contents ?? '').byteLength;
}
