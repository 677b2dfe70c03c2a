import { formatNumber } from '../texts/formats.ts';
import classes from './num.module.css';

interface NumProps {
  /** Null is shown as a dash. */
  readonly value: number | null;
  /** For example `{ style: 'percent' }`. */
  readonly format?: Intl.NumberFormatOptions;
}

/** A number with the language's separators and digits of equal width. */
export function Num({ value, format }: NumProps) {
  return <span className={classes.number}>{value === null ? '–' : formatNumber(value, format)}</span>;
}
