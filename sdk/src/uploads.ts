/** Uploads of files, with progress. */
import type { UploadOptions } from './options.ts';
import type { PreparedRequest } from './transport.ts';

/** Converts an input to a form. A list repeats its field. */
export function toForm(input: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(input)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each instanceof Blob) form.append(name, each, each instanceof File ? each.name : name);
      else if (each !== undefined && each !== null) form.append(name, String(each));
    }
  }
  return form;
}

/** Returns a function that sends a form or a file and reports progress; in browsers, only XMLHttpRequest can. */
export function sendWithProgress(
  request: Pick<PreparedRequest, 'url' | 'method' | 'headers'>,
  body: FormData | Blob,
  onProgress: NonNullable<UploadOptions['onProgress']>,
  call: typeof fetch,
): (signal: AbortSignal) => Promise<Response> {
  return typeof XMLHttpRequest === 'undefined'
    ? (signal) => sendCounted(request, body, onProgress, call, signal)
    : (signal) => sendByXhr(request, body, onProgress, signal);
}

async function sendCounted(
  { url, method, headers }: Pick<PreparedRequest, 'url' | 'method' | 'headers'>,
  content: FormData | Blob,
  onProgress: NonNullable<UploadOptions['onProgress']>,
  call: typeof fetch,
  signal: AbortSignal,
): Promise<Response> {
  const encoded = new Response(content);
  const type = encoded.headers.get('content-type') ?? '';
  const blob = await encoded.blob();
  let sent = 0;
  const counted = blob.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength;
        onProgress({ sent, total: blob.size });
        controller.enqueue(chunk);
      },
    }),
  );
  // `duplex` is required for streams (Fetch, 5.4); TypeScript's DOM types do not have it yet.
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: { 'content-type': type, ...headers },
    body: counted,
    signal,
    duplex: 'half',
  };
  return call(url, init);
}

function sendByXhr(
  { url, method, headers }: Pick<PreparedRequest, 'url' | 'method' | 'headers'>,
  content: FormData | Blob,
  onProgress: NonNullable<UploadOptions['onProgress']>,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.responseType = 'text';
    xhr.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    xhr.onload = () => resolve(toResponse(xhr));
    xhr.onerror = () => reject(new TypeError('The request failed.'));
    xhr.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => xhr.abort(), { once: true });
    xhr.send(content);
  });
}

function toResponse(xhr: XMLHttpRequest): Response {
  const headers = new Headers();
  for (const line of xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)) {
    const [name = '', ...value] = line.split(':');
    if (name !== '') headers.append(name, value.join(':').trim());
  }
  return new Response(xhr.responseText, { status: xhr.status, headers });
}
