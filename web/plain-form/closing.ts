import { requireElement } from '../embed-page/page-parts.ts';

/** Sanitizes HTML of the form's owner with a script that is loaded on demand; null if it cannot be loaded. */
async function safeHtml(html: string): Promise<string | null> {
  try {
    const { sanitizeHtml } = await import('../embed-page/sanitize-html.ts');
    return sanitizeHtml(html);
  } catch {
    return null;
  }
}

/** Replaces the questions by the closing text. @param html null for the page's default text, `sent` */
export async function showClosing(html: string | null, sent: string): Promise<void> {
  const closing = document.createElement('div');
  closing.className = 'sd-body sd-completedpage';
  const safe = html === null ? null : await safeHtml(html);
  if (safe === null) {
    const heading = document.createElement('h2');
    heading.textContent = sent;
    closing.append(heading);
  } else {
    closing.innerHTML = safe;
  }
  requireElement('tessera-survey').querySelector('.sd-body')?.replaceWith(closing);
}
