/** The pages of `PUBLIC_URL/u/{token}`: plain HTML, so that they work wherever mail is read. */
import { escapeHtml } from '../../http/escape-html.ts';

/** What the page tells whom it is about. */
export interface UnsubscribeSubject {
  /** Who sends. */
  readonly sender: string;
  /** The recipient's address. */
  readonly address: string;
}

/** For all pages here: no script, nothing from elsewhere, forms only to ourselves, no frame. */
export const UNSUBSCRIBE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
};

/** Asks; only its button changes anything. */
export function askPage(subject: UnsubscribeSubject | null): string {
  return page(
    'Unsubscribe',
    `<h1>Unsubscribe?</h1>
<p>${ofWhom(subject, 'will no longer get')}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`,
  );
}

/** Confirms. */
export function donePage(subject: UnsubscribeSubject | null): string {
  return page(
    'Unsubscribed',
    `<h1>You are unsubscribed</h1>
<p>${ofWhom(subject, 'no longer gets')}</p>`,
  );
}

/** For a link that was altered or cut off. */
export function badLinkPage(): string {
  return page(
    'Link not valid',
    `<h1>This link is not valid</h1>
<p>It may have been cut off on its way. Please use the link in the message itself, or answer the message.</p>`,
  );
}

function ofWhom(subject: UnsubscribeSubject | null, verb: string): string {
  if (subject === null) return `This address ${verb} these messages.`;
  const { address, sender } = subject;
  return `<strong>${escapeHtml(masked(address))}</strong> ${verb} messages of this kind from <strong>${escapeHtml(sender)}</strong>.`;
}

/** Mail is forwarded: whoever gets the link does not learn the whole address. */
function masked(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`;
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f5f5f4; color: #1c1917;
    font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { box-sizing: border-box; max-width: 30rem; margin: 1.5rem; padding: 2rem; text-align: center;
    background: #fff; border-radius: 12px; box-shadow: 0 1px 3px rgb(0 0 0 / 12%); overflow-wrap: anywhere; }
  h1 { margin: 0 0 .5rem; font-size: 1.25rem; line-height: 1.3; }
  p { margin: 0; color: #57534e; }
  button { margin-top: 1.5rem; padding: .75rem 1.5rem; border: 0; border-radius: 8px; background: #1c1917;
    color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
  button:hover { background: #44403c; }
  button:focus-visible { outline: 3px solid #2563eb; outline-offset: 2px; }
</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
