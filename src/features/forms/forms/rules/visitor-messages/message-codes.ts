import type { english } from './english.ts';

/** Code of a message for visitors; several rules may share one. */
export type MessageCode = keyof typeof english;

/** Messages for visitors in one language. Placeholders such as `{limit}` stand for a form's settings. */
export type VisitorMessages = Readonly<Record<MessageCode, string>>;
