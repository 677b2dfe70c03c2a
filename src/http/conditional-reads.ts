/**
 * Conditional reads (RFC 9110, section 13.1.2): a response has an entity tag, and a client that has the current
 * response gets a 304. Tags compare weakly but identify exact bytes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { version } from '../version.ts';
import type { RequestContext, TenantContext } from './context.ts';

/** The opaque tags in a list of entity tags (RFC 9110, section 8.8.3). */
const OPAQUE_TAG = /"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** Headers that identify the caller. */
const CREDENTIALS = ['Authorization', 'X-API-Key', 'X-Business-Unit'];

/** A request, and its tenant where that is known. */
type TagRequest = Pick<RequestContext, 'headers'> & Partial<TenantContext>;

/**
 * A response and its tag name, which is unique within the tenant and changes with the response. Without a body, the
 * client already has it.
 */
export class TaggedResponse<Body> {
  readonly name: string;
  readonly body: Body | null;

  constructor(name: string, body: Body | null) {
    this.name = name;
    this.body = body;
  }
}

/** Returns the tag names of this tenant's responses that the client has. */
export function clientTagNames(ctx: TagRequest): string[] {
  const suffix = suffixFor(ctx);
  return clientTags(ctx.headers).flatMap((tag) => (tag.endsWith(suffix) ? tag.slice(0, -suffix.length) : []));
}

/** True if the client has the response of `etag`, by weak comparison (RFC 9110, section 8.8.3.2). */
export function clientHasTag(headers: IncomingHttpHeaders, etag: string): boolean {
  const [tag = ''] = tagsIn(etag);
  return headers['if-none-match']?.trim() === '*' || clientTags(headers).includes(tag);
}

/**
 * Sets a response's tag and cache headers, and returns true if the client has that response. Only the client may store
 * it, for the same credential, and it must revalidate each time.
 */
export function tagReply(
  ctx: TagRequest,
  reply: FastifyReply,
  { name, body }: TaggedResponse<unknown>,
): boolean {
  const etag = `"${name}${suffixFor(ctx)}"`;
  const vary = [reply.getHeader('vary') ?? [], CREDENTIALS].flat().join(', ');
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary });
  return body === null || clientHasTag(ctx.headers, etag);
}

/** Two tenants may use the same tag name, and another release may show the same record differently. */
function suffixFor({ db }: TagRequest): string {
  return `.${db?.tenantId ?? ''}-${version}`;
}

function clientTags({ 'if-none-match': tags = '' }: IncomingHttpHeaders): string[] {
  return tagsIn(tags);
}

function tagsIn(list: string): string[] {
  return [...list.matchAll(OPAQUE_TAG)].map(([, tag = '']) => tag);
}
