import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { SelectionState } from './use-selection.ts';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), time[tabindex]';
const CELL = '[role="gridcell"], [role="rowheader"], [role="columnheader"]';
/** Row of the header. */
const HEADER = -1;

interface GridFocusOptions {
  readonly grid: RefObject<HTMLElement | null>;
  /** Number of rows. */
  readonly count: number;
  /** Rows of one screen, for Page Up and Page Down. */
  readonly screenRows: () => number;
  readonly scrollTo: (row: number) => void;
  /** The row with the focus; -1 is the header. */
  readonly row: number;
  readonly onMove: (row: number) => void;
  /** Null if rows cannot be selected. */
  readonly selection: SelectionState | null;
}

interface GridFocus {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * Moves the focus in a grid as the ARIA practices say: the grid is one stop of Tab, and arrow keys move among its cells
 * and the links and buttons in them. J and K move between rows, X selects, Enter opens.
 */
export function useGridFocus(options: GridFocusOptions): GridFocus {
  const { grid, count, scrollTo, row, onMove, selection } = options;
  // The stop within the row, kept while the focus moves up and down.
  const stop = useRef(0);
  const isRequested = useRef(false);
  const focused = useRef<Element | null>(null);
  useTabStop(grid);
  useKeysOfPage(grid);

  const focusRow = (target: number): boolean => {
    const stops = stopsOf(grid.current, target);
    const element = stops[Math.min(stop.current, stops.length - 1)];
    element?.focus();
    return element !== undefined;
  };
  useLayoutEffect(() => {
    // The element with the focus may be gone because its row was loaded or replaced.
    const isLost = document.activeElement === document.body && focused.current?.isConnected === false;
    if ((isRequested.current || isLost) && focusRow(row)) isRequested.current = false;
  });
  const moveTo = (target: number) => {
    const next = Math.max(HEADER, Math.min(count - 1, target));
    if (next !== HEADER) scrollTo(next);
    if (focusRow(next)) return;
    isRequested.current = true;
    onMove(next);
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target === grid.current) return moveTo(Math.min(row, count - 1));
    focused.current = target;
    const found = rowOf(target);
    if (found === null) return;
    stop.current = Math.max(
      0,
      stopsOf(grid.current, found).findIndex((each) => each.contains(target)),
    );
    if (found !== row) onMove(found);
  };
  const moveBy = (steps: number, isSelecting: boolean) => {
    const target = Math.max(HEADER, Math.min(count - 1, row + steps));
    if (isSelecting && row !== HEADER && target !== HEADER) selection?.addRange(row, target);
    moveTo(target);
  };
  const moveAcross = (steps: number) => {
    const stops = stopsOf(grid.current, row);
    stop.current = Math.max(0, Math.min(stops.length - 1, stop.current + steps));
    focusRow(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForeign(event, grid.current)) return;
    const { key, shiftKey } = event;
    const toggle = () => (row === HEADER ? undefined : selection?.toggle(row, shiftKey));
    const forward = isRightToLeft(grid.current) ? -1 : 1;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveBy(1, shiftKey),
      ArrowUp: () => moveBy(-1, shiftKey),
      j: () => moveBy(1, false),
      k: () => moveBy(-1, false),
      PageDown: () => moveBy(options.screenRows(), false),
      PageUp: () => moveBy(-options.screenRows(), false),
      ArrowRight: () => moveAcross(forward),
      ArrowLeft: () => moveAcross(-forward),
      Home: () => (event.ctrlKey ? moveTo(0) : moveAcross(Number.NEGATIVE_INFINITY)),
      End: () => (event.ctrlKey ? moveTo(count - 1) : moveAcross(Number.POSITIVE_INFINITY)),
      x: () => toggle(),
      Escape: () => selection?.clear(),
      Enter: () => linkOf(grid.current, row)?.click(),
      ' ': () => toggle(),
    };
    const isOfControl = (key === 'Enter' || key === ' ') && isControl(event.target);
    const action = isOfControl ? undefined : actions[key.length === 1 ? key.toLowerCase() : key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  return { onFocus, onKeyDown };
}

/** Makes the grid one stop of Tab: what is in it is reached by arrow keys. */
function useTabStop(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = grid.current;
    if (element === null) return;
    const exclude = () => {
      for (const each of element.querySelectorAll<HTMLElement>(FOCUSABLE)) each.tabIndex = -1;
    };
    exclude();
    const observer = new MutationObserver(exclude);
    observer.observe(element, { childList: true, subtree: true });
    // Without this, Shift and Tab would stop at the grid, which gives the focus back to its cell.
    const enter = () => {
      element.tabIndex = -1;
    };
    const leave = (event: globalThis.FocusEvent) => {
      const isInside = event.relatedTarget instanceof Node && element.contains(event.relatedTarget);
      if (!isInside) element.tabIndex = 0;
    };
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      observer.disconnect();
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
    };
  }, [grid]);
}

/** J and K enter the grid while nothing else on the page has the focus. */
function useKeysOfPage(grid: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const enter = (event: globalThis.KeyboardEvent) => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement?.tagName === 'MAIN';
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented);
      if (!isFree || !isPlain || (event.key !== 'j' && event.key !== 'k')) return;
      event.preventDefault();
      grid.current?.focus();
    };
    document.addEventListener('keydown', enter);
    return () => document.removeEventListener('keydown', enter);
  }, [grid]);
}

function rowElement(grid: HTMLElement | null, row: number): Element | null {
  return grid?.querySelector(`[role="row"][aria-rowindex="${row + 2}"]`) ?? null;
}

function rowOf(element: Element): number | null {
  const index = element.closest('[role="row"]')?.getAttribute('aria-rowindex');
  return index === null || index === undefined ? null : Number(index) - 2;
}

/** Returns the elements of a row that take the focus: the links and buttons of each cell, or the cell. */
function stopsOf(grid: HTMLElement | null, row: number): HTMLElement[] {
  const cells = rowElement(grid, row)?.querySelectorAll<HTMLElement>(CELL) ?? [];
  return [...cells].flatMap((cell) => {
    const inner = [...cell.querySelectorAll<HTMLElement>(FOCUSABLE)];
    return inner.length > 0 ? inner : [cell];
  });
}

function linkOf(grid: HTMLElement | null, row: number): HTMLElement | null {
  return rowElement(grid, row)?.querySelector<HTMLElement>('a[href]') ?? null;
}

/** Menus and dialogs that a cell opened are elsewhere in the page, but their events arrive here. */
function isForeign(
  { target, ctrlKey, metaKey, altKey, key }: KeyboardEvent,
  grid: HTMLElement | null,
): boolean {
  const isOutside = !(target instanceof Node) || grid?.contains(target) !== true;
  const isCommand = (ctrlKey && key !== 'Home' && key !== 'End') || metaKey || altKey;
  return isOutside || isCommand;
}

function isControl(target: EventTarget): boolean {
  return target instanceof HTMLElement && ['BUTTON', 'A', 'INPUT'].includes(target.tagName);
}

function isRightToLeft(element: HTMLElement | null): boolean {
  return element !== null && getComputedStyle(element).direction === 'rtl';
}
