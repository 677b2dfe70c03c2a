// Runs in the browser, on the page of the API reference.
/* global SwaggerUIBundle, document, matchMedia, MutationObserver */

// Swagger UI is dark when the top element says so.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// What its markup leaves out: levels of headings without gaps, names of regions, boxes that scroll by keyboard, and
// no link inside a button.
const ADDITIONS = [
  ['h3.opblock-tag', 'aria-level', '2'],
  ['.opblock h4', 'aria-level', '3'],
  ['.models h4', 'aria-level', '2'],
  ['.opblock h5', 'aria-level', '4'],
  ['.information-container', 'role', 'region'],
  ['.information-container', 'aria-label', 'About'],
  ['.filter', 'role', 'search'],
  ['.operation-filter-input', 'aria-label', 'Filter by group'],
  ['.body-param__example, .highlight-code pre, .model-example pre', 'tabindex', '0'],
];
const reference = document.getElementById('reference');
new MutationObserver(() => {
  for (const [selector, name, value] of ADDITIONS)
    for (const element of reference.querySelectorAll(`:is(${selector}):not([${name}])`))
      element.setAttribute(name, value);
  for (const link of reference.querySelectorAll('button a[href]')) link.removeAttribute('href');
  const filter = reference.querySelector('.filter')?.closest('.filter-container, .wrapper');
  if (filter && !filter.hasAttribute('role')) filter.setAttribute('role', 'search');
}).observe(reference, { childList: true, subtree: true });

SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
});
