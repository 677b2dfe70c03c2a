/** Message to visitors if a form cannot be embedded, with a link to the form's own page. */
interface RefusalTexts {
  readonly text: string;
  readonly link: string;
}

const english: RefusalTexts = { text: 'This form cannot be shown on this page.', link: 'Open the form' };

const translations: Readonly<Record<string, RefusalTexts>> = {
  de: { text: 'Dieses Formular kann auf dieser Seite nicht angezeigt werden.', link: 'Formular öffnen' },
  fr: { text: 'Ce formulaire ne peut pas être affiché sur cette page.', link: 'Ouvrir le formulaire' },
  es: { text: 'Este formulario no se puede mostrar en esta página.', link: 'Abrir el formulario' },
  it: { text: 'Questo modulo non può essere mostrato in questa pagina.', link: 'Apri il modulo' },
  nl: { text: 'Dit formulier kan op deze pagina niet worden getoond.', link: 'Formulier openen' },
  pt: { text: 'Este formulário não pode ser mostrado nesta página.', link: 'Abrir o formulário' },
  pl: { text: 'Tego formularza nie można wyświetlić na tej stronie.', link: 'Otwórz formularz' },
  ja: { text: 'このフォームはこのページに表示できません。', link: 'フォームを開く' },
  ar: { text: 'لا يمكن عرض هذا النموذج في هذه الصفحة.', link: 'فتح النموذج' },
};

/** Time after the frame has loaded in which a form reports itself, in ms. */
const graceMs = 2000;

function createNotice(url: string, language: string): HTMLElement {
  const { text, link } = translations[language.toLowerCase().split('-')[0] ?? ''] ?? english;
  const notice = document.createElement('div');
  notice.dataset.tesseraRefused = '';
  notice.setAttribute('role', 'status');
  // The site's styles are unknown: text in its font and colours, with a border.
  notice.style.cssText =
    'box-sizing:border-box;padding:1.5rem;border:1px solid currentcolor;border-radius:8px;text-align:center';
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.target = '_blank';
  anchor.rel = 'noopener';
  anchor.textContent = link;
  anchor.style.color = 'inherit';
  notice.append(`${text} `, anchor);
  return notice;
}

function causeOf({ src }: HTMLIFrameElement): string {
  const { origin } = new URL(src);
  return `Tessera: the form did not load. Is ${window.location.origin} among its allowed_origins, and ${origin} in this page's frame-src?`;
}

/**
 * Replaces the grey box that browsers show for a blocked frame by a message. Browsers do not report blocked frames, so
 * a frame counts as blocked if its form does not report itself.
 *
 * @param language language of the parent page
 * @returns a function to call when the form reports itself
 */
export function watchForRefusal(frame: HTMLIFrameElement, language: string): () => void {
  let notice: HTMLElement | null = null;
  let timer: number | undefined;
  let isLoaded = false;
  frame.addEventListener('load', () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (isLoaded || notice !== null || !frame.isConnected) return;
      // biome-ignore lint/suspicious/noConsole: the console is the only way to report the cause to the site's owner
      console.error(causeOf(frame));
      notice = createNotice(frame.src, language);
      frame.after(notice);
      frame.style.display = 'none';
    }, graceMs);
  });
  return () => {
    isLoaded = true;
    window.clearTimeout(timer);
    notice?.remove();
    notice = null;
    frame.style.display = 'block';
  };
}
