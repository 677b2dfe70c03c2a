/** Request and reply of the thread that builds large messages. */
import { buildMime, type MailMessage } from '../../../mail/message.ts';
import { type LinkSigners, type TrackOptions, trackHtml } from './track-html.ts';

/** A message whose HTML is not tracked yet. */
export interface BuildRequest {
  readonly message: MailMessage;
  readonly tracking: TrackOptions;
  readonly links: LinkSigners;
}

/** The message as bytes, the reason why the message is invalid, or an internal error. */
export type BuildReply =
  | { readonly mime: Uint8Array<ArrayBuffer> }
  | { readonly invalidReason: string }
  | { readonly internalError: string };

/** Builds a message in the calling thread. @throws TypeError like `buildMime`. */
export function handleBuildRequest({ message, tracking, links }: BuildRequest): Promise<Buffer<ArrayBuffer>> {
  const { html } = message;
  return buildMime(html === undefined ? message : { ...message, html: trackHtml(html, tracking, links) });
}
