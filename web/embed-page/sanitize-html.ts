import DOMPurify from 'dompurify';

/** Opens links in a new tab. Inside the frame they would replace the form and the visitor's answers. */
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node instanceof HTMLAnchorElement && node.hasAttribute('href')) {
    node.target = '_blank';
    node.rel = 'noopener noreferrer';
  }
});

/**
 * Sanitizes HTML of a form's owner: removes scripts, `javascript:` links, styles for the rest of the page, form
 * controls and ids that collide with those of the page.
 */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    SANITIZE_NAMED_PROPS: true,
  });
}
