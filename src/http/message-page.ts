/** Pages that tell a visitor one thing: plain HTML that needs no other file, so that they show wherever mail and sites do. */

/**
 * A whole page with one card.
 * @param title text that needs no escaping.
 * @param content the card's HTML: headings, paragraphs, one picture, one form with a button; escaped by the caller.
 */
export function messagePage(title: string, content: string): string {
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
  svg { width: 48px; height: 48px; margin-bottom: .75rem; color: #78716c; }
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
