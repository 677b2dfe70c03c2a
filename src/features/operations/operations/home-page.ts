import { type Html, html } from '../../../http/html.ts';
import { readingPage } from '../../../http/page.ts';
import { version } from '../../../version.ts';
import { pageLinks } from './page-links.ts';

/** Data of the front page. */
export interface HomePageData {
  readonly publicUrl: string;
  /** Address of the console; null: it is off. */
  readonly consoleUrl: string | null;
  readonly isReady: boolean;
}

/** Returns the front page: description, first steps and status of the service. */
export function homePage({ publicUrl, consoleUrl, isReady }: HomePageData): Html {
  const content = html`<div class="text">
<h1>Tessera</h1>
<p>You have reached a Tessera service: forms, email and campaigns, journeys, automations, assistants, records, websites and
assets for many tenants, with one HTTP API. Programs use an API key, and people sign in to get
a token.</p>
<p>Version ${version}. State: <strong class="state">${isReady ? 'ready' : 'not ready'}</strong></p>

<h2>Get started</h2>
<ul>
${consoleUrl === null ? null : html`<li><a href="${consoleUrl}">The console</a>: sign in to work in the browser.</li>`}
<li><a href="guides/tour#five-minutes">The tour</a>: in five minutes from a form to a delivered message.</li>
<li><a href="docs">The API reference</a>: all operations, with examples, which you can try out in the page. After you
sign in there, it includes those of your own entities.</li>
<li><a href="guides/errors">Errors</a>: what each code means.</li>
<li><a href="guides/specification/README">The specification</a>: what callers can rely on;
<a href="openapi.json">openapi.json</a> describes the API for programs.</li>
</ul>

<h2>Guides</h2>
<p><a href="guides">All guides</a>, for developers, marketers and operators.</p>
<form class="search" action="guides" role="search">
<label for="q">Search the guides</label>
<input id="q" name="q" type="search" maxlength="200">
<button>Search</button>
</form>

<h2>A first call</h2>
<p>The first start on an empty embedded database prints an API key. With it:</p>
<pre tabindex="0"><code>curl -H "X-API-Key: $TESSERA_KEY" ${publicUrl}/api/tenant/info</code></pre>

<h2>Health</h2>
<ul>
<li><a href="healthz">/healthz</a>: the process is alive.</li>
<li><a href="readyz">/readyz</a>: the database and the queue respond.</li>
<li><a href="metrics">/metrics</a>: metrics for Prometheus.</li>
</ul>
</div>`;
  return readingPage({ title: 'Tessera', links: pageLinks(''), content });
}
