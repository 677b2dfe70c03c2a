/** Uploads assets, and creates files to upload. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { join, relative } from 'node:path';
import sharp from 'sharp';
import { errorsBehind } from './app-errors.ts';
import type { Answer, Client } from './client.ts';

/** A part of a form: text or a file. */
export type Part = readonly [name: string, value: string | Blob, fileName?: string];

/** Uploads a form like a browser. */
export async function upload(api: Client, parts: readonly Part[], status = 200): Promise<Answer> {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName ?? 'file');
  }
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  const rawBody = Buffer.from(await encoded.arrayBuffer());
  const answer = await api.send('POST', '/api/assets', { rawBody, headers });
  assert.equal(answer.status, status, answer.text + errorsBehind(answer));
  return answer;
}

/** Uploads these bytes and returns the id. */
export async function uploadBytes(
  api: Client,
  bytes: string | Uint8Array,
  fileName = 'file',
): Promise<string> {
  return (await upload(api, [['file', blobOf(bytes), fileName]])).body.id;
}

/** Converts bytes for use in a form. */
export function blobOf(bytes: string | Uint8Array): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]);
}

/** Creates an image with many colours. */
export function image(width: number, height: number) {
  const gradient = Buffer.from(
    Array.from({ length: width * height * 3 }, (_value, place) => (place * 7 + (place % width)) % 256),
  );
  return sharp(gradient, { raw: { width, height, channels: 3 } });
}

/** Fetches a public address of the process behind `client`, whatever host PUBLIC_URL names. */
export async function fetchAsset(
  { url }: Pick<Client, 'url'>,
  address: string,
  init: RequestInit = {},
): Promise<Response & { readonly content: Buffer }> {
  const { pathname, search } = new URL(address, url);
  const response = await fetch(`${url}${pathname}${search}`, init);
  const content = Buffer.from(await response.arrayBuffer());
  return Object.assign(response, { content });
}

/** Lists the files below a folder, as relative paths. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** Starts an upload that sends half of its file and then waits. */
export function halfUpload({ url, headers }: Client): ClientRequest {
  const boundary = 'half';
  const sent = request(`${url}/api/assets`, {
    method: 'POST',
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  // The connection ends with the process or the test.
  sent.on('error', () => {});
  sent.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="half"\r\n\r\n`);
  sent.write(Buffer.alloc(4 * 1024 * 1024, 'half'));
  return sent;
}
