/**
 * Conditional reads (RFC 9110, section 13.1.2): an answer has a tag, and a client that holds the answer of that tag is told so
 * in a line. Tags are weak in comparison and strong in kind: one tag stands for the same bytes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { version } from '../version.ts';
import type { RequestContext, TenantContext } from './context.ts';

/** The opaque tags in a list of entity tags (RFC 9110, section 8.8.3). */
const OPAQUE_TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The headers by which callers are told apart. */
const CREDENTIALS = ['Authorization', 'X-API-Key', 'X-Business-Unit'];

/** Whose request it is, where a tenant is known. */
type Asking = Pick<RequestContext, 'headers'> & Partial<TenantContext>;

/**
 * An answer, and by which name the client may ask for it again: one of the tenant's, and another one whenever the answer is
 * another. Without a body it is what the client holds.
 */
export class Tagged<Body> {
  readonly name: string;
  readonly body: Body | null;

  constructor(name: string, body: Body | null) {
    this.name = name;
    this.body = body;
  }
}

/** The names of those answers to this tenant that the client holds. */
export function namesHeld(ctx: Asking): string[] {
  const suffix = suffixFor(ctx);
  return tagsHeld(ctx.headers).flatMap((tag) => (tag.endsWith(suffix) ? tag.slice(0, -suffix.length) : []));
}

/** Whether the client holds what `etag` stands for, by the weak comparison (RFC 9110, section 8.8.3.2). */
export function isHeld(headers: IncomingHttpHeaders, etag: string): boolean {
  const [tag = ''] = tagsIn(etag);
  return headers['if-none-match']?.trim() === '*' || tagsHeld(headers).includes(tag);
}

/**
 * Names an answer in its headers, and says whether the client holds it already. Only the client may keep it, for the same
 * credential, and asks each time whether it is still the same.
 */
export function tagReply(ctx: Asking, reply: FastifyReply, { name, body }: Tagged<unknown>): boolean {
  const etag = `"${name}${suffixFor(ctx)}"`;
  const vary = [reply.getHeader('vary') ?? [], CREDENTIALS].flat().join(', ');
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary });
  return body === null || isHeld(ctx.headers, etag);
}

/** Tenants may call records alike, and another release may show the same record otherwise. */
function suffixFor({ db }: Asking): string {
  return `.${db?.tenantId ?? ''}-${version}`;
}

function tagsHeld({ 'if-none-match': given = '' }: IncomingHttpHeaders): string[] {
  return tagsIn(given);
}

function tagsIn(list: string): string[] {
  return [...list.matchAll(OPAQUE_TAG)].map(([, tag = '']) => tag);
}
