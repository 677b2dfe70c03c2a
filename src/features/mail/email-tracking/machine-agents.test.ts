import assert from 'node:assert/strict';
import test from 'node:test';
import { BURST_LINKS, BURST_MS, findBursts, machineReasonOf, type VisitInfo } from './machine-agents.ts';

const visit = (userAgent: string | null, more: Partial<VisitInfo> = {}) =>
  machineReasonOf({ kind: 'open', method: 'GET', userAgent, headers: {}, ...more });

const MACHINES: Readonly<Record<string, string>> = {
  'Mozilla/5.0': 'apple_mail_privacy',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)':
    'gmail_image_proxy',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0':
    'gmail_image_proxy',
  'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html': 'yahoo_image_proxy',
  'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))': 'security_scanner',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)': 'link_preview',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)': 'crawler',
};

for (const [agent, reason] of Object.entries(MACHINES)) {
  test(`${agent} is ${reason}`, () => assert.equal(visit(agent), reason));
}

test('mail programs and browsers of people are not machines', () => {
  for (const agent of [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.0',
    'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    'Mozilla/5.0 (Linux; Android 10; Cubot X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
    'node',
    null,
  ])
    assert.equal(visit(agent), null, String(agent));
});

test('requests right after the delivery do not count', () => {
  for (const headers of [
    { purpose: 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'x-purpose': 'preview' },
    { 'x-moz': 'prefetch' },
  ])
    assert.equal(visit('Mozilla/5.0 (X11)', { headers }), 'prefetch');
});

test('a HEAD request to a link is not a click; an unspecific browser name is', () => {
  assert.equal(visit('Mozilla/5.0 (X11)', { kind: 'click', method: 'HEAD' }), 'head_request');
  assert.equal(visit('Mozilla/5.0', { kind: 'click' }), null);
});

const START = Date.UTC(2030, 0, 1);
const click = (url: string, afterMs: number, messageId = 'm') => ({
  tenantId: 't',
  messageId,
  url,
  occurredAt: new Date(START + afterMs),
});

test('many different links of one message within a moment are a burst, all of them', () => {
  const clicks = Array.from({ length: BURST_LINKS + 2 }, (_, n) => click(`https://x.test/${n}`, n * 10));
  assert.equal(findBursts(clicks.toReversed()).size, clicks.length);
  assert.equal(findBursts(clicks.slice(0, BURST_LINKS - 1)).size, 0);
});

test('consecutive links, repeated links, and links of several messages are not a burst', () => {
  const slow = Array.from({ length: 20 }, (_, n) => click(`https://x.test/${n}`, n * BURST_MS));
  const same = Array.from({ length: 20 }, (_, n) => click('https://x.test/', n));
  const many = Array.from({ length: 20 }, (_, n) => click(`https://x.test/${n}`, n, `m${n}`));
  for (const clicks of [slow, same, many]) assert.equal(findBursts(clicks).size, 0);
});

test('a burst does not include clicks long before or after', () => {
  const burst = Array.from({ length: BURST_LINKS }, (_, n) => click(`https://x.test/${n}`, 100_000 + n));
  const [before, after] = [click('https://x.test/a', 0), click('https://x.test/b', 200_000)];
  const found = findBursts([before, ...burst, after]);
  assert.deepEqual([found.has(before), found.has(after), found.size], [false, false, BURST_LINKS]);
});
