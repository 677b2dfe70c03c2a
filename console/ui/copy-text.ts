/**
 * Copies a text. Returns false if the browser refuses. Pages without HTTPS have no clipboard, but may copy what is
 * selected.
 */
export async function copyText(text: string): Promise<boolean> {
  if (!window.isSecureContext || !('clipboard' in navigator)) return copySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.className = 'visually-hidden';
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
