/** Script of a guide page: theme, copy buttons, current section, and the search when it is opened. */

const KEY = 'tessera-theme';
const root = document.documentElement;

function isDark(): boolean {
  const { theme } = root.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

function connectThemeSwitch(): void {
  const button = document.querySelector('[data-theme-switch]');
  const show = (): void => button?.setAttribute('aria-pressed', String(isDark()));
  button?.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // Storage may be blocked: the choice lasts for this page.
    }
    show();
  });
  show();
}

/** Adds a copy button to every code block. */
function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => button.replaceChildren('Copied'),
        () => button.replaceChildren('Not allowed'),
      );
      setTimeout(() => button.replaceChildren('Copy'), 2000);
    });
    block.append(button);
  }
}

/** Marks the section in view in the table of contents. */
function followSections(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('nav.contents a')].map((link) => [link.hash, link]),
  );
  if (links.size === 0) return;
  const headings = [...document.querySelectorAll('main h2')];
  const mark = (): void => {
    // The last section may be too short to reach the top.
    const isAtEnd = scrollY > 0 && scrollY + innerHeight >= document.body.scrollHeight - 1;
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const current = (isAtEnd ? headings : passed).at(-1);
    for (const [hash, link] of links) {
      if (hash === `#${current?.id}`) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  new IntersectionObserver(mark, { rootMargin: '0px 0px -75% 0px' }).observe(document.body);
  addEventListener('scroll', mark, { passive: true });
  mark();
}

/** Scrolls the navigation so that the open page is in view. */
function showOpenPage(): void {
  const pages = document.querySelector('nav.pages');
  const open = pages?.querySelector<HTMLElement>('[aria-current=page]');
  if (pages && open) pages.scrollTop = Math.max(0, open.offsetTop - pages.clientHeight / 2);
}

async function openSearch(query = ''): Promise<void> {
  const { openDialog } = await import('./search.ts');
  openDialog(query);
}

function connectSearch(): void {
  for (const button of document.querySelectorAll('[data-search-open]'))
    button.addEventListener('click', () => openSearch());
  addEventListener('keydown', (event) => {
    const isField = event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
    const isSlash = event.key === '/' && !isField && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
    if (!isSlash && !isK) return;
    event.preventDefault();
    void openSearch();
  });
  const query = new URLSearchParams(location.search).get('q');
  if (query) void openSearch(query);
}

connectThemeSwitch();
addCopyButtons();
followSections();
showOpenPage();
connectSearch();
