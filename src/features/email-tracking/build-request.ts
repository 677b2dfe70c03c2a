/** What the thread that builds large messages and its callers say to each other. */
import { buildMime, type MailMessage } from '../../mail/message.ts';
import { type LinkMakers, type TrackOptions, trackHtml } from './track-html.ts';

/** A message whose HTML has no tracking yet. */
export interface BuildRequest {
  readonly message: MailMessage;
  readonly tracking: TrackOptions;
  readonly links: LinkMakers;
}

/** The message as bytes, or why there can be none, or by which fault of ours there is none. */
export type BuildReply =
  | { readonly mime: Uint8Array<ArrayBuffer> }
  | { readonly refused: string }
  | { readonly fault: string };

/** Builds a message in the thread that calls. @throws TypeError as `buildMime`. */
export function buildRequested({ message, tracking, links }: BuildRequest): Promise<Buffer<ArrayBuffer>> {
  const { html } = message;
  return buildMime(html === undefined ? message : { ...message, html: trackHtml(html, tracking, links) });
}
