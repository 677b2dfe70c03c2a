import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import type { Platform } from '../platform.ts';
import { html } from './html.ts';
import { messagePage, pageReply, readingPolicy } from './page.ts';

/** True if an unknown path gets a page: browsers ask for HTML, programs for anything or for JSON. */
export function wantsPage(thrown: unknown, { method, headers }: FastifyRequest): boolean {
  const isMissing = thrown instanceof AppError && thrown.definition === NOT_FOUND;
  return isMissing && method === 'GET' && /\btext\/html\b/i.test(headers.accept ?? '');
}

/** Sends the page for an unknown path, with a link to the front page. */
export async function sendMissingPage(platform: Platform, reply: FastifyReply): Promise<void> {
  const front = `${new URL(platform.publicUrl()).pathname.replace(/\/+$/, '')}/`;
  const page = messagePage(
    'Page not found',
    html`<h1>There is no such page</h1>
<p>The address may be mistyped or out of date.</p>
<p class="more"><a href="${front}">To the front page</a></p>`,
  );
  const { status, headers, body } = pageReply(page, { ...readingPolicy(), vary: 'Accept' }, 404);
  await reply
    .status(status ?? 404)
    .headers(headers ?? {})
    .send(body);
}
