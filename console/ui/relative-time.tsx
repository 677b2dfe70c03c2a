import { formatRelatively } from '../texts/formats.ts';
import { Moment } from './moment.tsx';
import { useNow } from './now.ts';

interface RelativeTimeProps {
  /** A time as the API returns it. */
  readonly value: string;
}

/**
 * Time since something happened, such as "3 minutes ago". Stays current; the exact time is shown on hover and focus.
 */
export function RelativeTime({ value }: RelativeTimeProps) {
  const date = new Date(value);
  return <Moment date={date} text={formatRelatively(date, useNow())} />;
}
