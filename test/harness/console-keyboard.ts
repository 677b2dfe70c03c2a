/** A page as somebody without a mouse uses it. */
import type { Page } from 'playwright-core';

/** A control at which the Tab key stops. */
export interface TabStop {
  /** Its role or element, and its name or text. */
  readonly name: string;
  /**
   * True if an outline shows the focus: of the control, a box around it, or the mark of a checkbox. In a frame, its
   * content does.
   */
  readonly hasOutline: boolean;
  /** True if its middle is inside the window and nothing else covers it. */
  readonly isUncovered: boolean;
}

/** More stops than any page has: a page that never returns to its first stop has a trap. */
const MAX_STOPS = 600;

/**
 * Functions in the page. A set of radio buttons or a grid has one stop; the arrow keys reach the rest. Behind an open
 * dialog all is inert or hidden.
 */
const SCRIPT = `window.keyboard = (() => {
  const CONTROLS = 'a[href], button, input, select, textarea, summary, iframe, [tabindex]';
  const isStop = (control) =>
    control.tabIndex >= 0 && !control.disabled && control.type !== 'hidden' &&
    !control.closest('[inert], [aria-hidden=true]') && control.checkVisibility({ visibilityProperty: true });
  const nameOf = (control) =>
    (control.role ?? control.localName) + ' ' + (control.ariaLabel ?? control.innerText ?? '').trim().slice(0, 40) +
    ' ' + (control.name ?? '') + ' ' + (control.id ?? '');
  const isOutlined = (element, pseudo) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  };
  const outlined = (control) => {
    const around = [control, ...(control.closest('label')?.querySelectorAll('*') ?? [])];
    for (let box = control.parentElement, level = 0; box !== null && level < 4; box = box.parentElement, level += 1)
      around.push(box);
    return around.find((element) => isOutlined(element) || isOutlined(element, '::after'));
  };
  const isUncovered = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const seen = document.elementFromPoint(x, y);
    return seen !== null && (element.contains(seen) || seen.contains(element));
  };
  const seen = new Set();
  const isSeen = (control) => seen.has(control) || [...seen].some((each) => groupOf(control).contains(each));
  const groupOf = (control) => control.closest('[role=radiogroup], [role=grid]') ?? control;
  return {
    /** The stop with the focus; null at the end of the page, at a stop that was seen before. */
    current: () => {
      const control = document.activeElement;
      // A frame has stops of its own.
      if (control instanceof HTMLIFrameElement && seen.has(control)) return 'inside';
      if (control === null || control === document.body || seen.has(control)) return null;
      seen.add(control);
      const shown = outlined(control);
      return {
        name: nameOf(control),
        hasOutline: shown !== undefined || control instanceof HTMLIFrameElement,
        isUncovered: isUncovered(shown ?? control),
      };
    },
    missed: () => [...document.querySelectorAll(CONTROLS)].filter((control) => isStop(control) && !isSeen(control)).map(nameOf),
  };
})()`;

/** Presses Tab until all stops were visited. @throws Error if a stop keeps the focus. */
export async function visitStops(page: Page): Promise<{ stops: TabStop[]; missed: string[] }> {
  await page.evaluate(SCRIPT);
  const stops: TabStop[] = [];
  for (let presses = 0; presses < MAX_STOPS; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<TabStop | 'inside' | null>('keyboard.current()');
    if (stop === 'inside') continue;
    if (stop === null) return { stops, missed: await page.evaluate<string[]>('keyboard.missed()') };
    stops.push(stop);
  }
  throw new Error(`The Tab key does not return to the first stop. The last one is ${stops.at(-1)?.name}.`);
}
