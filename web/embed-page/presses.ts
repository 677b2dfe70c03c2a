/** Maximum movement of the pointer between press and release, in CSS pixels, that still counts as a click. */
const driftLimit = 10;

const controls =
  'label, button, a[href], input, select, textarea, [role="button"], [role="option"], [role="radio"]';

interface Press {
  readonly control: Element;
  readonly x: number;
  readonly y: number;
}

/**
 * Sends a click to the control on which the press began. A press takes the focus from a field, which updates its answer
 * and may add or remove errors and questions. The pressed control has then moved before the release, and the browser
 * would click something else. Moving the pointer away before the release still cancels the click (WCAG 2.2, 2.5.2).
 */
export function followPresses(container: HTMLElement): void {
  let press: Press | null = null;
  container.addEventListener(
    'pointerdown',
    ({ isPrimary, button, target, clientX, clientY }) => {
      const control = target instanceof Element ? target.closest(controls) : null;
      press = isPrimary && button === 0 && control !== null ? { control, x: clientX, y: clientY } : null;
    },
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      const started = press;
      press = null;
      // Clicks by keyboard or script have detail 0 and the right target.
      if (started === null || event.detail === 0 || !started.control.isConnected) return;
      if (event.target instanceof Node && started.control.contains(event.target)) return;
      if (Math.hypot(event.clientX - started.x, event.clientY - started.y) > driftLimit) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (started.control instanceof HTMLElement) started.control.click();
    },
    true,
  );
}
