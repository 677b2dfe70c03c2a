import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * Moves the focus to the content when another screen opens, so that keyboards and screen readers continue there. An
 * open dialog keeps the focus.
 */
export function useFocusOnNavigation(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') === null)
      content.current?.focus({ preventScroll: true });
  }, [pathname]);
  return content;
}
