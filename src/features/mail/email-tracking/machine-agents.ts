/**
 * Detects opens and clicks by programs. Only evident signs count: how programs identify themselves, and behavior that
 * no person can show. Otherwise the statistics would lose people.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** The request for a pixel or a tracked link. */
export interface VisitInfo {
  readonly kind: 'open' | 'click';
  readonly method: string;
  readonly userAgent: string | null;
  readonly headers: IncomingHttpHeaders;
}

/** Reason why an open or click is not counted. */
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

/** Headers of browsers and proxies that prefetch content (W3C Resource Hints, Sec-Purpose). */
const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const PREFETCH = /prefetch|preview|prerender/i;

const AGENTS: readonly (readonly [MachineReason, RegExp])[] = [
  // Apple's servers send exactly this when they preload the images of a message.
  ['apple_mail_privacy', /^Mozilla\/5\.0$/],
  ['gmail_image_proxy', /GoogleImageProxy|ggpht\.com/i],
  // Google fetches images at the time of delivery.
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
  // Cubot is a phone manufacturer.
  ['crawler', /(?<!cu)bot\b|crawler|spider|slurp|Google-Safety|Google-Read-Aloud|feedfetcher|mediapartners/i],
];

/** Returns the reason to attribute a visit to a machine, or null if there is none. */
export function machineReasonOf({ kind, method, userAgent, headers }: VisitInfo): MachineReason | null {
  if (PREFETCH_HEADERS.some((name) => PREFETCH.test(String(headers[name] ?? '')))) return 'prefetch';
  const known = userAgent === null ? undefined : AGENTS.find(([, agent]) => agent.test(userAgent));
  // The bare agent means Apple's proxy for images only; a person's browser may send it too.
  if (known && !(kind === 'click' && known[0] === 'apple_mail_privacy')) return known[0];
  return method === 'HEAD' ? 'head_request' : null;
}

/** The facts of a click that burst detection needs. */
export interface ClickMoment {
  readonly tenantId: string;
  readonly messageId: string;
  readonly url: string;
  readonly occurredAt: Date;
}

/** Number of different links of a message clicked within BURST_MS that identifies a machine. */
export const BURST_LINKS = 4;
/** Length of a burst, in ms. */
export const BURST_MS = 3000;

/** Returns the clicks in bursts: a scanner follows the links of a message one after the other. */
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
        subtractUrl(urls, ordered[from]?.url);
      if (urls.size < BURST_LINKS) continue;
      for (const burstClick of ordered.slice(Math.max(from, flaggedUpTo), index + 1)) flagged.add(burstClick);
      flaggedUpTo = index + 1;
    }
  }
  return flagged;
}

function timeOf(clicks: readonly ClickMoment[], index: number): number {
  return clicks[index]?.occurredAt.getTime() ?? 0;
}

function subtractUrl(urls: Map<string, number>, url = ''): void {
  const remaining = (urls.get(url) ?? 1) - 1;
  if (remaining === 0) urls.delete(url);
  else urls.set(url, remaining);
}
