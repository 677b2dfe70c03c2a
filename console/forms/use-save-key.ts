import { type RefObject, useEffect } from 'react';
import { flushSync } from 'react-dom';

/** Sends a form by Ctrl S or Cmd S: the one with the focus, else the one that no dialog covers. */
export function useSaveKey(element: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const form = element.current;
      if (
        event.key.toLowerCase() !== 's' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      if (form === null || event.defaultPrevented || !isMeant(form)) return;
      event.preventDefault();
      commitInput(form);
      form.requestSubmit();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [element]);
}

function isMeant(form: HTMLFormElement): boolean {
  const active = document.activeElement;
  if (form.contains(active)) return true;
  return !active?.closest('form') && form.closest('[inert], [aria-hidden="true"]') === null;
}

/** Fields such as numbers take what was typed when they lose the focus. */
function commitInput(form: HTMLFormElement): void {
  const active = document.activeElement;
  if (!(active instanceof HTMLInputElement) || !form.contains(active)) return;
  flushSync(() => active.blur());
  active.focus();
}
