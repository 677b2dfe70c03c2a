/**
 * Builds the package: JavaScript and declarations in `dist`. Fails if publint or attw finds a fault, or if it is too
 * large.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const FOLDER = import.meta.dirname;
const ROOT = join(FOLDER, '..');
/** Size limit of the whole client in a page, in bytes after Brotli. */
const MAX_BYTES = 12_000;
/** Failures of `require` that attw may report: the package is an ES module (the profile `esm-only` of its CLI). */
const IGNORED_RESOLUTIONS: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);

await rm(join(FOLDER, 'dist'), { recursive: true, force: true });
const run = promisify(execFile);
await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', FOLDER]);
await copyFile(join(ROOT, 'LICENSE'), join(FOLDER, 'LICENSE'));
const { messages, pkg } = await publint({ pkgDir: FOLDER, strict: true });
if (messages.length > 0) throw new Error(messages.map((each) => formatMessage(each, pkg)).join('\n'));
const problems = await findTypeProblems();
if (problems.length > 0) throw new Error(`attw: ${problems.join(', ')}`);
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

/** Faults of the types of the packed package, by attw. */
async function findTypeProblems(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-sdk-pack-'));
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: FOLDER });
    const result = await checkPackage(
      createPackageFromTarballData(await readFile(join(folder, stdout.trim()))),
    );
    if (result.types === false) return ['the package has no types'];
    return result.problems
      .filter((each) => !('resolutionKind' in each && IGNORED_RESOLUTIONS.has(each.resolutionKind)))
      .map((each) => `${each.kind} ${'entrypoint' in each ? each.entrypoint : ''}`.trim());
  } finally {
    await rm(folder, { recursive: true });
  }
}
