import assert from 'node:assert/strict';
import test from 'node:test';
import { browserOf } from './browser-name.ts';

test('browsers and systems are recognized by their user agents', () => {
  const agents: Readonly<Record<string, string>> = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0':
      'Edge, Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0': 'Firefox, Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15':
      'Safari, macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1':
      'Chrome, iPhone',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36':
      'Samsung Internet, Android',
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36':
      'Chrome, ChromeOS',
  };
  for (const [agent, name] of Object.entries(agents)) assert.equal(browserOf(agent), name);
});

test('an unknown user agent has no name', () => {
  assert.equal(browserOf('curl/8.5.0'), null);
});
