/** The page in which the console shows foreign HTML. */
import { randomBytes } from 'node:crypto';
import { html } from '../../http/html.ts';
import { pageReply } from '../../http/page.ts';
import type { RawReply } from '../../http/route.ts';
import type { Manifest } from './files.ts';

/**
 * Returns an empty page with one script, which shows the HTML that the page around it sends. Its origin is opaque, so
 * that the HTML has no access to the console. `base`: path of `CONSOLE_URL`.
 */
export function framePage({ frame }: Pick<Manifest, 'frame'>, base: string): RawReply {
  // A nonce names the one script on every host and behind every proxy; 'self' would allow all scripts of the server.
  const nonce = randomBytes(16).toString('base64url');
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Preview</title>
<script defer nonce="${nonce}" src="${base}/console/assets/${frame}"></script>
</head>
<body></body>
</html>
`;
  return pageReply(page, {
    'content-security-policy': `sandbox allow-scripts; default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src * data:; frame-ancestors 'self'`,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  });
}
