import { requireElement } from '../embed-page/page-parts.ts';

/** HTML of the form's owner made safe, by a script that only the forms load which need it; null when it does not come. */
async function safeHtml(html: string): Promise<string | null> {
  try {
    const { sanitizeHtml } = await import('../embed-page/sanitize-html.ts');
    return sanitizeHtml(html);
  } catch {
    return null;
  }
}

/** Puts the closing text in the place of the questions. @param html null for the page's own text, `sent` */
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
