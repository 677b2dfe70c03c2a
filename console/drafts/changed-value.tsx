import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ChangedText } from './changed-text.tsx';
import classes from './changed-value.module.css';
import type { Change } from './changes.ts';
import { formatValue, type ShownField } from './draft-fields.ts';
import { isMembers } from './json.ts';
import { type LeafChange, leafChanges } from './leaf-changes.ts';
import { LongText } from './long-text.tsx';
import { draftTexts } from './texts.ts';

/** Names of the two values, such as "Saved" and "Yours". */
export interface Sides {
  readonly before: string;
  readonly after: string;
}

interface ChangedValueProps {
  readonly change: Pick<Change, 'before' | 'after'>;
  readonly field: ShownField;
  readonly sides: Sides;
}

/** Texts with more characters are compared word by word. */
const LONG_CHARS = 100;
/** Values of a tree that are shown at first. */
const SHOWN_LEAVES = 40;

/** A part in which two values differ: single values of a tree, words of a long text, or both values as they are. */
export function ChangedValue({ change, field: { label, format, isWorded }, sides }: ChangedValueProps) {
  const { before, after } = change;
  const [old, current] = [readTree(before), readTree(after)];
  if (!isWorded && isTree(old) && isTree(current))
    return <Leaves leaves={leafChanges(old, current)} label={label} sides={sides} />;
  if (!isWorded && isLong(before) && isLong(after))
    return <ChangedText before={before} after={after} label={label} sides={sides} />;
  return (
    <dl className={classes.values}>
      <dt>{sides.before}</dt>
      <dd>
        <LongText text={format(old)} label={`${label}, ${sides.before}`} />
      </dd>
      <dt>{sides.after}</dt>
      <dd data-after>
        <LongText text={format(current)} label={`${label}, ${sides.after}`} />
      </dd>
    </dl>
  );
}

interface LeavesProps {
  readonly leaves: readonly LeafChange[];
  readonly label: string;
  readonly sides: Sides;
}

function Leaves({ leaves, label, sides }: LeavesProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? leaves : leaves.slice(0, SHOWN_LEAVES);
  return (
    <div className={classes.block}>
      <ul className={`${classes.leaves} ${classes.whole}`}>
        {shown.map(({ path, before, after }) => (
          <li key={path} className={classes.leaf}>
            <code className={classes.path}>{path}</code>
            {isLong(before) && isLong(after) ? (
              <ChangedText before={before} after={after} label={`${label}, ${path}`} sides={sides} />
            ) : (
              <span className={classes.sides}>
                {before === undefined ? null : (
                  <del className={classes.removed}>
                    <LongText text={formatValue(before)} label={`${path}, ${sides.before}`} />
                  </del>
                )}
                {after === undefined ? null : (
                  <ins className={classes.added}>
                    <LongText text={formatValue(after)} label={`${path}, ${sides.after}`} />
                  </ins>
                )}
              </span>
            )}
          </li>
        ))}
      </ul>
      {shown.length === leaves.length ? null : (
        <Button size="small" onPress={() => setWhole(true)}>
          {draftTexts.translate('leaves.more', { count: leaves.length - shown.length })}
        </Button>
      )}
    </div>
  );
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && (value.length > LONG_CHARS || value.includes('\n'));
}

function isTree(value: unknown): boolean {
  return isMembers(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object'));
}

/** Returns what a text says if it is JSON of an object or a list, such as the content of a document. */
function readTree(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
