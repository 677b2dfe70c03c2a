import { createServer } from 'node:http';
import { after } from 'node:test';

/** A website with another origin than the service, with a page that embeds a form. */
export interface HostSite {
  readonly origin: string;
  /** Returns the URL of a page that mounts the form; `window.completed` has the arguments of `onComplete`. */
  pageFor(publicCode: string, themeCode?: string): string;
}

/** Starts a site whose pages load the script of the service at `serviceUrl`; it is closed after the file's tests. */
export async function startHostSite(serviceUrl: string): Promise<HostSite> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const options = { publicCode: searchParams.get('form'), themeCode: searchParams.get('theme') ?? '' };
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html>
<html lang="en"><head><title>A site</title><meta name="viewport" content="width=device-width, initial-scale=1">
<script src="${serviceUrl}/embed.js"></script></head>
<body style="margin:0"><div id="form"></div><script>
window.completed = [];
Tessera.mount('#form', { ...${JSON.stringify(options)}, onComplete: (result) => window.completed.push(result) });
</script></body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  // A host name other than the service's makes it a different site, not only a different origin.
  const origin = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    origin,
    pageFor: (publicCode, themeCode) =>
      `${origin}/?${new URLSearchParams({ form: publicCode, ...(themeCode && { theme: themeCode }) })}`,
  };
}
