/** What the panel says; a page may say any of it in its own words. */
export interface Texts {
  /** The name of the panel, for those who do not see it. */
  readonly title: string;
  readonly label: string;
  readonly send: string;
  readonly stop: string;
  readonly answering: string;
  readonly you: string;
  readonly assistant: string;
  readonly failed: string;
  readonly expired: string;
  readonly tooMany: string;
}

/** In English. */
export const TEXTS: Texts = {
  title: 'Conversation',
  label: 'Your message',
  send: 'Send',
  stop: 'Stop',
  answering: 'The answer is being written.',
  you: 'You',
  assistant: 'Assistant',
  failed: 'There was no answer. Please try again.',
  expired: 'This conversation has ended. Please reload the page.',
  tooMany: 'Too many messages. Please wait a minute.',
};

/** What is told of an error by its code. */
export function textOfError(code: string, texts: Texts): string {
  if (code === 'UNAUTHORIZED') return texts.expired;
  return code === 'RATE_LIMITED' ? texts.tooMany : texts.failed;
}
