/** Adds markup that Swagger UI omits. */

/** Swagger UI is dark when the top element says so. */
export function followColors(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/** Levels of headings without gaps, names of regions, boxes that scroll by keyboard. */
const ADDITIONS = [
  ['h3.opblock-tag', 'aria-level', '2'],
  ['.opblock h4', 'aria-level', '3'],
  ['.models h4', 'aria-level', '2'],
  ['.opblock h5', 'aria-level', '4'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About'],
  ['.filter', 'role', 'search'],
  ['.operation-filter-input', 'aria-label', 'Filter by group'],
  ['.body-param__example, .highlight-code pre, .model-example pre, .curl', 'tabindex', '0'],
] as const;

/** Adds to what is drawn in `place`, now and later: names for the choices of a parameter, too, and no link in a button. */
export function completeMarkup(place: HTMLElement): void {
  const complete = () => {
    for (const [selector, name, value] of ADDITIONS)
      for (const element of place.querySelectorAll(`:is(${selector}):not([${name}])`))
        element.setAttribute(name, value);
    for (const choice of place.querySelectorAll('[data-param-name] select:not([aria-label])'))
      choice.setAttribute(
        'aria-label',
        choice.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '',
      );
    for (const link of place.querySelectorAll('button a[href]')) link.removeAttribute('href');
    const filter = place.querySelector('.filter')?.closest('.filter-container, .wrapper');
    if (filter && !filter.hasAttribute('role')) filter.setAttribute('role', 'search');
  };
  new MutationObserver(complete).observe(place, { childList: true, subtree: true });
}
