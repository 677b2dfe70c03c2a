import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
} from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** Height of the header in px. */
export const HEADER_HEIGHT = 32;
/** Space below the table, as below all content, in px. */
const BOTTOM_SPACE = 64;
/** Rows are never fewer than fit into this height, in px. */
const MIN_HEIGHT = 320;
/** Rows that are rendered above and below the visible ones. */
const OVERSCAN = 8;
/** Height of a card until it is measured, in px. */
const CARD_HEIGHT = 148;

interface VisibleRowsOptions {
  /** The table, which scrolls unless rows are cards. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly rowHeight: number;
  /** Rows are cards of different heights, and the page scrolls. */
  readonly isCards: boolean;
  /** A row that is rendered wherever it is. */
  readonly keptRow: number;
}

/** A row that is rendered. */
export interface VisibleRow {
  readonly index: number;
  /** Position below the first row, in px. */
  readonly start: number;
}

/** The rows that are rendered. */
export interface VisibleRows {
  readonly rows: readonly VisibleRow[];
  /** Height of all rows in px. */
  readonly height: number;
  /** Largest height of the table in px, so that it ends where the window does. */
  readonly maxHeight: number;
  readonly scrollTo: (row: number) => void;
  /** Measures a card. */
  readonly measure: (element: Element | null) => void;
}

/** Renders only the rows that can be seen. */
export function useVisibleRows(options: VisibleRowsOptions): VisibleRows {
  const { frame, count, rowHeight, isCards, keptRow } = options;
  const top = useTop(frame);
  const extract = useCallback(
    (range: Range) => {
      const indexes = defaultRangeExtractor(range);
      return keptRow < 0 || keptRow >= range.count || indexes.includes(keptRow)
        ? indexes
        : [...indexes, keptRow].sort((a, b) => a - b);
    },
    [keptRow],
  );
  const shared = { count, overscan: OVERSCAN, rangeExtractor: extract };
  const inFrame = useVirtualizer<HTMLElement, Element>({
    ...shared,
    enabled: !isCards,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    scrollPaddingStart: HEADER_HEIGHT,
  });
  const inWindow = useWindowVirtualizer<Element>({
    ...shared,
    enabled: isCards,
    estimateSize: () => CARD_HEIGHT,
    scrollMargin: top,
    scrollPaddingStart: 64,
  });
  useLayoutEffect(() => {
    // Heights are cached.
    if (rowHeight > 0) inFrame.measure();
  }, [inFrame, rowHeight]);
  const items = isCards ? inWindow.getVirtualItems() : inFrame.getVirtualItems();
  const offset = isCards ? top : 0;
  return {
    rows: items.map(({ index, start }) => ({ index, start: start - offset })),
    height: isCards ? inWindow.getTotalSize() : inFrame.getTotalSize(),
    maxHeight: Math.max(MIN_HEIGHT, window.innerHeight - top - BOTTOM_SPACE),
    scrollTo: (row) => (isCards ? inWindow.scrollToIndex(row) : inFrame.scrollToIndex(row)),
    measure: (element) => {
      if (isCards) inWindow.measureElement(element);
    },
  };
}

/** Distance of an element from the top of the document, in px. It changes with what is above, and with the window. */
function useTop(frame: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () =>
      setTop(Math.round((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.documentElement);
    observer.observe(document.body);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [frame]);
  return top;
}
