import { type DateParts, formatDate, formatZone } from '../texts/formats.ts';
import { Moment } from './moment.tsx';

interface DateTextProps {
  /** A time as the API returns it. */
  readonly value: string;
  /** Default: day and time. */
  readonly parts?: DateParts;
}

/** A moment in the user's time zone, such as "Mon 9 Nov, 09:00 Berlin"; in UTC as well on hover and focus. */
export function DateText({ value, parts = 'dateTime' }: DateTextProps) {
  const date = new Date(value);
  const text = formatDate(date, parts);
  return <Moment date={date} text={parts === 'date' ? text : `${text} ${formatZone()}`} />;
}
