/** The console by keyboard: what Tab reaches, in which order, and whether the focus can be seen. */
import type { Page } from 'playwright-core';

/** A stop of the Tab key. */
export interface TabStop {
  /** Position among all elements that Tab has to reach, in the order of the document; -1 for others. */
  readonly index: number;
  readonly name: string;
  /** True if the element, or the control around it, has an outline inside of the window. */
  readonly isVisible: boolean;
}

/** Returns the group whose members are reached by the arrow keys, or the element itself. */
const STOP_OF = `(element) => element.closest('[role=radiogroup], [role=toolbar], [role=tablist], [role=grid]') ?? element`;

/** Lists what Tab has to reach: in the open drawer, or on the page. */
const STOPS = `(() => {
  const scope = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1) ?? document;
  const found = [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
    (element) => element.tabIndex >= 0 && !element.disabled && !element.closest('[inert], [aria-hidden=true]')
      && element.checkVisibility({ visibilityProperty: true }));
  return [...new Set(found.map(${STOP_OF}))];
})()`;

const NAME = `(element) => (element.getAttribute('aria-label') ?? element.textContent.trim()) || element.outerHTML.slice(0, 80)`;

/** The focused element, and the outline around it or the control that it belongs to. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const hasRing = (each) => ['', '::after'].some((part) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(each, part);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });
  const control = element.closest('label, tr, [role=group], [data-focus-within]') ?? element.parentElement ?? element;
  const ring = [element, control, ...control.querySelectorAll('*')].find(hasRing);
  const { top, bottom, left, right } = (ring ?? element).getBoundingClientRect();
  return {
    index: window.stops.indexOf((${STOP_OF})(element)),
    name: (${NAME})(element),
    isVisible: ring !== undefined && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
  };
})()`;

/** Returns the names of all elements that Tab has to reach, which {@link walkByTab} compares with. */
export function tabbableNames(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(window.stops = ${STOPS}).map(${NAME})`);
}

/** Presses Tab until the focus was at as many elements of the page as said. Returns them. */
export async function walkByTab(page: Page, count: number): Promise<TabStop[]> {
  const stops: TabStop[] = [];
  while (stops.length < count) {
    await page.keyboard.press('Tab');
    // Foreign HTML in a frame has its own elements, and its own style of the focus.
    if (await page.evaluate<boolean>("document.activeElement.tagName === 'IFRAME'")) continue;
    stops.push(await page.evaluate<TabStop>(FOCUSED));
  }
  return stops;
}

/** Returns the name of the focused element. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(`(${NAME})(document.activeElement)`);
}
