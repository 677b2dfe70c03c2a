/**
 * Puts the open pixel and the counted links into a message's HTML
 * (docs/specification/email-events.md#tracking).
 */
import { type HtmlTag, readTags } from '../../mail/html-tags.ts';
import { type MessageRef, signMessage, type TokenSigner } from '../../mail/message-token.ts';
import { readLinkAddress } from './link-address.ts';
import { escapeAttribute, type LinkLabels, labelLink, linkToken } from './link-labels.ts';

/** Which message the HTML becomes, and what is to be seen of its reading. */
export interface TrackOptions extends MessageRef {
  readonly openTracking: boolean;
  /** The pixel stands at the top instead of the end, where long messages are cut off by mail programs. */
  readonly initialOpen: boolean;
  readonly clickTracking: boolean;
  /** What links tell the sites that they lead to. */
  readonly labels?: LinkLabels | undefined;
}

/** What tracked links are made of: data and keys, which a thread can be handed. */
export interface LinkMakers {
  /** PUBLIC_URL. */
  readonly base: string;
  readonly open: TokenSigner;
  readonly click: TokenSigner;
}

/** A link with this attribute is left as it is. */
const OPT_OUT = 'data-no-track';

/**
 * The HTML with the pixel and with its web links leading through `PUBLIC_URL/t/c/`, where they are counted; everything
 * else keeps its bytes. Links that are no http(s) addresses, that carry `data-no-track`, or that lead to our own
 * unsubscribe and preference pages stay as they are. `initialOpen` without `openTracking` does nothing.
 */
export function trackHtml(html: string, options: TrackOptions, links: LinkMakers): string {
  const { openTracking, clickTracking, initialOpen } = options;
  if (!openTracking && !clickTracking && options.labels === undefined) return html;
  const { tags } = readTags(html, isLinkTag);
  const changes = changeLinks(tags, options, links);
  if (openTracking) {
    const place = pixelPlace(html, tags, initialOpen);
    changes.push({ start: place, end: place, text: pixel(options, links) });
  }
  let tracked = '';
  let copied = 0;
  for (const { start, end, text } of changes.sort((one, other) => one.start - other.start)) {
    tracked += html.slice(copied, start) + text;
    copied = end;
  }
  return tracked + html.slice(copied);
}

/** What stands between two places instead of what did. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function changeLinks(tags: readonly HtmlTag[], options: TrackOptions, { base, click }: LinkMakers): Change[] {
  const { clickTracking, labels } = options;
  if (!clickTracking && labels === undefined) return [];
  const changes: Change[] = [];
  const labelled = (url: string) => (labels === undefined ? url : labelLink(url, labels));
  const trackedLink = (url: string) => `${base}/t/c/${signMessage(click, options, linkToken(url, labels))}`;
  // Messages repeat their links: logo, title and button of an article lead to the same place.
  const counted = new Map<string, string>();
  for (const { attributes } of tags) {
    // Of a repeated attribute the first counts.
    const href = attributes.find(({ name }) => name === 'href');
    if (!href || attributes.some(({ name }) => name === OPT_OUT)) continue;
    const url = readLinkAddress(href.value);
    if (url === null || isOwnPage(url, base)) continue;
    const text = counted.get(url) ?? `"${clickTracking ? trackedLink(url) : escapeAttribute(labelled(url))}"`;
    counted.set(url, text);
    changes.push({ start: href.start, end: href.end, text });
  }
  return changes;
}

/** Elements that lead somewhere, whose attributes are read, with those that Outlook draws buttons with (VML). */
function isLinkTag(name: string): boolean {
  return name === 'a' || name === 'area' || name.startsWith('v:');
}

function isOwnPage(url: string, base: string): boolean {
  return ['/u/', '/t/', '/preferences/', '/view/'].some((path) => url.startsWith(base + path));
}

function pixelPlace(html: string, tags: readonly HtmlTag[], isInitial: boolean): number {
  if (!isInitial) return tags.findLast(({ name }) => name === '/body')?.start ?? html.length;
  return tags.find(({ name }) => name === 'body')?.end ?? endOfPrelude(html, tags);
}

/** What may come before the content of HTML without a `<body>` tag, and the head with all that it holds. */
const PRELUDE_TAGS = new Set(['!', 'html', 'head', '/head']);

/** The end of the prelude of HTML without a `<body>` tag. */
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

function pixel(message: MessageRef, { base, open }: LinkMakers): string {
  const token = signMessage(open, message);
  return `<img src="${base}/t/o/${token}" width="1" height="1" alt="" border="0" style="display:block;border:0;width:1px;height:1px">`;
}
