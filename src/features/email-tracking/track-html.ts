/** Puts the open pixel and the counted links into a message's HTML (decisions section 6). */
import { findTags, type HtmlTag } from '../../mail/html-tags.ts';
import type { MessageRef } from '../../mail/message-ref.ts';
import type { Platform } from '../../platform.ts';
import { readLinkAddress } from './link-address.ts';
import { signTrackingToken } from './tracking-tokens.ts';

/** Which message the HTML becomes, and what is to be seen of its reading. */
export interface TrackOptions extends MessageRef {
  readonly platform: Platform;
  readonly openTracking: boolean;
  /** The pixel stands at the top instead of the end, where long messages are cut off by mail programs. */
  readonly initialOpen: boolean;
  readonly clickTracking: boolean;
}

/** A link with this attribute is left as it is. */
const OPT_OUT = 'data-no-track';

/**
 * The HTML with the pixel and with its web links leading through `PUBLIC_URL/t/c/`, where they are counted; everything
 * else keeps its bytes. Links that are no http(s) addresses, that carry `data-no-track`, or that lead to our own
 * unsubscribe and preference pages stay as they are. `initialOpen` without `openTracking` does nothing.
 */
export function trackHtml(html: string, options: TrackOptions): string {
  const { openTracking, clickTracking, initialOpen, platform } = options;
  if (!openTracking && !clickTracking) return html;
  const base = platform.publicUrl();
  let tracked = '';
  let copied = 0;
  const replace = (start: number, end: number, text: string) => {
    tracked += html.slice(copied, start) + text;
    copied = end;
  };
  let bodyEnd = -1;
  let isPixelPlaced = !openTracking;
  const countedUrl = memoized((url) => `"${base}/t/c/${signTrackingToken(platform, 'click', options, url)}"`);
  for (const tag of findTags(html, isLinkTag)) {
    if (tag.name === '/body') bodyEnd = tracked.length + tag.start - copied;
    else if (tag.name === 'body' && initialOpen && !isPixelPlaced) {
      replace(tag.end, tag.end, pixel(base, options));
      isPixelPlaced = true;
    } else if (clickTracking && isLinkTag(tag.name)) {
      const link = countedLink(tag, base);
      if (link) replace(link.start, link.end, countedUrl(link.url));
    }
  }
  tracked += html.slice(copied);
  if (isPixelPlaced) return tracked;
  const place = initialOpen
    ? topOf(
        tracked,
        findTags(tracked, () => false),
      )
    : bodyEnd < 0
      ? tracked.length
      : bodyEnd;
  return tracked.slice(0, place) + pixel(base, options) + tracked.slice(place);
}

/** Messages repeat their links: logo, title and button of an article lead to the same place. */
function memoized(make: (url: string) => string): (url: string) => string {
  const made = new Map<string, string>();
  return (url) => {
    const known = made.get(url) ?? make(url);
    made.set(url, known);
    return known;
  };
}

/** Elements that lead somewhere, with those that Outlook draws buttons with (VML). */
function isLinkTag(name: string): boolean {
  return name === 'a' || name === 'area' || name.startsWith('v:');
}

interface CountedLink {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

function countedLink({ attributes }: HtmlTag, base: string): CountedLink | null {
  // Of a repeated attribute the first counts.
  const href = attributes.find(({ name }) => name === 'href');
  if (!href || attributes.some(({ name }) => name === OPT_OUT)) return null;
  const url = readLinkAddress(href.value);
  if (url === null || isOwnPage(url, base)) return null;
  return { url, start: href.start, end: href.end };
}

function isOwnPage(url: string, base: string): boolean {
  return ['/u/', '/t/', '/preferences/'].some((path) => url.startsWith(base + path));
}

/** What may come before the content of HTML without a `<body>` tag, and the head with all that it holds. */
const PRELUDE_TAGS = new Set(['!', 'html', 'head', '/head']);

/** The end of the prelude of HTML without a `<body>` tag. */
function topOf(html: string, tags: readonly HtmlTag[]): number {
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

function pixel(base: string, options: TrackOptions): string {
  const token = signTrackingToken(options.platform, 'open', options);
  return `<img src="${base}/t/o/${token}" width="1" height="1" alt="" border="0" style="display:block;border:0;width:1px;height:1px">`;
}
