import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { image, uploadBytes } from '../test/harness/asset-files.ts';
import { createClient } from '../test/harness/client.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { type Child, startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench } from './harness/options.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

const AIM = 0.7;
/** File sizes in bytes: a small image, a photograph, a video. */
const SIZES = [20_000, 500_000, 10_000_000];
const CONNECTIONS = 16;
const ROUND_SECONDS = 3;
const FILES = 10;
const FILE_BYTES = 100 * 1024 * 1024;
const GROWTH_AIM_MIB = 100;
const CHUNK = Buffer.alloc(1024 * 1024, 'assets');

/**
 * Downloads and cached image variants, against bare streams of the same files; memory growth during 1 GB of uploads.
 */
export const assets: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-assets-'));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const tessera = await startTessera({ ...database.env, DATA_DIR: database.env.DATA_DIR ?? folder }, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/files-server.ts', { FOLDER: folder });
  onEnd(limit.stop);
  const api = createClient(tessera.url, { 'x-api-key': tenant.apiKey });
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const against = (name: string, own: string, file: string) =>
    compare({
      name: `assets, ${name} (${kind})`,
      against: 'bare Fastify that streams the same file',
      aim: aimOn(kind, AIM),
      limit: () => loadRound(limit, get(`/${file}`), load),
      tessera: () => loadRound(tessera, get(own), load),
    });
  const isReached: boolean[] = [];
  for (const size of SIZES) {
    const bytes = Buffer.alloc(size, 'assets');
    await writeFile(join(folder, String(size)), bytes);
    const id = await uploadBytes(api, bytes);
    isReached.push(await against(`${size / 1000} kB`, `/assets/${id}/file`, String(size)));
  }
  const id = await uploadBytes(api, await image(2000, 1500).jpeg().toBuffer());
  const path = `/assets/${id}/file?w=800&format=webp`;
  const resized = await fetch(`${tessera.url}${path}`);
  await writeFile(join(folder, 'image'), Buffer.from(await resized.arrayBuffer()));
  const { size } = await stat(join(folder, 'image'));
  isReached.push(await against(`a resized image of ${(size / 1000).toFixed(0)} kB`, path, 'image'));
  isReached.push(await isUploadFlat(tessera, tenant, kind));
  return isReached.every(Boolean);
};

function get(path: string): LoadRequest {
  return { method: 'GET', path, headers: {} };
}

/** Uploads ten files of 100 MiB, two at a time, and measures the additional memory. */
async function isUploadFlat(tessera: Child, tenant: SampleTenant, kind: string): Promise<boolean> {
  const before = await tessera.residentMebibytes();
  const begun = performance.now();
  const peak = await tessera.peakMebibytes(async () => {
    for (let file = 0; file < FILES; file += 2)
      await Promise.all([upload(tessera, tenant), upload(tessera, tenant)]);
  });
  const seconds = (performance.now() - begun) / 1000;
  const growth = peak - before;
  const isFlat = growth <= GROWTH_AIM_MIB;
  console.log(
    `assets, ${FILES} uploads of 100 MiB (${kind}): ${(1000 / seconds).toFixed(0)} MiB/s; ` +
      `resident memory ${before.toFixed(0)} MiB, at most ${growth.toFixed(0)} more` +
      ` (aim ${GROWTH_AIM_MIB}${isFlat ? '' : ', MISSED'})`,
  );
  return isFlat;
}

function upload({ url }: Child, { apiKey }: SampleTenant): Promise<void> {
  const body = Readable.from(
    (function* () {
      yield '--b\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n';
      for (let sent = 0; sent < FILE_BYTES; sent += CHUNK.length) yield CHUNK;
      yield '\r\n--b--\r\n';
    })(),
  );
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'multipart/form-data; boundary=b' };
    const sent = request(`${url}/api/assets`, { method: 'POST', headers }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`An upload answered ${response.statusCode}.`));
    });
    sent.on('error', reject);
    body.pipe(sent);
  });
}
