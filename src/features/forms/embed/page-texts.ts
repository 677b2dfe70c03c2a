/** The form page's own texts, sent to the browser in the visitor's language. */
export interface PageTexts {
  /** Shown while answers are being sent. */
  readonly sending: string;
  /** Shown once the answers are stored, unless the form has its own text. */
  readonly sent: string;
  /** The connection or the service failed; a retry may help. */
  readonly notSent: string;
  /** The service refused the answers without a reason. */
  readonly refused: string;
  /** The solved challenge had expired; the next attempt solves another one. */
  readonly unproved: string;
  /** Some questions on the page show errors. */
  readonly checkAnswers: string;
  /** The form was deactivated while the visitor filled it in. */
  readonly formClosed: string;
  /** The request exceeds the size limit, most likely because of files. */
  readonly tooLarge: string;
  /** A rate limit is reached; `{seconds}` is the time to wait. */
  readonly tooMany: string;
  /** Link to the page after the form, for pages that cannot redirect their frame. */
  readonly continueLink: string;
  /** Title of the question that the page adds to a form without an email question. */
  readonly emailAddress: string;
  /** Title of one of several pages; `{page}` and `{pages}` are replaced with numbers. */
  readonly pageOf: string;
  /** Shown if scripts are disabled. */
  readonly needsScript: string;
  /** Heading and text of the page for an unknown form. */
  readonly absentTitle: string;
  readonly absentText: string;
}

/** English texts, which are also the fallback for other languages. */
export const englishTexts: PageTexts = {
  sending: 'Sending your answers…',
  sent: 'Thank you. Your answers were sent.',
  notSent:
    'Your answers could not be sent. They are still here: check your connection, then press the button again.',
  refused: 'Your answers were not accepted. Please check them and press the button again.',
  unproved: 'Sending took too long. Your answers are still here: please press the button again.',
  checkAnswers: 'Please check the marked answers and press the button again.',
  formClosed: 'This form no longer accepts answers. Yours are still here if you want to copy them.',
  tooLarge: 'Your answers are too large to be sent. Please choose smaller files.',
  tooMany:
    'Too many answers are being sent. Yours are still here: wait about {seconds} seconds, then press the button again.',
  continueLink: 'Continue',
  emailAddress: 'Email address',
  pageOf: 'Page {page} of {pages}',
  needsScript: 'This form needs JavaScript. Please turn it on and reload the page.',
  absentTitle: 'This form is not available',
  absentText: 'It may have been closed, or the address may be wrong. Please ask the site that linked here.',
};
