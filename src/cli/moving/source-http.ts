/** HTTP client of a running system that data is imported from. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import Value from 'typebox/value';
import { parseJson, reasonOf } from './target.ts';

const MAX_ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 60_000;

/** A system to read. */
export interface SourceSystem {
  /** Name in messages. */
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Describes the value of SOURCE_TOKEN, for messages. */
  readonly credential: string;
}

/** Calls of the system. They throw `SourceError`, or Error if the system cannot be reached. */
export interface SourceHttp {
  /** Reads JSON. Throws Error if it does not match the schema. */
  json<S extends TSchema>(path: string, schema: S): Promise<Static<S>>;
  /** Writes the response to a file. */
  download(path: string, file: string): Promise<void>;
}

/** Error: the system rejected a call. */
export class SourceError extends Error {
  readonly status: number;
  /** Value of `Retry-After`. */
  readonly waitMs: number | null;

  constructor(status: number, message: string, retryAfter: string | null) {
    super(message);
    this.status = status;
    const seconds = Number(retryAfter ?? Number.NaN);
    this.waitMs = seconds >= 0 ? seconds * 1000 : null;
  }

  /** True if the credential may not read what was asked for, or it does not exist. */
  get isMissing(): boolean {
    return this.status === 403 || this.status === 404;
  }

  /** True if a later attempt may succeed. */
  get isBusy(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** Creates a client. Calls are repeated while the system is busy or unreachable, with increasing waits. */
export function openSource({ name, url, headers, credential }: SourceSystem): SourceHttp {
  const base = url.replace(/\/+$/, '');
  const call = async (path: string): Promise<Response> => {
    const response = await fetch(`${base}${path}`, { headers });
    const { ok, status } = response;
    if (ok) return response;
    await response.body?.cancel();
    const hint = status === 401 || status === 403 ? `; set SOURCE_TOKEN to ${credential}` : '';
    const message = `${name} answered ${status} to ${pathname(path)}${hint}`;
    throw new SourceError(status, message, response.headers.get('retry-after'));
  };
  const get = async <T>(path: string, read: (response: Response) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++)
      try {
        return await read(await call(path));
      } catch (error) {
        const isRefused = error instanceof SourceError;
        if (isRefused && (!error.isBusy || attempt === MAX_ATTEMPTS)) throw error;
        if (attempt === MAX_ATTEMPTS) {
          const message = `${name} cannot be reached for ${pathname(path)}: ${reasonOf(error)}`;
          throw new Error(message, { cause: error });
        }
        const asked = isRefused ? error.waitMs : null;
        await setTimeout(Math.min(asked ?? FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS));
      }
  };
  return {
    json: async (path, schema) => {
      const body = await get(path, async (response) => parseJson(await response.text()));
      if (!Value.Check(schema, body))
        throw new Error(`the response to ${pathname(path)} is not a ${name} response`);
      return body;
    },
    download: (path, file) =>
      get(path, async ({ body }) => {
        if (body !== null) await pipeline(Readable.fromWeb(body), createWriteStream(file));
      }),
  };
}

function pathname(path: string): string {
  return path.replace(/\?.*$/, '');
}
