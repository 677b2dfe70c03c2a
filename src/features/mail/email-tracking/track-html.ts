/**
 * Adds the open pixel and the tracked links to a message's HTML
 * (docs/specification/email-events.md#tracking).
 */
import { type HtmlTag, readTags } from '../../../mail/html-tags.ts';
import { type MessageRef, signMessage, type TokenSigner } from '../../../mail/message-token.ts';
import { readLinkAddress } from './link-address.ts';
import { escapeAttribute, type LinkLabels, labelLink, linkToken } from './link-labels.ts';

/** The message that the HTML belongs to, and its tracking settings. */
export interface TrackOptions extends MessageRef {
  readonly openTracking: boolean;
  /** Puts the pixel at the top instead of the end, where mail programs cut off long messages. */
  readonly initialOpen: boolean;
  readonly clickTracking: boolean;
  /** UTM parameters of the links. */
  readonly labels?: LinkLabels | undefined;
}

/** Base URL and keys of tracked links; cloneable, so that it can be sent to a thread. */
export interface LinkSigners {
  /** PUBLIC_URL. */
  readonly base: string;
  readonly open: TokenSigner;
  readonly click: TokenSigner;
}

/** Attribute of links that stay unchanged. */
const OPT_OUT = 'data-no-track';

/**
 * Adds the pixel and redirects web links through `PUBLIC_URL/t/c/`, which counts clicks; everything else stays byte for
 * byte. Unchanged links: no http(s) address, marked `data-no-track`, or leading to our own recipient pages.
 * `initialOpen` has no effect without `openTracking`.
 */
export function trackHtml(html: string, options: TrackOptions, links: LinkSigners): string {
  const { openTracking, clickTracking, initialOpen } = options;
  if (!openTracking && !clickTracking && options.labels === undefined) return html;
  const { tags } = readTags(html, isLinkTag);
  const changes = changeLinks(tags, options, links);
  if (openTracking) {
    const position = pixelPosition(html, tags, initialOpen);
    changes.push({ start: position, end: position, text: pixel(options, links) });
  }
  let tracked = '';
  let copied = 0;
  for (const { start, end, text } of changes.sort((one, other) => one.start - other.start)) {
    tracked += html.slice(copied, start) + text;
    copied = end;
  }
  return tracked + html.slice(copied);
}

/** A replacement of a range of the HTML. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function changeLinks(
  tags: readonly HtmlTag[],
  options: TrackOptions,
  { base, click }: LinkSigners,
): Change[] {
  const { clickTracking, labels } = options;
  if (!clickTracking && labels === undefined) return [];
  const changes: Change[] = [];
  const labelled = (url: string) => (labels === undefined ? url : labelLink(url, labels));
  const trackedLink = (url: string) => `${base}/t/c/${signMessage(click, options, linkToken(url, labels))}`;
  // Cached by target, because messages repeat links: logo, title and button of an article have the same target.
  const replacements = new Map<string, string>();
  for (const { attributes } of tags) {
    // HTML ignores repeated attributes after the first.
    const href = attributes.find(({ name }) => name === 'href');
    if (!href || attributes.some(({ name }) => name === OPT_OUT)) continue;
    const url = readLinkAddress(href.value);
    if (url === null || isOwnPage(url, base)) continue;
    const text =
      replacements.get(url) ?? `"${clickTracking ? trackedLink(url) : escapeAttribute(labelled(url))}"`;
    replacements.set(url, text);
    changes.push({ start: href.start, end: href.end, text });
  }
  return changes;
}

/** True for elements with links, including the VML elements that Outlook uses for buttons. */
function isLinkTag(name: string): boolean {
  return name === 'a' || name === 'area' || name.startsWith('v:');
}

function isOwnPage(url: string, base: string): boolean {
  return ['/u/', '/t/', '/preferences/', '/view/'].some((path) => url.startsWith(base + path));
}

function pixelPosition(html: string, tags: readonly HtmlTag[], isInitial: boolean): number {
  if (!isInitial) return tags.findLast(({ name }) => name === '/body')?.start ?? html.length;
  return tags.find(({ name }) => name === 'body')?.end ?? endOfPrelude(html, tags);
}

/** Tags that may precede the content of HTML without a `<body>` tag. */
const PRELUDE_TAGS = new Set(['!', 'html', 'head', '/head']);

/** Returns the start of the content of HTML without a `<body>` tag, after doctype and head. */
function endOfPrelude(html: string, tags: readonly HtmlTag[]): number {
  let top = 0;
  let headStart: number | null = null;
  for (const { name, start, end } of tags) {
    if (headStart === null && (!PRELUDE_TAGS.has(name) || /\S/.test(html.slice(top, start)))) return top;
    if (name === 'head') headStart ??= start;
    if (name === '/head') headStart = null;
    top = end;
  }
  return headStart ?? top;
}

function pixel(message: MessageRef, { base, open }: LinkSigners): string {
  const token = signMessage(open, message);
  return `<img src="${base}/t/o/${token}" width="1" height="1" alt="" border="0" style="display:block;border:0;width:1px;height:1px">`;
}
