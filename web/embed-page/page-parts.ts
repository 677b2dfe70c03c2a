/** What both players of forms find on the page. */

/** Finds an element of the page by id. The page and this script are built together: a missing one is a fault. */
export function requireElement(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The form page has no element #${id}.`);
  return element;
}

/** What the service wrote into this page; it comes from the same build, so its shape is known. */
export function readPageData<Data>(): Data {
  const data: Data = JSON.parse(requireElement('tessera-form').textContent ?? '');
  return data;
}

/** What belongs to this form lies below the page itself, whatever path a proxy puts before it. */
function urlOf(name: string): string {
  return `${window.location.pathname.replace(/\/+$/, '')}/${name}`;
}

/** Where the answers of a form go; faults are told in its language. */
export function submissionsUrl({ locale }: { readonly locale: string }): string {
  return `${urlOf('submissions')}?${new URLSearchParams({ locale })}`;
}

/** Where a form's challenge is to be had; null when it asks for none. */
export function challengeUrl({ challenge }: { readonly challenge: boolean }): string | null {
  return challenge ? urlOf('challenge') : null;
}

/** What stands in the field that only programs fill in. */
export function trapContent(): string {
  const trap = requireElement('tessera-unused');
  return trap instanceof HTMLInputElement ? trap.value : '';
}

/** Says that the form answers to its visitor now. */
export function markLive(container: HTMLElement): void {
  container.dataset.live = '';
}
