/**
 * The website's client of Tessera. The API key stays on the server. Responses are cached with their ETag: an unchanged
 * one is not sent again, and the cache serves the site while Tessera is unavailable.
 */

/** Address and credential of Tessera, and the site's project and domain. */
export interface TesseraOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly project: string;
  /** Source domain of the site's redirects. */
  readonly domain: string;
}

/** A document. Editors define the content of `data`; this website uses JSON. */
export interface Document {
  readonly uid: string | null;
  readonly name?: string;
  readonly status?: 'draft' | 'live' | 'archived';
  readonly data: string;
}

/** The settings that the website shows. */
export interface Settings {
  readonly website_name?: string;
  readonly default_meta_description?: string;
  readonly typography?: { readonly body?: { readonly family?: string } };
}

/** Target of a redirect. */
export interface Redirection {
  readonly redirect_type: '301' | '302' | '308';
  readonly target_url: string;
}

interface CachedResponse {
  readonly etag: string;
  readonly text: string;
}

/** Timeout of a call; then the website uses its cache. */
const TIMEOUT_MS = 2000;
/** Maximum number of cached responses. */
const MAX_CACHED = 1000;

/** The calls of a website. */
export class Tessera {
  readonly #options: TesseraOptions;
  readonly #cache = new Map<string, CachedResponse>();

  constructor(options: TesseraOptions) {
    this.#options = options;
  }

  /** Returns the redirect for a path and query; null if there is none, or Tessera is unavailable. */
  async checkRedirect(pathAndQuery: string): Promise<Redirection | null> {
    const body = { source_domain: this.#options.domain, source_url_path: pathAndQuery };
    const response = await this.#call('redirects/check', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null);
    if (!response?.ok) return null;
    const answer: { readonly redirect: boolean } & Redirection = JSON.parse(await response.text());
    return answer.redirect ? answer : null;
  }

  /** Returns the live document with this uid; null if there is none. */
  async findDocument(uid: string): Promise<Document | null> {
    const document = await this.#read<Document>(`document?uid=${encodeURIComponent(uid)}`);
    return document?.status === 'live' ? document : null;
  }

  /** Returns the site's settings. */
  async readSettings(): Promise<Settings> {
    return (await this.#read<Settings>('site-settings')) ?? {};
  }

  /** Returns the unsaved document behind a preview link, which needs no key; null if the link has expired. */
  async readPreview(token: string): Promise<Document | null> {
    const address = `${this.#options.url}/api/pages/preview/${encodeURIComponent(token)}`;
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) return null;
    const { uid, snapshot }: { uid: string | null; snapshot: string } = JSON.parse(await response.text());
    return { uid, data: snapshot };
  }

  /**
   * Reads with `If-None-Match`. Returns the cached response if it is unchanged or Tessera is unavailable; null if it is
   * 404.
   * @throws if nothing is cached and Tessera is unavailable.
   */
  async #read<Body>(path: string): Promise<Body | null> {
    const cached = this.#cache.get(path);
    const headers: Record<string, string> = cached ? { 'if-none-match': cached.etag } : {};
    const response = await this.#call(path, { headers }).catch(() => null);
    if (response?.status === 404) {
      this.#cache.delete(path);
      return null;
    }
    if (response?.ok) {
      const text = await response.text();
      this.#store(path, { etag: response.headers.get('etag') ?? '', text });
      return JSON.parse(text);
    }
    if (cached) return JSON.parse(cached.text);
    throw new Error(`Tessera answered ${response?.status ?? 'nothing'} to ${path}.`);
  }

  #store(path: string, response: CachedResponse): void {
    this.#cache.delete(path);
    this.#cache.set(path, response);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED && oldest !== undefined) this.#cache.delete(oldest);
  }

  #call(path: string, init: RequestInit): Promise<Response> {
    const { url, apiKey, project } = this.#options;
    return fetch(`${url}/api/pages/${encodeURIComponent(project)}/${path}`, {
      ...init,
      headers: { 'x-api-key': apiKey, ...init.headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}
