import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Icon } from './icon.tsx';
import classes from './sortable-list.module.css';
import { uiTexts } from './texts.ts';

const { translate } = uiTexts;

interface SortableListProps<Item> {
  /** Name for screen readers. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Name of an item, for its handle. */
  readonly nameOf: (item: Item) => string;
  /** Called with the new position of an item. */
  readonly onMove: (item: Item, to: number) => void;
  readonly isDisabled?: boolean;
  readonly children: (item: Item, index: number) => ReactNode;
}

/** An item that is dragged, and the position that it would get. */
interface Drag {
  readonly from: number;
  readonly to: number;
}

/** A list whose items users put in order: they drag a handle, or press arrow keys on it. */
export function SortableList<Item>(props: SortableListProps<Item>) {
  const { label, items, keyOf, nameOf, onMove, isDisabled = false, children } = props;
  const [drag, setDrag] = useState<Drag | null>(null);
  const [moved, setMoved] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<string | null>(null);
  const helpId = useId();
  // An element that moves in the document loses the focus.
  useLayoutEffect(() => {
    const index = items.findIndex((item) => keyOf(item) === focused.current);
    if (index >= 0) list.current?.children[index]?.querySelector('button')?.focus();
    focused.current = null;
  });
  const move = (from: number, to: number) => {
    const item = items[from];
    if (item === undefined || to === from || to < 0 || to >= items.length) return;
    focused.current = keyOf(item);
    onMove(item, to);
    setMoved(translate('sortable.moved', { name: nameOf(item), position: to + 1, count: items.length }));
  };
  return (
    <>
      <ol ref={list} className={classes.list} aria-label={label}>
        {items.map((item, index) => (
          <li key={keyOf(item)} className={classes.item} {...placeOf(drag, index)}>
            <Handle
              name={nameOf(item)}
              helpId={helpId}
              isDisabled={isDisabled}
              onStep={(steps) => move(index, Math.min(Math.max(index + steps, 0), items.length - 1))}
              onDrag={(y) => setDrag({ from: index, to: positionAt(list.current, index, y) })}
              onDrop={() => {
                if (drag !== null) move(drag.from, drag.to);
                setDrag(null);
              }}
              onCancel={() => setDrag(null)}
            />
            <div className={classes.content}>{children(item, index)}</div>
          </li>
        ))}
      </ol>
      <p id={helpId} hidden>
        {translate('sortable.help')}
      </p>
      <p className="visually-hidden" aria-live="polite">
        {moved}
      </p>
    </>
  );
}

interface HandleProps {
  readonly name: string;
  readonly helpId: string;
  readonly isDisabled: boolean;
  /** Called with the number of positions to move by. */
  readonly onStep: (steps: number) => void;
  /** Called with the vertical position of the pointer. */
  readonly onDrag: (y: number) => void;
  readonly onDrop: () => void;
  readonly onCancel: () => void;
}

function Handle({ name, helpId, isDisabled, onStep, onDrag, onDrop, onCancel }: HandleProps) {
  const pointer = useRef<number | null>(null);
  const end = (finish: () => void) => {
    pointer.current = null;
    finish();
  };
  const press = (event: KeyboardEvent) => {
    const steps = STEPS[event.key];
    if (event.key === 'Escape') end(onCancel);
    if (steps === undefined) return;
    event.preventDefault();
    onStep(steps);
  };
  const start = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    pointer.current = event.pointerId;
  };
  const drag = ({ pointerId, clientY }: PointerEvent) => {
    if (pointer.current === pointerId) onDrag(clientY);
  };
  return (
    <button
      type="button"
      className={classes.handle}
      aria-label={translate('sortable.handle', { name })}
      aria-describedby={helpId}
      disabled={isDisabled}
      onKeyDown={press}
      onPointerDown={start}
      onPointerMove={drag}
      onPointerUp={() => end(onDrop)}
      onPointerCancel={() => end(onCancel)}
    >
      <Icon name="grip-vertical" />
    </button>
  );
}

/** Positions by which a key moves an item. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Returns the position that an item would get at a height: behind all others whose middle is above. */
function positionAt(list: HTMLOListElement | null, from: number, y: number): number {
  return [...(list?.children ?? [])].filter((element, index) => {
    const { top, bottom } = element.getBoundingClientRect();
    return index !== from && (top + bottom) / 2 < y;
  }).length;
}

/** Returns the attributes that show where the dragged item would go. */
function placeOf(drag: Drag | null, index: number) {
  if (drag === null) return {};
  if (index === drag.from) return { 'data-dragged': true };
  if (drag.to === drag.from || index !== drag.to) return {};
  return { 'data-drop': drag.to < drag.from ? 'before' : 'after' };
}
