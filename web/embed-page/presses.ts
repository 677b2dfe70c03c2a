/** How far in CSS pixels a pointer may drift between press and release and still mean the control it pressed. */
const driftLimit = 10;

const controls =
  'label, button, a[href], input, select, textarea, [role="button"], [role="option"], [role="radio"]';

interface Press {
  readonly control: Element;
  readonly x: number;
  readonly y: number;
}

/**
 * Lets a press count for the control it began on. Pressing elsewhere takes the focus from a field, its answer is taken
 * over, and errors go or questions come: what was pressed has moved by the time of the release, and the browser gives
 * the click to something else. A pointer that is led away before the release still calls the press off (WCAG 2.2, 2.5.2).
 */
export function keepPresses(container: HTMLElement): void {
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
      const begun = press;
      press = null;
      // Keyboards and scripts make clicks of detail 0: they mean what they hit.
      if (begun === null || event.detail === 0 || !begun.control.isConnected) return;
      if (event.target instanceof Node && begun.control.contains(event.target)) return;
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > driftLimit) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (begun.control instanceof HTMLElement) begun.control.click();
    },
    true,
  );
}
