/** Parts of the page that both form renderers use. */

/** Finds an element of the page by id. Page and script are built together, so a missing one is a bug. */
export function requireElement(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The form page has no element #${id}.`);
  return element;
}

/** Reads the data that the service wrote into this page. Its type is known, because both come from the same build. */
export function readPageData<Data>(): Data {
  const data: Data = JSON.parse(requireElement('tessera-form').textContent ?? '');
  return data;
}

/** Returns a URL below the page's own, which works behind any path prefix of a proxy. */
function urlOf(name: string): string {
  return `${window.location.pathname.replace(/\/+$/, '')}/${name}`;
}

/** Returns the URL to submit answers to. The service reports errors in the form's language. */
export function submissionsUrl({ locale }: { readonly locale: string }): string {
  return `${urlOf('submissions')}?${new URLSearchParams({ locale })}`;
}

/** Returns the URL of the form's challenge; null if the form requires none. */
export function challengeUrl({ challenge }: { readonly challenge: boolean }): string | null {
  return challenge ? urlOf('challenge') : null;
}

/** Returns the value of the honeypot field, which only bots fill in. */
export function trapContent(): string {
  const trap = requireElement('tessera-unused');
  return trap instanceof HTMLInputElement ? trap.value : '';
}

/** Marks the form as interactive. */
export function markLive(container: HTMLElement): void {
  container.dataset.live = '';
}
