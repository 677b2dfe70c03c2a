/**
 * Which opens and clicks a program made and not a person. Only what programs say of themselves, or what no person can
 * do, counts: a person taken for a machine would be lost to the figures.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** What is known of the request that opened a pixel or followed a link. */
export interface VisitFacts {
  readonly kind: 'open' | 'click';
  readonly method: string;
  readonly userAgent: string | null;
  readonly headers: IncomingHttpHeaders;
}

/** Why an open or click does not count. */
export type MachineReason =
  | 'apple_mail_privacy'
  | 'gmail_image_proxy'
  | 'yahoo_image_proxy'
  | 'prefetch'
  | 'head_request'
  | 'security_scanner'
  | 'link_preview'
  | 'crawler'
  | 'many_links_at_once';

/** What browsers and proxies send with what nobody looks at yet (W3C Resource Hints, Sec-Purpose). */
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const PREFETCH = /prefetch|preview|prerender/i;

const AGENTS: readonly (readonly [MachineReason, RegExp])[] = [
  // What Apple's servers send when they load the images of every message in advance: this and nothing more.
  ['apple_mail_privacy', /^Mozilla\/5\.0$/],
  ['gmail_image_proxy', /GoogleImageProxy|ggpht\.com/i],
  // Google's fetch at the time of delivery.
  ['gmail_image_proxy', /Edge\/12\.246 Mozilla\/5\.0$/],
  ['yahoo_image_proxy', /YahooMailProxy|Yahoo Mail Proxy/i],
  [
    'security_scanner',
    /barracuda|proofpoint|mimecast|safelinks|symantec|messagelabs|trend ?micro|fireeye|trellix|zscaler|sophos|fortinet|fortiguard|forcepoint|ironport|bitdefender|kaspersky|mcafee|skyhigh|checkpoint|urlscan|virustotal|phishtank|netcraft|cloudmark|spamhaus|ZoomInfo|HeadlessChrome|PhantomJS/i,
  ],
  [
    'link_preview',
    /SkypeUriPreview|Slackbot|Slack-ImgProxy|facebookexternalhit|Twitterbot|LinkedInBot|WhatsApp|TelegramBot|Discordbot|MicrosoftPreview|BingPreview|Google-PageRenderer|Embedly|redditbot/i,
  ],
  // Cubot makes telephones.
  ['crawler', /(?<!cu)bot\b|crawler|spider|slurp|Google-Safety|Google-Read-Aloud|feedfetcher|mediapartners/i],
];

/** Why this visit is a machine's, or null when nothing says so. */
export function machineReasonOf({ kind, method, userAgent, headers }: VisitFacts): MachineReason | null {
  if (PREFETCH_HEADERS.some((name) => PREFETCH.test(String(headers[name] ?? '')))) return 'prefetch';
  const known = userAgent === null ? undefined : AGENTS.find(([, agent]) => agent.test(userAgent));
  // A person who follows a link may do so with any name; only for images is this bare one Apple's.
  if (known && !(kind === 'click' && known[0] === 'apple_mail_privacy')) return known[0];
  return method === 'HEAD' ? 'head_request' : null;
}

/** A click as far as it is compared with others. */
export interface ClickMoment {
  readonly tenantId: string;
  readonly messageId: string;
  readonly url: string;
  readonly occurredAt: Date;
}

/** So many different links of one message within so many milliseconds are followed by no person. */
export const BURST_LINKS = 4;
/** See `BURST_LINKS`. */
export const BURST_MS = 3000;

/** The clicks that belong to a burst: a scanner that tries the links of a message one after the other. */
export function findBursts<C extends ClickMoment>(clicks: readonly C[]): Set<C> {
  const flagged = new Set<C>();
  for (const ofMessage of Map.groupBy(clicks, (click) => `${click.tenantId} ${click.messageId}`).values()) {
    const ordered = ofMessage.toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
    let from = 0;
    let flaggedUpTo = 0;
    const urls = new Map<string, number>();
    for (const [index, click] of ordered.entries()) {
      urls.set(click.url, (urls.get(click.url) ?? 0) + 1);
      for (; click.occurredAt.getTime() - timeOf(ordered, from) > BURST_MS; from += 1)
        forget(urls, ordered[from]?.url);
      if (urls.size < BURST_LINKS) continue;
      for (const member of ordered.slice(Math.max(from, flaggedUpTo), index + 1)) flagged.add(member);
      flaggedUpTo = index + 1;
    }
  }
  return flagged;
}

function timeOf(clicks: readonly ClickMoment[], index: number): number {
  return clicks[index]?.occurredAt.getTime() ?? 0;
}

function forget(urls: Map<string, number>, url = ''): void {
  const left = (urls.get(url) ?? 1) - 1;
  if (left === 0) urls.delete(url);
  else urls.set(url, left);
}
