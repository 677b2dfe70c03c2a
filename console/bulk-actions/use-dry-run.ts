import { useCallback, useEffect, useRef, useState } from 'react';
import { type CallOptions, TesseraError } from '../../sdk/src/index.ts';

/** Time without a change of the request before its records are counted again, in ms. */
const DELAY_MS = 300;

/** Reason for which records stay as they are. */
export type SkipReason = 'FORBIDDEN' | 'UNCHANGED' | 'PAUSED';

/** Answer of a dry run. */
export interface DryRunReply {
  /** Selected records, with those that stay as they are. */
  readonly count: number;
  readonly skipped?: readonly { readonly reason: SkipReason; readonly count: number }[] | undefined;
}

/** Counts what an action would change. */
export type CountAction = (options: CallOptions) => Promise<DryRunReply>;

/** Numbers of records that an action would change, and would leave as they are. */
export interface Counted {
  /** The number that the server expects back. */
  readonly selected: number;
  /** Records that would be changed. */
  readonly count: number;
  readonly skipped: NonNullable<DryRunReply['skipped']>;
  /** The number that the user was asked about before; null the first time. */
  readonly before: number | null;
}

/**
 * Counts what an action would change, and again whenever `request` changes; `counted` is null until the server has
 * answered. Nothing is counted while `request` is null.
 */
export function useDryRun(request: object | null, countAction: CountAction) {
  const [counted, setCounted] = useState<Counted | null>(null);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef(countAction);
  latest.current = countAction;
  const countAgain = useCallback(async (before: number | null, signal?: AbortSignal) => {
    try {
      const reply = await latest.current(signal === undefined ? {} : { signal });
      setError(null);
      setCounted({ ...toCounts(reply), before });
    } catch (cause) {
      if (signal?.aborted) return;
      if (!(cause instanceof TesseraError)) throw cause;
      setError(refusalOf(cause));
    }
  }, []);
  // The request is a new object in each rendering.
  const text = JSON.stringify(request);
  const isFirst = useRef(true);
  useEffect(() => {
    setCounted(null);
    setError(null);
    if (text === 'null') return;
    const controller = new AbortController();
    const timer = setTimeout(() => void countAgain(null, controller.signal), isFirst.current ? 0 : DELAY_MS);
    isFirst.current = false;
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [countAgain, text]);
  return { counted, countAgain, error, setError };
}

function toCounts({ count: selected, skipped = [] }: DryRunReply): Omit<Counted, 'before'> {
  const left = skipped.reduce((sum, { count }) => sum + count, 0);
  return { selected, count: selected - left, skipped };
}

/** Returns why the server refuses, in its words. */
export function refusalOf({ message, issues }: TesseraError): string {
  return issues[0]?.message ?? message;
}
