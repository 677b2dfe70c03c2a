/** Applies the reader's theme before the page is rendered. */
export {};

const KEY = 'tessera-theme';
const root = document.documentElement;

function readChoice(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage may be blocked: the system's theme applies then.
    return null;
  }
}

const choice = readChoice();
if (choice === 'light' || choice === 'dark') root.dataset.theme = choice;
// Controls that need scripts are hidden without them.
root.dataset.script = '';
