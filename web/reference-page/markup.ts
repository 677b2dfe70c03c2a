/** Adds markup that Swagger UI omits. */

/** Sets the class for which Swagger UI uses dark colours. */
export function followColors(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/** Attributes for heading levels without gaps, names of regions, and scrolling by keyboard. */
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

/** Adds attributes to everything rendered in `container`, labels parameter selects, and removes links in buttons. */
export function completeMarkup(container: HTMLElement): void {
  const complete = () => {
    for (const [selector, name, value] of ADDITIONS)
      for (const element of container.querySelectorAll(`:is(${selector}):not([${name}])`))
        element.setAttribute(name, value);
    for (const choice of container.querySelectorAll('[data-param-name] select:not([aria-label])'))
      choice.setAttribute(
        'aria-label',
        choice.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '',
      );
    for (const link of container.querySelectorAll('button a[href]')) link.removeAttribute('href');
    const filter = container.querySelector('.filter')?.closest('.filter-container, .wrapper');
    if (filter && !filter.hasAttribute('role')) filter.setAttribute('role', 'search');
  };
  new MutationObserver(complete).observe(container, { childList: true, subtree: true });
}
