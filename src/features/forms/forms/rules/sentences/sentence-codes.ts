import type { english } from './english.ts';

/** Identifies a message; several rules may share it. */
export type SentenceCode = keyof typeof english;

/** Messages in one language. Placeholders such as `{limit}` stand for a form's settings. */
export type Sentences = Readonly<Record<SentenceCode, string>>;
