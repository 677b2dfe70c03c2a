import DOMPurify from 'dompurify';

/** A link of a form opens beside it: inside the frame it would replace the form and the visitor's answers. */
DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node instanceof HTMLAnchorElement && node.hasAttribute('href')) {
    node.target = '_blank';
    node.rel = 'noopener noreferrer';
  }
});

/**
 * Makes HTML of a form's owner safe to show: no script, no `javascript:` link, no styles for the rest of the page,
 * no controls that look like questions, no ids that shadow those of the page.
 */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    SANITIZE_NAMED_PROPS: true,
  });
}
