/** Texts of the widget. A page may replace each of them. */
export interface Texts {
  /** Title of the bubble's window, and name of the panel for screen readers. */
  readonly title: string;
  readonly open: string;
  readonly close: string;
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

/** The English texts. */
export const TEXTS: Texts = {
  title: 'Conversation',
  open: 'Open the conversation',
  close: 'Close the conversation',
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

/** Returns the text for an error code. */
export function textOfError(code: string, texts: Texts): string {
  if (code === 'UNAUTHORIZED') return texts.expired;
  return code === 'RATE_LIMITED' ? texts.tooMany : texts.failed;
}
