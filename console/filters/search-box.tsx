import { useEffect, useState } from 'react';
import { SearchField } from '../ui/search-field.tsx';

/** Delay between the last key and the search, in ms: one query instead of one per key. */
const PAUSE_MS = 200;

interface SearchBoxProps {
  readonly label: string;
  /** The search in the URL. */
  readonly value: string;
  /** Called when typing pauses. */
  readonly onSearch: (text: string) => void;
}

/** The search of a list. Text is shown immediately, and searched when typing pauses. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  // The browser's back and forward buttons change the search, too.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSearch(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return <SearchField label={label} value={text} onChange={setText} />;
}
